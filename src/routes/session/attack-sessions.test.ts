import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { giveReach } from '../../../test/contract/reach.ts'
import { type Client, type Reply, sender, useHarness } from '../../../test/harness.ts'
import { within5s } from '../../../test/people/attackers.ts'
import {
  addPerson,
  cookieOf,
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

const signIn = (email: string, headers: Record<string, string> = {}, password = goodPassword) =>
  h.send('POST', '/session', { body: { email, password }, headers: { ...ofDashboard, ...headers } })
const isSignedIn = async (cookie: string, send = h.send) =>
  (await send('GET', '/session', { headers: { cookie } })).status === 200

describe('a session that an attacker knows before', () => {
  test('is not the one that a sign-in gives, and is over after it', async () => {
    const env = await organization()
    const [ada, eve] = [await makeMember(env), await makeMember(env)]
    const planted = eve.headers.cookie ?? ''
    const reply = await signIn(ada.email, { cookie: planted })
    expect(reply.body.person.email).toBe(ada.email)
    expect(cookieOf(reply)).not.toBe(planted)
    await within5s(async () => !(await isSignedIn(planted)) && !(await isSignedIn(planted, elsewhere)))
  })

  test('that nobody was ever given opens nothing, before and after', async () => {
    const ada = await makeMember(await organization())
    const [own = '', hex] = [ada.headers.cookie, '0'.repeat(32)]
    const [, place = '', row = ''] = own.split('.')
    const secret = 'A'.repeat(43)
    for (const token of [
      `p.${place}.${row}.${secret}`,
      `p.${place}.${hex}.${secret}`,
      `${place}.${row}.${secret}`,
      'x',
    ]) {
      const planted = `tidings_session=${token}`
      const reply = await signIn(ada.email, { cookie: planted })
      expect([reply.status, cookieOf(reply) === planted, await isSignedIn(planted)]).toEqual([200, false, false])
    }
  })

  test('is over where somebody accepts an invitation, resets a password or goes to another organization', async () => {
    const [env, another] = [await organization(), await organization()]
    const eve = await makeMember(env)
    const { token } = await makeInvitation(env)
    const accepted = await h.send('POST', '/session/accept', {
      body: { token, name: 'Ada', password: goodPassword },
      headers: eve.headers,
    })
    expect(accepted.status, accepted.text).toBe(200)
    await within5s(async () => !(await isSignedIn(eve.headers.cookie ?? '')))
    const ada = cookieOf(accepted)
    const invited = await makeInvitation(another, { email: accepted.body.person.email })
    const joined = await h.send('POST', '/session/join', {
      body: { token: invited.token },
      headers: { ...ofDashboard, cookie: ada },
    })
    expect(joined.status, joined.text).toBe(200)
    await within5s(async () => !(await isSignedIn(ada)) && !(await isSignedIn(ada, elsewhere)))
  })
})

describe('a page of another site', () => {
  // What a form or a script of it can send with our cookie, without asking us first.
  const simple: Record<string, string>[] = [
    { 'content-type': 'text/plain' },
    { 'content-type': 'text/plain;application/json' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'multipart/form-data; boundary=x' },
  ]
  const body = JSON.stringify({ email: 'eve@example.com', role: 'owner', name: 'Eve' })
  const refused = { status: 403, body: { code: 'cross_site_refused' } }
  // The sign-in takes JSON alone.
  const refusals = ['cross_site_refused', 'unsupported_media_type']

  test('changes nothing by the cookie of an owner, on any route, whatever the body is called', async () => {
    const env = await organization()
    const owner = await addPerson(h, env.organizationId, { role: 'owner' })
    const { cookie = '' } = owner.headers
    const mostlyOurs = h.routes.filter((it) => it.kind === 'key' || it.kind === 'session' || it.kind === 'stream')
    expect(mostlyOurs.length).toBeGreaterThan(100)
    for (const { method, path, kind } of mostlyOurs) {
      const at = path.replaceAll(/\{\w+\}/g, env.environmentId)
      if (method === 'GET') {
        const reply = await h.send(method, at, { headers: { cookie, 'sec-fetch-site': 'cross-site' } })
        expect(reply, `${kind} ${path}`).toMatchObject(refused)
        continue
      }
      for (const headers of simple) {
        for (const origin of [{ origin: 'https://evil.example' }, { origin: 'null' }, {}] as Record<string, string>[]) {
          const reply = await h.send(method, at, { raw: body, headers: { ...headers, ...origin, cookie } })
          expect(refusals, `${method} ${path}`).toContain(reply.body.code)
          expect(reply.headers.get('set-cookie')).toBeNull()
        }
      }
      expect(await h.send(method, at, { raw: body, headers: { cookie } }), `${method} ${path}`).toMatchObject(refused)
      // Somebody got the header through: the origin is still not ours.
      const origin = 'https://evil.example'
      const reply = await h.send(method, at, { raw: body, headers: { ...owner.headers, origin } })
      expect(reply, `${method} ${path}`).toMatchObject(refused)
    }
    expect(await isSignedIn(cookie)).toBe(true)
    expect((await env.get('/v1/members/invitations')).body.data).toEqual([])
  })

  test('is not told by any of them that it may ask with our header', async () => {
    const headers = {
      origin: 'https://evil.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type, x-tidings-session',
    }
    for (const { path, kind } of h.routes) {
      if (kind.startsWith('inbox')) continue
      const reply = await fetch(h.url + path.replaceAll(/\{\w+\}/g, 'x'), { method: 'OPTIONS', headers })
      const allowed = [...reply.headers.keys()].filter((name) => name.startsWith('access-control'))
      expect(allowed, path).toEqual([])
    }
  })

  test('signs nobody in, also not as somebody else, with a body that is no JSON by name', async () => {
    const ada = await makeMember(await organization())
    const raw = JSON.stringify({ email: ada.email, password: goodPassword })
    for (const headers of simple) {
      const reply = await h.send('POST', '/session', { raw, headers: { ...headers, origin: 'https://evil.example' } })
      expect(refusals).toContain(reply.body.code)
      expect(reply.headers.get('set-cookie')).toBeNull()
    }
  })
})

describe('a session that is replayed', () => {
  const statusOf = async (who: SignedIn, send: typeof h.send, method: string, path: string, body?: unknown) =>
    (await send(method, path, { headers: who.headers, ...(body !== undefined && { body }) })).status

  async function onBoth(ask: (send: typeof h.send) => Promise<number>, status: number): Promise<void> {
    await within5s(async () => (await ask(h.send)) === status && (await ask(elsewhere)) === status)
  }

  test('after its person became less does on both nodes within 5 s what they may now, and no more', async () => {
    const env = await organization()
    const admin = await addPerson(h, env.organizationId, { role: 'admin' })
    const calls: [string, string, unknown?][] = [
      ['GET', '/v1/members'],
      ['GET', '/v1/members/invitations'],
      ['POST', '/v1/members/invitations', { email: 'eve@example.com', role: 'viewer' }],
      ['PATCH', '/v1/organization', { name: 'Eve & Co.' }],
      ['POST', '/v2/layouts', { layoutId: `l-${Math.random()}`, name: 'L' }],
    ]
    for (const send of [h.send, elsewhere]) expect(await statusOf(admin, send, 'GET', '/v1/members')).toBe(200)
    await env.patch(`/v1/members/${admin.personId}`, { role: 'viewer' })
    for (const [method, path, body] of calls) await onBoth((send) => statusOf(admin, send, method, path, body), 403)
    expect((await env.get('/v1/members/invitations')).body.data).toEqual([])
  })

  test('after its person was removed, or lost their last role, is over on both nodes within 5 s', async () => {
    const env = await organization()
    const { organizationId, environmentId } = env
    const [gone, without] = [
      await addPerson(h, organizationId, { role: 'author' }),
      await addPerson(h, organizationId, { role: null, environments: { [environmentId]: 'author' } }),
    ]
    for (const who of [gone, without]) await onBoth((send) => statusOf(who, send, 'GET', '/v2/layouts'), 200)
    await env.delete(`/v1/members/${gone.personId}`)
    await sql`delete from member_role where person_id = ${without.personId}`.execute(h.admin)
    for (const who of [gone, without]) await onBoth((send) => statusOf(who, send, 'GET', '/v2/layouts'), 401)
  })

  test('after twelve hours is over, however much it was used', async () => {
    const ada = await makeMember(await organization())
    const { clock } = h.ctx
    try {
      h.ctx.clock = () => new Date(Date.now() + 11.9 * 3_600_000)
      expect(await statusOf(ada, h.send, 'GET', '/v2/layouts')).toBe(200)
      h.ctx.clock = () => new Date(Date.now() + 12.1 * 3_600_000)
      expect(await statusOf(ada, h.send, 'GET', '/v2/layouts')).toBe(401)
      expect(await statusOf(ada, h.send, 'GET', '/session/account')).toBe(401)
      expect(await statusOf(ada, h.send, 'PATCH', '/session/account', { name: 'Eve' })).toBe(401)
    } finally {
      h.ctx.clock = clock
    }
  })

  test('after the organization asks for a second proof opens nothing within 5 s, until there is one', async () => {
    const env = await organization()
    const ada = await makeMember(env)
    await onBoth((send) => statusOf(ada, send, 'GET', '/v2/layouts'), 200)
    expect((await env.patch('/v1/organization', { requireTwoFactor: true })).status).toBe(200)
    await onBoth((send) => statusOf(ada, send, 'GET', '/v2/layouts'), 403)
    // Neither by going in anew.
    const again = { ...ada, headers: { ...ofDashboard, cookie: cookieOf(await signIn(ada.email)) } }
    expect(await statusOf(again, h.send, 'GET', '/v2/layouts')).toBe(403)
    expect(await statusOf(again, h.send, 'GET', '/v1/activity/stream')).toBe(403)
  })

  test('in another organization opens nothing of it, whichever it names', async () => {
    const [env, other] = [await organization(), await organization()]
    const eve = await addPerson(h, other.organizationId, { role: 'owner' })
    const ada = await addPerson(h, env.organizationId, { role: 'viewer' })
    const [, place = '', row = '', secret = ''] = (eve.headers.cookie ?? '').split('.')
    const there = (ada.headers.cookie ?? '').split('.')[1] ?? ''
    const mixed = { ...ofDashboard, cookie: `tidings_session=p.${there}.${row}.${secret}` }
    expect(place).not.toBe(there)
    expect((await h.send('GET', '/v1/members', { headers: mixed })).status).toBe(401)
    const named = { ...eve.headers, 'tidings-environment': env.environmentId }
    for (const path of ['/v1/members', '/v2/layouts', '/v1/organization', '/session'])
      expect([403, 404], path).toContain((await h.send('GET', path, { headers: named })).status)
    const change: [string, string, unknown?][] = [
      ['PATCH', `/v1/members/${ada.personId}`, { role: 'owner' }],
      ['DELETE', `/v1/members/${ada.personId}`],
    ]
    for (const [method, path, body] of change) {
      const reply = await h.send(method, path, { headers: eve.headers, ...(body !== undefined && { body }) })
      expect(reply.body.code).toBe('member_not_found')
    }
    const { token, body } = await makeInvitation(env)
    for (const [method, path] of [
      ['DELETE', `/v1/members/invitations/${body.id}`],
      ['POST', `/v1/members/invitations/${body.id}/renew`],
    ] as const)
      expect((await h.send(method, path, { headers: eve.headers })).body.code).toBe('invitation_not_found')
    const shown: Reply = await h.send('POST', '/session/invitation', { body: { token }, headers: ofDashboard })
    expect(shown.body.organization.id).toBe(env.organizationId)
  })
})

describe('what was proved is still true when a session opens', () => {
  // Somebody who knows the old password signs in at the very moment in which it is replaced.
  const [password, second] = [sql`password_hash = 'another'`, sql`totp_secret = 'x', totp_confirmed_at = now()`]
  const acceptAs = async ({ email }: SignedIn) => {
    const { token } = await makeInvitation(await organization(), { email })
    return () => h.send('POST', '/session/accept', { body: { token, password: goodPassword }, headers: ofDashboard })
  }
  const signInAs = async ({ email }: SignedIn) => {
    return () => signIn(email)
  }
  test.each([
    ['the password, at a sign-in', password, signInAs],
    ['the second proof, at a sign-in', second, signInAs],
    ['the password, at an invitation', password, acceptAs],
  ] as const)('%s, changes meanwhile: refused, and no session stays', async (_name, change, prepare) => {
    const ada = await makeMember(await organization())
    const enter = await prepare(ada)
    let signedIn: Promise<Reply> | undefined
    await h.admin.transaction().execute(async (db) => {
      await sql`update person set ${change} where id = ${ada.personId}`.execute(db)
      const before = h.ctx.clock()
      signedIn = enter()
      // It reads what is committed, finds the password right, and waits for us.
      await expect.poll(async () => await isWaiting(), { timeout: 5_000 }).toBe(true)
      await sql`update person_session set ended_at = ${before} where person_id = ${ada.personId}`.execute(db)
    })
    expect((await signedIn)?.body.code).toBe('sign_in_refused')
    const { rows } = await sql`
      select 1 from person_session where person_id = ${ada.personId} and ended_at is null`.execute(h.admin)
    expect(rows).toEqual([])
  })

  async function isWaiting(): Promise<boolean> {
    const { rows } = await sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and query like '%for share%'`.execute(h.admin)
    return rows.length > 0
  }
})
