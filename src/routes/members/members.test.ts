import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { giveReach } from '../../../test/contract/reach.ts'
import { type Client, type Json, type Reply, sender, useHarness } from '../../../test/harness.ts'
import {
  addPerson,
  goodPassword,
  makeInvitation,
  makeMember,
  ofDashboard,
  type SignedIn,
} from '../../../test/people/people.ts'

const h = useHarness()
/** A second node. */
let elsewhere: typeof h.send
beforeAll(async () => {
  elsewhere = sender((await h.node()).url)
})

async function organization(): Promise<Client> {
  const env = await h.environment()
  await giveReach(h, env)
  return env
}

async function addEnvironment(env: Client, name: string): Promise<string> {
  return (await env.post('/v1/environments', { name, color: '#2563eb' })).body._id
}

type Sent = { body?: unknown; headers?: Record<string, string> }
const as = (who: SignedIn, method: string, path: string, { headers = {}, ...sent }: Sent = {}, send = h.send) =>
  send(method, path, { ...sent, headers: { ...who.headers, ...headers } })
const refused = { status: 403, body: { code: 'not_permitted' } }

async function within5s(isTrue: () => Promise<boolean>): Promise<void> {
  for (const begun = performance.now(); !(await isTrue()); await sleep(100)) {
    expect(performance.now() - begun).toBeLessThan(5_000)
  }
}

describe('an invitation', () => {
  test('names what somebody will be; accepted with a name and a password, it signs them in as that', async () => {
    const env = await organization()
    const other = await addEnvironment(env, 'Production')
    const { token, body } = await makeInvitation(env, {
      email: 'Ada.Lovelace@Example.com',
      role: 'author',
      environments: [{ environmentId: other, role: 'viewer' }],
    })
    expect(body).toMatchObject({ email: 'ada.lovelace@example.com', role: 'author' })
    expect(body).toMatchObject({ environments: [{ environmentId: other, role: 'viewer' }], invitedBy: 'test' })
    expect(Date.parse(body.expiresAt) - Date.now()).toBeGreaterThan(6.9 * 86_400_000)
    const shown = await h.send('POST', '/session/invitation', { body: { token }, headers: ofDashboard })
    expect(shown.body).toMatchObject({ email: 'ada.lovelace@example.com', isKnown: false })
    const reply = await h.send('POST', '/session/accept', {
      body: { token, name: 'Ada', password: goodPassword },
      headers: ofDashboard,
    })
    expect(reply.body).toMatchObject({
      signedInBy: 'person',
      role: 'author',
      person: { email: 'ada.lovelace@example.com', name: 'Ada', hasPassword: true, twoFactor: false },
      environment: { id: env.environmentId },
    })
    const [member] = (await env.get('/v1/members')).body.data
    expect(member).toMatchObject({ email: 'ada.lovelace@example.com', role: 'author', hasPassword: true })
    expect((await env.get('/v1/members/invitations')).body.data).toEqual([])
  })

  test('works once, however many accept it at once, and its token is stored nowhere', async () => {
    const env = await organization()
    const { token } = await makeInvitation(env)
    const { rows } = await sql<{ row: string }>`select i::text as row from invitation i`.execute(h.admin)
    expect(rows.map(({ row }) => row).join()).not.toContain(token.split('.')[2])
    const accept = (name: string) =>
      h.send('POST', '/session/accept', { body: { token, name, password: goodPassword }, headers: ofDashboard })
    const replies = await Promise.all(['a', 'b', 'c', 'd'].map(accept))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status, body } of replies.filter((it) => it.status !== 200))
      expect([status, ['invitation_refused', 'sign_in_first'].includes(body.code)]).toEqual([401, true])
    expect((await env.get('/v1/members')).body.data).toHaveLength(1)
  })

  test('expired, revoked, renewed, forged or of another row it opens nothing', async () => {
    const env = await organization()
    const codeOf = async (token: string) =>
      (await h.send('POST', '/session/invitation', { body: { token }, headers: ofDashboard })).body.code
    const [revoked, renewed, mixed, expired] = [
      await makeInvitation(env),
      await makeInvitation(env),
      await makeInvitation(env),
      await makeInvitation(env),
    ]
    await env.delete(`/v1/members/invitations/${revoked.body.id}`)
    const again = await env.post(`/v1/members/invitations/${renewed.body.id}/renew`)
    await sql`update invitation set expires_at = now() where id = ${expired.body.id}`.execute(h.admin)
    const [, , secret] = mixed.token.split('.')
    const [place, row] = again.body.link.split('token=')[1].split('.')
    for (const token of [revoked.token, renewed.token, expired.token, `${place}.${row}.${secret}`, 'x'])
      expect(await codeOf(token), token).toBe('invitation_refused')
    expect(await codeOf(again.body.link.split('token=')[1])).toBeUndefined()
  })

  test('of somebody known asks for their own password, and joins by their session only if it is theirs', async () => {
    const [env, other] = [await organization(), await organization()]
    const ada = await makeMember(env, { role: 'viewer' })
    const { token } = await makeInvitation(other, { email: ada.email, role: 'operator' })
    const accept = (password: string) =>
      h.send('POST', '/session/accept', { body: { token, name: 'Eve', password }, headers: ofDashboard })
    expect((await accept('another long password')).body.code).toBe('sign_in_refused')
    const eve = await makeMember(env)
    expect((await as(eve, 'POST', '/session/join', { body: { token } })).body.code).toBe('invitation_refused')
    const joined = await as(ada, 'POST', '/session/join', { body: { token } })
    expect(joined.body).toMatchObject({ organization: { id: other.organizationId }, role: 'operator' })
    expect(joined.body.person.name).toBe(ada.name)
    // The session before is over.
    expect((await as(ada, 'GET', '/session')).status).toBe(401)
    // Signed in anew, one is where one was last, or where one says.
    const signIn = async (more: object) => {
      const body = { email: ada.email, password: goodPassword, ...more }
      return (await h.send('POST', '/session', { body, headers: ofDashboard })).body.organization?.id
    }
    expect(await signIn({})).toBe(other.organizationId)
    expect(await signIn({ organizationId: env.organizationId })).toBe(env.organizationId)
    expect(await signIn({ organizationId: eve.personId })).toBeUndefined()
  })

  test('is refused for a member, and for whom is invited already', async () => {
    const env = await organization()
    const { email } = await makeMember(env)
    const { body } = await makeInvitation(env)
    const invite = async (to: string) =>
      (await env.post('/v1/members/invitations', { email: to.toUpperCase(), role: 'viewer' })).body.code
    expect(await invite(email)).toBe('member_exists')
    expect(await invite(body.email)).toBe('invitation_exists')
  })
})

describe('nobody gives more than they have', () => {
  test('an admin makes no owner, and changes or removes none', async () => {
    const env = await organization()
    const [owner, admin, viewer] = await Promise.all(
      (['owner', 'admin', 'viewer'] as const).map((role) => addPerson(h, env.organizationId, { role })),
    )
    if (!owner || !admin || !viewer) throw new Error('three were made')
    const path = ({ personId }: SignedIn) => `/v1/members/${personId}`
    const invite = { email: 'boss@example.com', role: 'owner' }
    expect(await as(admin, 'POST', '/v1/members/invitations', { body: invite })).toMatchObject(refused)
    expect(await as(admin, 'PATCH', path(viewer), { body: { role: 'owner' } })).toMatchObject(refused)
    expect(await as(admin, 'PATCH', path(admin), { body: { role: 'owner' } })).toMatchObject(refused)
    expect(await as(admin, 'PATCH', path(owner), { body: { role: 'viewer' } })).toMatchObject(refused)
    expect(await as(admin, 'DELETE', path(owner))).toMatchObject(refused)
    expect((await as(admin, 'PATCH', path(viewer), { body: { role: 'admin' } })).status).toBe(200)
    expect((await as(owner, 'PATCH', path(admin), { body: { role: 'owner' } })).status).toBe(200)
  })

  test('an admin who is less in Production gives nobody more there, whatever the way', async () => {
    const env = await organization()
    const production = await addEnvironment(env, 'Production')
    const { organizationId } = env
    const less = await addPerson(h, organizationId, { role: 'admin', environments: { [production]: 'viewer' } })
    const friend = await addPerson(h, organizationId, { role: 'viewer' })
    const change = (personId: string, body: object) => as(less, 'PATCH', `/v1/members/${personId}`, { body })
    const inProduction = (role: string | null) => [{ environmentId: production, role }]
    expect(await change(friend.personId, { role: 'admin' })).toMatchObject(refused)
    expect(await change(friend.personId, { environments: inProduction('author') })).toMatchObject(refused)
    expect(await change(less.personId, { environments: [] })).toMatchObject(refused)
    const invited = { email: 'x@example.com', role: 'admin' }
    expect(await as(less, 'POST', '/v1/members/invitations', { body: invited })).toMatchObject(refused)
    expect((await change(friend.personId, { role: 'admin', environments: inProduction('viewer') })).status).toBe(200)
  })
})

describe('an organization never loses its last owner', () => {
  const ofLast = { status: 409, body: { code: 'last_owner' } }

  test('neither by a role nor by a removal', async () => {
    const env = await organization()
    const owner = await addPerson(h, env.organizationId, { role: 'owner' })
    const path = `/v1/members/${owner.personId}`
    expect(await as(owner, 'DELETE', path)).toMatchObject(ofLast)
    expect(await env.patch(path, { role: 'admin' })).toMatchObject(ofLast)
    await addPerson(h, env.organizationId, { role: 'owner' })
    expect((await env.patch(path, { role: 'admin' })).status).toBe(200)
  })

  test('nor when all of them leave at once, over two nodes', async () => {
    for (let round = 0; round < 5; round++) {
      const env = await organization()
      const owners = await Promise.all([1, 2, 3, 4].map(() => addPerson(h, env.organizationId, { role: 'owner' })))
      const leave = (owner: SignedIn, number: number) => {
        const send = number % 2 === 0 ? h.send : elsewhere
        const path = `/v1/members/${owner.personId}`
        return number < 2
          ? as(owner, 'DELETE', path, {}, send)
          : as(owner, 'PATCH', path, { body: { role: 'viewer' } }, send)
      }
      const replies = await Promise.all(owners.map(leave))
      expect(replies.filter(({ status }) => status === 409)).toHaveLength(1)
      const { data } = (await env.get('/v1/members')).body
      expect(data.filter((it: Json) => it.role === 'owner')).toHaveLength(1)
    }
  })
})

describe('a change of what somebody is', () => {
  test('counts on every node within 5 s, for a session that goes on', async () => {
    const env = await organization()
    const author = await addPerson(h, env.organizationId, { role: 'author' })
    const write = (send: typeof h.send) =>
      as(author, 'POST', '/v2/layouts', { body: { layoutId: `l-${Math.random()}`, name: 'L' } }, send)
    const statuses = async () => [(await write(h.send)).status, (await write(elsewhere)).status]
    expect(await statuses()).toEqual([201, 201])
    await env.patch(`/v1/members/${author.personId}`, { role: 'viewer' })
    await within5s(async () => (await statuses()).every((status) => status === 403))
    expect((await as(author, 'GET', '/v2/layouts')).status).toBe(200)
    const session = await as(author, 'GET', '/session')
    expect(session.body).toMatchObject({ role: 'viewer', permissions: ['read'] })
    await env.delete(`/v1/members/${author.personId}`)
    const isOut = async (send: typeof h.send): Promise<Reply> => as(author, 'GET', '/v2/layouts', {}, send)
    await within5s(async () => (await isOut(h.send)).status === 401 && (await isOut(elsewhere)).status === 401)
  })

  test('a role in one environment opens that one alone, and less in it holds there alone', async () => {
    const env = await organization()
    const production = await addEnvironment(env, 'Production')
    const { organizationId, environmentId } = env
    const here = await addPerson(h, organizationId, { role: null, environments: { [production]: 'author' } })
    const not = await addPerson(h, organizationId, { role: 'author', environments: { [production]: 'viewer' } })
    const make = async (who: SignedIn, place: string) => {
      const headers = { 'tidings-environment': place }
      const body = { layoutId: `l-${Math.random()}`, name: 'L' }
      const reply = await as(who, 'POST', '/v2/layouts', { body, headers })
      return reply.body.code ?? reply.status
    }
    expect([await make(here, production), await make(here, environmentId)]).toEqual([201, 'environment_out_of_reach'])
    expect([await make(not, production), await make(not, environmentId)]).toEqual(['not_permitted', 201])
    expect((await as(here, 'GET', '/session')).body).toMatchObject({
      environment: { id: production },
      environments: [{ id: production }],
      reach: 'environment',
      role: 'author',
    })
    expect((await as(here, 'GET', '/v1/members')).body.code).toBe('environment_out_of_reach')
  })

  test('stands in the record, with who did it, and without any secret', async () => {
    const env = await organization()
    const owner = await addPerson(h, env.organizationId, { role: 'owner' })
    const invited = await as(owner, 'POST', '/v1/members/invitations', {
      body: { email: 'grace@example.com', role: 'viewer' },
    })
    const token = invited.body.link.split('#token=')[1]
    const joined = await h.send('POST', '/session/accept', {
      body: { token, name: 'Grace', password: goodPassword },
      headers: ofDashboard,
    })
    const path = `/v1/members/${joined.body.person.id}`
    await as(owner, 'PATCH', path, { body: { role: 'author' } })
    await as(owner, 'DELETE', path)
    const record = await env.get('/v1/changes?of=organization')
    const told = record.body.data.map(({ action, actor, subject, changes }: Json) => [
      action,
      actor.name,
      subject.name,
      changes.filter(({ path: it }: Json) => it === 'role').map(({ before, after }: Json) => [before, after]),
    ])
    expect(told).toEqual([
      ['members.remove', owner.name, 'Grace', [['author', undefined]]],
      ['members.update', owner.name, 'Grace', [['viewer', 'author']]],
      ['invitations.accept', 'Grace', 'Grace', [[undefined, 'viewer']]],
      ['members.invite', owner.name, 'grace@example.com', [[undefined, 'viewer']]],
    ])
    for (const secret of [token, goodPassword, 'argon2']) expect(record.text).not.toContain(secret)
    // A member of nothing is forgotten.
    const { rows } = await sql`select 1 from person where email = 'grace@example.com'`.execute(h.admin)
    expect(rows).toEqual([])
  })
})
