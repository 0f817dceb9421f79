import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { giveReach } from '../../../test/contract/reach.ts'
import { type Client, type Reply, useHarness } from '../../../test/harness.ts'
import { allowing } from '../../../test/outside.ts'
import { type Bend, hs256, startIssuer, unsigned } from '../../../test/peers/issuer.ts'
import {
  type Connection,
  makeAccount,
  makeConnection,
  newBrowser,
  ourAddress,
  redirectUri,
} from '../../../test/people/connections.ts'
import { makeMember } from '../../../test/people/people.ts'

const [issuer, other] = [
  await startIssuer({ redirectUris: [redirectUri] }),
  await startIssuer({ redirectUris: [redirectUri] }),
]
const h = useHarness({ PUBLIC_URL: ourAddress, ...allowing(issuer.port, other.port) })
afterAll(() => Promise.all([issuer.close(), other.close()]))
afterEach(() => {
  issuer.bend = null
  issuer.answers.clear()
  issuer.asked.clear()
  other.asked.clear()
})

async function organization(): Promise<Client> {
  const env = await h.environment()
  await giveReach(h, env)
  return env
}

async function world(given = {}) {
  const env = await organization()
  const connection = await makeConnection(env, issuer, given)
  return { env, connection, account: makeAccount(issuer, connection.domain) }
}

/** Nobody is signed in, and nobody became a member. */
async function expectRefused(env: Client, reply: Reply, [status, code]: [number, string], words = /./): Promise<void> {
  expect(reply, reply.text).toMatchObject({ status, body: { code, message: expect.stringMatching(words) } })
  expect(reply.headers.getSetCookie().filter((it) => it.startsWith('tidings_session='))).toEqual([])
  expect((await env.get('/v1/members')).body.data).toEqual([])
}

describe('what comes back', () => {
  test('works once: neither the callback nor its code is good a second time', async () => {
    const { connection, account } = await world()
    const browser = newBrowser(h)
    const begun = await browser.begin(connection)
    const kept = browser.cookies.get('tidings_sign_in') ?? ''
    const returned = await issuer.visit(begun.body.url, account.id)
    expect((await browser.finish(returned)).status).toBe(200)
    browser.cookies.set('tidings_sign_in', kept)
    expect(await browser.finish(returned)).toMatchObject({ status: 401, body: { code: 'flow_refused' } })
    // The code in another flow, whose state is good.
    const again = await browser.begin(connection)
    const state = new URL(again.body.url).searchParams.get('state') ?? ''
    returned.searchParams.set('state', state)
    expect(await browser.finish(returned)).toMatchObject({ status: 401, body: { code: 'issuer_refused' } })
    expect(issuer.asked.get('/token')).toBe(2)
  })

  test('of all who bring it at once, one is let in', async () => {
    const { connection, account } = await world()
    const browser = newBrowser(h)
    const returned = await issuer.visit((await browser.begin(connection)).body.url, account.id)
    const replies = await Promise.all(Array.from({ length: 6 }, () => browser.finish(returned)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(issuer.asked.get('/token')).toBe(1)
  })

  test('works only in the browser that began: nobody is signed in as somebody else (login CSRF)', async () => {
    const { env, connection, account } = await world()
    const [attacker, victim] = [newBrowser(h), newBrowser(h)]
    const returned = await issuer.visit((await attacker.begin(connection)).body.url, account.id)
    await expectRefused(env, await victim.finish(returned), [401, 'flow_refused'])
    // Not even where the victim has begun something of their own.
    await victim.begin(connection)
    await expectRefused(env, await victim.finish(returned), [401, 'flow_refused'])
    expect(issuer.asked.get('/token')).toBeUndefined()
    expect((await attacker.finish(returned)).status).toBe(200)
  })

  test('after ten minutes, without a state, with two or a forged one opens nothing', async () => {
    const { env, connection, account } = await world()
    const browser = newBrowser(h)
    const returned = await issuer.visit((await browser.begin(connection)).body.url, account.id)
    const state = returned.searchParams.get('state') ?? ''
    const bent = (change: (query: URLSearchParams) => void) => {
      const url = new URL(returned)
      change(url.searchParams)
      return url
    }
    for (const url of [
      bent((query) => query.delete('state')),
      bent((query) => query.append('state', state)),
      bent((query) => query.set('state', `${state.slice(0, -2)}xx`)),
      bent((query) => query.set('state', 'x')),
    ])
      await expectRefused(env, await browser.finish(url), [401, 'flow_refused'])
    await sql`update sign_in_flow set expires_at = now()`.execute(h.admin)
    await expectRefused(env, await browser.finish(returned), [401, 'flow_refused'])
  })

  test('the session is a new one, and the one before is over (fixation)', async () => {
    const { env, connection, account } = await world()
    const before = await makeMember(await organization())
    const fixed = (before.headers.cookie ?? '').split('=')[1] ?? ''
    const browser = newBrowser(h)
    browser.cookies.set('tidings_session', fixed)
    const reply = await browser.signIn(issuer, connection, account)
    expect(reply.body.session.organization.id).toBe(env.organizationId)
    expect(browser.cookies.get('tidings_session')).not.toBe(fixed)
    expect((await h.send('GET', '/session', { key: null, headers: before.headers })).status).toBe(401)
    expect(reply.headers.getSetCookie().join()).toMatch(
      /tidings_session=[^;]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict; Secure/,
    )
  })
})

describe('mixed-up issuers', () => {
  async function two() {
    const env = await organization()
    const [ours, evil] = [await makeConnection(env, issuer), await makeConnection(env, other)]
    return { env, ours, evil, account: makeAccount(issuer, ours.domain) }
  }
  const stateOf = ({ body }: Reply) => new URL(body.url).searchParams.get('state') ?? ''

  test('a code of one in a flow of the other is sent nowhere: the issuer names itself', async () => {
    const { env, ours, evil, account } = await two()
    const [browser, begun] = [newBrowser(h), newBrowser(h)]
    const returned = await issuer.visit((await begun.begin(ours)).body.url, account.id)
    returned.searchParams.set('state', stateOf(await browser.begin(evil)))
    await expectRefused(env, await browser.finish(returned), [400, 'issuer_failed'])
    expect([other.asked.get('/token'), issuer.asked.get('/token')]).toEqual([undefined, undefined])
  })

  test('a wrong or a missing name of an issuer that promises one is refused', async () => {
    const { env, ours, account } = await two()
    for (const iss of [other.url, `${issuer.url}/`, null]) {
      const browser = newBrowser(h)
      const returned = await issuer.visit((await browser.begin(ours)).body.url, account.id)
      if (iss === null) returned.searchParams.delete('iss')
      else returned.searchParams.set('iss', iss)
      await expectRefused(env, await browser.finish(returned), [400, 'issuer_failed'])
      expect(issuer.asked.get('/token')).toBeUndefined()
    }
  })

  test('the same subject at two issuers is two people', async () => {
    const { ours, evil, account } = await two()
    await newBrowser(h).signIn(issuer, ours, account)
    other.accounts.set(account.id, { email: account.email, email_verified: true })
    expect((await newBrowser(h).signIn(other, evil, account)).body.message).toContain('does not vouch for addresses of')
    other.accounts.set(account.id, { email: `eve@${evil.domain}`, email_verified: true })
    const reply = await newBrowser(h).signIn(other, evil, account)
    expect(reply.body.session.person.email).toBe(`eve@${evil.domain}`)
  })
})

describe('the ID token', () => {
  const bends: [string, Bend, RegExp][] = [
    ['of another key', (token, { rs256, otherKey }) => rs256(token, otherKey), /sent back was not good/],
    [
      'of a key that the issuer does not list',
      ({ header, claims }, { rs256, otherKey }) => rs256({ header: { ...header, kid: 'other' }, claims }, otherKey),
      /a key that it does not have/,
    ],
    ['that nobody signed (alg none)', unsigned, /sent back was not good/],
    ['signed by the secret of the client', (token) => hs256(token, issuer.clientSecret), /sent back was not good/],
    ['with another nonce', changed({ nonce: 'another' }), /made for somebody else/],
    ['without a nonce', changed({ nonce: undefined }), /sent back was not good/],
    ['for another client', changed({ aud: 'another' }), /made for somebody else/],
    ['of another issuer', changed({ iss: other.url }), /made for somebody else|another name/],
    ['that has expired', changed({ iat: at(-7_200), exp: at(-3_600) }), /from another time/],
    [
      'from a clock that is an hour ahead',
      changed({ iat: at(3_600), nbf: at(3_600), exp: at(7_200) }),
      /from another time/,
    ],
    ['without a subject', changed({ sub: undefined }), /sent back was not good/],
  ]

  test.each(bends)('%s lets nobody in', async (_name, bend, words) => {
    const { env, connection, account } = await world()
    issuer.bend = bend
    await expectRefused(env, await newBrowser(h).signIn(issuer, connection, account), [400, 'issuer_failed'], words)
  })

  test('of a clock that is half a minute off is good', async () => {
    const { connection, account } = await world()
    issuer.bend = changed({ iat: at(30), nbf: at(30) })
    expect((await newBrowser(h).signIn(issuer, connection, account)).status).toBe(200)
  })

  test('and what is answered about a person must be about the same one', async () => {
    const { env, connection, account } = await world()
    issuer.answers.set('/me', {
      status: 200,
      body: JSON.stringify({ sub: 'somebody else', email: `boss@${connection.domain}`, email_verified: true }),
    })
    await expectRefused(env, await newBrowser(h).signIn(issuer, connection, account), [400, 'issuer_failed'])
  })
})

function at(seconds: number): number {
  return Math.floor(Date.now() / 1000) + seconds
}

function changed(claims: Record<string, unknown>): Bend {
  return (token, { rs256 }) => rs256({ header: token.header, claims: { ...token.claims, ...claims } })
}

describe('an address', () => {
  const signInAs = async ({ connection, given }: { connection: Connection; given: object }) => {
    const account = makeAccount(issuer, connection.domain, given)
    return { account, reply: await newBrowser(h).signIn(issuer, connection, account) }
  }
  const refusal: [number, string] = [403, 'connection_refused']

  test('that the issuer has not checked counts for nothing, unless whoever runs it is trusted', async () => {
    const { env, connection } = await world()
    for (const email_verified of [false, undefined])
      await expectRefused(
        env,
        (await signInAs({ connection, given: { email_verified } })).reply,
        refusal,
        /not checked/,
      )
    await env.patch(`/v1/organization/sign-in-connections/${connection.id}`, { trustsEmail: true })
    expect((await signInAs({ connection, given: { email_verified: false } })).reply.status).toBe(200)
  })

  test('of another domain is not let in, however it is written', async () => {
    const { env, connection } = await world()
    const { domain } = connection
    for (const email of [
      'ada@elsewhere.example.com',
      `ada@sub.${domain}`,
      `ada@x${domain}`,
      `ada@${domain}.evil.example`,
      `"ada@elsewhere.example.com"@${domain}`,
      `ada@elsewhere.example.com@${domain}`,
      `ada@elsewhere.example.com,@${domain}`,
      `ada\u0000@${domain}`,
      `İ@${domain}`,
      domain,
      '',
    ])
      await expectRefused(env, (await signInAs({ connection, given: { email } })).reply, refusal)
    const { reply } = await signInAs({ connection, given: { email: `Ada@${domain.toUpperCase()}` } })
    expect(reply.body.session.person.email).toBe(`ada@${domain}`)
  })

  test('that another account at the issuer had before opens nothing', async () => {
    const { connection, account } = await world()
    await newBrowser(h).signIn(issuer, connection, account)
    const { reply } = await signInAs({ connection, given: { email: account.email } })
    expect(reply).toMatchObject({ status: 403, body: { message: expect.stringContaining('another account') } })
  })

  test('takes nobody over who is known elsewhere: not their name, not what is theirs there', async () => {
    const elsewhere = await organization()
    const ada = await makeMember(elsewhere, { role: 'owner' })
    const env = await organization()
    const connection = await makeConnection(env, issuer, { domains: ['example.com'], defaultRole: 'owner' })
    const { reply } = await signInAs({ connection, given: { email: ada.email, name: 'Eve' } })
    expect(reply.body.session).toMatchObject({ organization: { id: env.organizationId }, person: { name: ada.name } })
    expect((await elsewhere.get('/v1/members')).body.data).toMatchObject([{ name: ada.name, role: 'owner' }])
    const foreign = { 'tidings-environment': elsewhere.environmentId }
    const cookie = `tidings_session=${
      reply.headers
        .getSetCookie()
        .join()
        .match(/tidings_session=([^;]+)/)?.[1]
    }`
    const asked = await h.send('GET', '/v1/organization', { key: null, headers: { cookie, ...foreign } })
    expect(asked.status).toBeGreaterThanOrEqual(400)
  })
})

describe('afterwards one goes on', () => {
  test.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/..//evil.example',
    'javascript:alert(1)',
    'evil',
    '/a\nb',
    '/%0a\\x',
  ])('never to %j', async (next) => {
    const { connection, account } = await world()
    expect((await newBrowser(h).signIn(issuer, connection, account, next)).body.next).toBeNull()
  })
})

describe('an issuer that fails is told in a sentence:', () => {
  const metadata = '/.well-known/openid-configuration'
  const bodies: [string, Parameters<typeof issuer.answers.set>, RegExp][] = [
    ['refuses to describe itself', [metadata, { status: 503, body: '{}' }], /it refused/],
    ['describes itself in no JSON', [metadata, { status: 200, body: '<html>' }], /description .* could not be read/],
    ['calls itself otherwise', [metadata, { status: 200, body: '{"issuer":"https://evil.example"}' }], /another name/],
    [
      'is one of many tenants',
      [metadata, { status: 200, body: '{"issuer":"https://login.example.com/{tenantid}/v2.0"}' }],
      /another name/,
    ],
  ]

  test.each(bodies)('it %s', async (_name, [path, answer], words) => {
    const { env, connection } = await world()
    issuer.answers.set(path, answer)
    await expectRefused(env, await newBrowser(h).begin(connection), [400, 'issuer_failed'], words)
  })

  test('its page to sign in is no page', async () => {
    const { env, connection } = await world()
    const told = await (await fetch(`${issuer.url}${metadata}`)).json()
    const body = JSON.stringify({ ...Object(told), authorization_endpoint: 'javascript:alert(1)' })
    issuer.answers.set(metadata, { status: 200, body })
    await expectRefused(env, await newBrowser(h).begin(connection), [400, 'issuer_failed'], /no page to sign in/)
  })

  test('it sends us to a place where we do not go', async () => {
    const { env, connection, account } = await world()
    const told = await (await fetch(`${issuer.url}${metadata}`)).json()
    for (const token_endpoint of [
      'http://169.254.169.254/token',
      'http://10.0.0.1/token',
      `http://127.0.0.1:1/token`,
    ]) {
      const browser = newBrowser(h)
      const returned = await issuer.visit((await browser.begin(connection)).body.url, account.id)
      issuer.answers.set(metadata, { status: 200, body: JSON.stringify({ ...Object(told), token_endpoint }) })
      await expectRefused(env, await browser.finish(returned), [400, 'issuer_failed'])
      issuer.answers.clear()
    }
  })

  test('it knows another secret, has no keys, or breaks off', async () => {
    const { env, connection, account } = await world()
    await env.patch(`/v1/organization/sign-in-connections/${connection.id}`, { clientSecret: 'not this one' })
    const wrong = await newBrowser(h).signIn(issuer, connection, account)
    await expectRefused(env, wrong, [400, 'issuer_failed'], /client id and secret/)
    await env.patch(`/v1/organization/sign-in-connections/${connection.id}`, { clientSecret: issuer.clientSecret })
    for (const [path, body] of [
      ['/jwks', '{"keys":[]}'],
      ['/jwks', 'x'],
      ['/token', 'x'],
      ['/me', 'x'],
    ] as const) {
      issuer.answers.set(path, { status: 200, body })
      await expectRefused(env, await newBrowser(h).signIn(issuer, connection, account), [400, 'issuer_failed'])
      issuer.answers.clear()
    }
  })

  test('it says nothing for eight seconds', { timeout: 20_000 }, async () => {
    const { env, connection } = await world()
    issuer.answers.set(metadata, 'hang')
    const begun = performance.now()
    await expectRefused(env, await newBrowser(h).begin(connection), [400, 'issuer_failed'])
    expect(performance.now() - begun).toBeLessThan(12_000)
  })

  test('the person says no there', async () => {
    const { env, connection } = await world()
    const browser = newBrowser(h)
    const state = new URL((await browser.begin(connection)).body.url).searchParams.get('state') ?? ''
    const query = new URLSearchParams({ error: 'access_denied', state, iss: issuer.url })
    await expectRefused(env, await browser.finish(new URL(`${redirectUri}?${query}`)), [401, 'issuer_refused'])
  })
})

test('what is begun again and again has to wait', async () => {
  const { connection } = await world()
  const browser = newBrowser(h)
  const statuses: number[] = []
  for (let n = 0; n < 201; n++) statuses.push((await browser.begin({ ...connection, id: 'x' })).status)
  expect(statuses.at(-1)).toBe(429)
})
