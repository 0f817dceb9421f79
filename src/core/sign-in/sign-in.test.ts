import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { giveReach } from '../../../test/contract/reach.ts'
import { type Client, useHarness } from '../../../test/harness.ts'
import { allowing } from '../../../test/outside.ts'
import { startIssuer } from '../../../test/peers/issuer.ts'
import { makeAccount, makeConnection, newBrowser, ourAddress, redirectUri } from '../../../test/people/connections.ts'
import { goodPassword, makeInvitation, makeMember, ofDashboard } from '../../../test/people/people.ts'

const [issuer, speaking] = [
  await startIssuer({ redirectUris: [redirectUri] }),
  await startIssuer({ redirectUris: [redirectUri], inToken: true }),
]
const h = useHarness({ PUBLIC_URL: ourAddress, ...allowing(issuer.port, speaking.port) })
afterAll(() => Promise.all([issuer.close(), speaking.close()]))

async function organization(): Promise<Client> {
  const env = await h.environment()
  await giveReach(h, env)
  return env
}

const membersOf = async (env: Client) => (await env.get('/v1/members')).body.data
const path = (id: string) => `/v1/organization/sign-in-connections/${id}`

describe('somebody of the domain', () => {
  test('joins as what the first of their groups is; at each sign-in anew', async () => {
    const env = await organization()
    const connection = await makeConnection(env, issuer, {
      scopes: ['email', 'profile', 'groups'],
      groupsClaim: 'groups',
      groupRoles: [
        { group: 'leads', role: 'admin' },
        { group: 'writers', role: 'author' },
      ],
      defaultRole: null,
    })
    const account = makeAccount(issuer, connection.domain, { groups: ['all', 'writers', 'leads'] })
    const browser = newBrowser(h)
    const first = await browser.signIn(issuer, connection, account, '/workflows?page=2')
    expect(first.status, first.text).toBe(200)
    expect(first.body).toMatchObject({
      next: '/workflows?page=2',
      session: { signedInBy: 'person', role: 'admin', person: { email: account.email, name: 'Ada Lovelace' } },
    })
    expect(await membersOf(env)).toMatchObject([{ email: account.email, role: 'admin', hasPassword: false }])
    issuer.accounts.set(account.id, { ...issuer.accounts.get(account.id), groups: ['writers'] })
    const second = await newBrowser(h).signIn(issuer, connection, account)
    expect(second.body.session).toMatchObject({ role: 'author', person: first.body.session.person })
    const [change, joined] = (await env.get('/v1/changes?of=organization&limit=2')).body.data
    expect(change).toMatchObject({ action: 'sign-in-connections.roles', actor: { name: 'Ada Lovelace' } })
    expect(joined).toMatchObject({ action: 'sign-in-connections.join', actor: { name: 'Ada Lovelace' } })
    // Out of all groups they are nothing any more, in the browsers too where they are signed in.
    issuer.accounts.set(account.id, { ...issuer.accounts.get(account.id), groups: [] })
    const third = await newBrowser(h).signIn(issuer, connection, account)
    expect(third).toMatchObject({ status: 403, body: { code: 'connection_refused' } })
    await expect.poll(async () => (await browser.ask('GET', '/session')).status, { timeout: 5_000 }).toBe(401)
    expect(await membersOf(env)).toMatchObject([{ email: account.email, role: null }])
  })

  test('is told to ask for an invitation where nobody joins; invited, they are what they were invited as', async () => {
    const env = await organization()
    const connection = await makeConnection(env, issuer, { joins: false, defaultRole: 'viewer' })
    const account = makeAccount(issuer, connection.domain)
    const refused = await newBrowser(h).signIn(issuer, connection, account)
    expect(refused).toMatchObject({ status: 403, body: { code: 'connection_refused' } })
    expect(refused.body.message).toContain('Ask for an invitation')
    await makeInvitation(env, { email: account.email, role: 'operator' })
    const reply = await newBrowser(h).signIn(issuer, connection, account)
    expect(reply.body.session).toMatchObject({ role: 'operator' })
    expect((await env.get('/v1/members/invitations')).body.data).toEqual([])
    const again = await newBrowser(h).signIn(issuer, connection, account)
    expect(again.body.session).toMatchObject({ role: 'operator' })
  })

  test('without groups is at first what everybody is, and then what the page Members says', async () => {
    const env = await organization()
    const connection = await makeConnection(env, issuer, { defaultRole: 'viewer' })
    const account = makeAccount(issuer, connection.domain)
    const first = await newBrowser(h).signIn(issuer, connection, account)
    expect(first.body.session).toMatchObject({ role: 'viewer' })
    const [member] = await membersOf(env)
    expect((await env.patch(`/v1/members/${member.personId}`, { role: 'author' })).status).toBe(200)
    const again = await newBrowser(h).signIn(issuer, connection, account)
    expect(again.body.session).toMatchObject({ role: 'author' })
  })

  test('the name and groups may be in the token, and groups deep in it', async () => {
    const env = await organization()
    const connection = await makeConnection(env, speaking, {
      scopes: ['email', 'profile'],
      groupsClaim: 'realm_access.roles',
      groupRoles: [{ group: 'ops', role: 'operator' }],
    })
    const account = makeAccount(speaking, connection.domain)
    speaking.bend = ({ header, claims }, { rs256 }) =>
      rs256({ header, claims: { ...claims, realm_access: { roles: ['ops'] } } })
    const reply = await newBrowser(h).signIn(speaking, connection, account)
    expect(reply.body.session).toMatchObject({ role: 'operator', person: { name: 'Ada Lovelace' } })
    expect(speaking.asked.get('/me')).toBeUndefined()
  })
})

describe('a session of a connection', () => {
  test('opens this organization and nothing else of the person', async () => {
    const [env, elsewhere] = [await organization(), await organization()]
    const connection = await makeConnection(env, issuer)
    const account = makeAccount(issuer, connection.domain)
    // With a password in another organization.
    await makeMember(elsewhere, { email: account.email, role: 'admin' })
    const browser = newBrowser(h)
    const { body } = await browser.signIn(issuer, connection, account)
    expect(body.session).toMatchObject({ organization: { id: env.organizationId }, role: 'viewer' })
    const shown = (await browser.ask('GET', '/session/account')).body
    expect(shown.organizations.map(({ id }: { id: string }) => id)).toEqual([env.organizationId])
    const [own, ...others] = (await browser.ask('GET', '/session/sessions')).body.data
    expect([own.organization.id, others]).toEqual([env.organizationId, []])
    const { token } = await makeInvitation(await organization(), { email: account.email })
    for (const [method, to, sent] of [
      ['POST', '/session/organization', { organizationId: elsewhere.organizationId }],
      ['PATCH', '/session/account', { name: 'Eve' }],
      ['POST', '/session/join', { token }],
      ['PUT', '/session/account/password', { current: goodPassword, password: 'another long password' }],
      ['POST', '/session/account/two-factor', { password: goodPassword }],
    ] as const)
      expect(await browser.ask(method, to, sent), to).toMatchObject({
        status: 403,
        body: { code: 'connection_session' },
      })
    expect((await browser.ask('DELETE', '/session/sessions')).body.ended).toBe(0)
  })

  test('a password does not open where a connection made them a member', async () => {
    const [env, elsewhere] = [await organization(), await organization()]
    const connection = await makeConnection(env, issuer)
    const account = makeAccount(issuer, connection.domain)
    await newBrowser(h).signIn(issuer, connection, account)
    await makeMember(elsewhere, { email: account.email })
    const signIn = (organizationId?: string) =>
      h.send('POST', '/session', {
        body: { email: account.email, password: goodPassword, organizationId },
        headers: ofDashboard,
      })
    expect((await signIn()).body.organization.id).toBe(elsewhere.organizationId)
    expect(await signIn(env.organizationId)).toMatchObject({ status: 403, body: { code: 'password_not_allowed' } })
  })

  test('ends when the connection is switched off, deleted, or made one of another issuer', async () => {
    for (const end of [
      (env: Client, id: string) => env.patch(path(id), { active: false }),
      (env: Client, id: string) => env.delete(path(id)),
      (env: Client, id: string) => env.patch(path(id), { clientId: 'another' }),
    ]) {
      const env = await organization()
      const connection = await makeConnection(env, issuer)
      const browser = newBrowser(h)
      const { status } = await browser.signIn(issuer, connection, makeAccount(issuer, connection.domain))
      expect([status, (await browser.ask('GET', '/session')).status]).toEqual([200, 200])
      expect((await end(env, connection.id)).status).toBeLessThan(300)
      await expect.poll(async () => (await browser.ask('GET', '/session')).status, { timeout: 5_000 }).toBe(401)
    }
  })
})

describe('passwords: owners-only', () => {
  test('keeps out others who are signed in by one, who sign in, and who are invited', async () => {
    const env = await organization()
    const owner = await makeMember(env, { role: 'owner' })
    const ada = await makeMember(env, { role: 'admin' })
    const connection = await makeConnection(env, issuer, { joins: false, defaultRole: null })
    const { token } = await makeInvitation(env, { role: 'viewer' })
    expect((await env.patch('/v1/organization', { passwords: 'owners-only' })).status).toBe(200)
    const statusOf = async ({ headers }: { headers: Record<string, string> }) =>
      (await h.send('GET', '/session', { key: null, headers })).status
    await expect.poll(() => statusOf(ada), { timeout: 5_000 }).toBe(401)
    expect(await statusOf(owner)).toBe(200)
    const signIn = ({ email }: { email: string }) =>
      h.send('POST', '/session', { body: { email, password: goodPassword }, headers: ofDashboard })
    expect(await signIn(ada)).toMatchObject({ status: 403, body: { code: 'password_not_allowed' } })
    expect((await signIn(owner)).status).toBe(200)
    const accepted = await h.send('POST', '/session/accept', {
      body: { token, name: 'Eve', password: goodPassword },
      headers: ofDashboard,
    })
    expect(accepted).toMatchObject({ status: 403, body: { code: 'password_not_allowed' } })
    expect((await env.get('/v1/members/invitations')).body.data).toHaveLength(1)
    // By the connection they come in, as what they were.
    await env.patch(path(connection.id), { domains: ['example.com'] })
    issuer.accounts.set('ada', { email: ada.email, email_verified: true })
    const reply = await newBrowser(h).signIn(issuer, connection, { id: 'ada' })
    expect(reply.body.session, reply.text).toMatchObject({ role: 'admin', person: { id: ada.personId } })
  })
})

describe('owners', () => {
  test('with a password are let in only by a connection that may make owners', async () => {
    const env = await organization()
    const owner = await makeMember(env, { role: 'owner' })
    const connection = await makeConnection(env, issuer, { domains: ['example.com'] })
    issuer.accounts.set(owner.email, { email: owner.email, email_verified: true })
    const refused = await newBrowser(h).signIn(issuer, connection, { id: owner.email })
    expect(refused).toMatchObject({ status: 403, body: { code: 'connection_refused' } })
    expect(refused.body.message).toContain('makes no owners')
    await env.patch(path(connection.id), { defaultRole: 'owner' })
    const reply = await newBrowser(h).signIn(issuer, connection, { id: owner.email })
    expect(reply.body.session).toMatchObject({ role: 'owner' })
  })

  test('the last one stays one, whatever the groups say, and so does the way in', async () => {
    const env = await organization()
    const connection = await makeConnection(env, issuer, {
      scopes: ['email', 'profile', 'groups'],
      groupsClaim: 'groups',
      groupRoles: [{ group: 'bosses', role: 'owner' }],
      defaultRole: 'viewer',
    })
    const account = makeAccount(issuer, connection.domain, { groups: ['bosses'] })
    await newBrowser(h).signIn(issuer, connection, account)
    issuer.accounts.set(account.id, { ...issuer.accounts.get(account.id), groups: [] })
    const reply = await newBrowser(h).signIn(issuer, connection, account)
    expect(reply.body.session).toMatchObject({ role: 'owner' })
    for (const refused of [
      await env.delete(path(connection.id)),
      await env.patch(path(connection.id), { active: false }),
    ])
      expect(refused).toMatchObject({ status: 409, body: { code: 'last_way_in' } })
    await makeMember(env, { role: 'owner' })
    expect((await newBrowser(h).signIn(issuer, connection, account)).body.session).toMatchObject({ role: 'viewer' })
    expect((await env.delete(path(connection.id))).status).toBe(204)
  })
})

test('a connection is offered by the domain alone, and its secret is shown to nobody', async () => {
  const env = await organization()
  const connection = await makeConnection(env, issuer, { name: 'Corp' })
  const account = makeAccount(issuer, connection.domain)
  await newBrowser(h).signIn(issuer, connection, account)
  const offered = async (email: string) => (await newBrowser(h).ask('POST', '/session/connections', { email })).text
  expect(await offered(account.email)).toBe(await offered(`nobody@${connection.domain.toUpperCase()}`))
  expect(JSON.parse(await offered(account.email)).data).toEqual([
    {
      organizationId: env.organizationId,
      connectionId: connection.id,
      name: 'Corp',
      host: new URL(issuer.url).host,
    },
  ])
  for (const email of [`a@sub.${connection.domain}`, `a@${connection.domain}.evil.example`, connection.domain, '@'])
    expect(JSON.parse(await offered(email)).data, email).toEqual([])
  const { rows } = await sql<{ row: string }>`
    select c::text as row from sign_in_connection c where id = ${connection.id}
    union all select r::text from change_record r where organization_id = ${env.organizationId}`.execute(h.admin)
  const told = [...rows.map(({ row }) => row), (await env.get('/v1/organization/sign-in-connections')).text].join()
  expect(told).toContain(connection.domain)
  expect(told).not.toContain(issuer.clientSecret)
})
