import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Client, type Reply, sender, underRowLevelSecurity, useHarness } from '../../../test/harness.ts'
import { issueApiKey } from '../../core/operations/bootstrap.ts'
import { makeSignInLink } from '../../core/operations/sign-in.ts'
import { apiKeyId } from '../../lib/api-key.ts'
import { sha256 } from '../../lib/seal.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import { revokeApiKey } from '../../store/access/api-keys.ts'

const h = useHarness()
const own = { 'x-tidings-session': '1' }

/** A second node, and one that is reached through a proxy. */
let elsewhere: typeof h.send
let behindProxy: typeof h.send
beforeAll(async () => {
  elsewhere = sender((await h.node()).url)
  behindProxy = sender((await h.node({ PUBLIC_URL: 'https://tidings.example.com/notify' })).url)
})

const signIn = (body: unknown, headers: Record<string, string> = {}, send = h.send) =>
  send('POST', '/session', { body, headers: { ...own, ...headers } })
const cookieOf = (reply: Reply) => reply.headers.get('set-cookie')?.split(';')[0] ?? ''
const signedIn = async (env: Client) => cookieOf(await signIn({ key: env.key }))
/** Waits until it is true, for 5 s at most. */
async function within5s(isTrue: () => Promise<boolean>): Promise<void> {
  for (const begun = performance.now(); !(await isTrue()); await sleep(100)) {
    expect(performance.now() - begun).toBeLessThan(5_000)
  }
}

describe('signing in with a key', () => {
  test('gives a cookie that scripts cannot read and other sites cannot send, and says where one is', async () => {
    const env = await h.environment()
    const reply = await signIn({ key: env.key })
    expect(reply.status).toBe(200)
    const looks = { slug: expect.any(String), color: '#64748b', type: 'dev', protected: false }
    const environment = { id: env.environmentId, name: 'test', ...looks }
    expect(reply.body).toEqual({
      environment,
      environments: [{ ...environment, mayPublish: false }],
      reach: 'environment',
      permissions: expect.arrayContaining(['read', 'content', 'keys']),
      // Row-level security hides the organization.
      organization: { id: env.organizationId, ...(!underRowLevelSecurity && { name: 'test' }) },
      signedInBy: 'key',
      keyId: apiKeyId(env.key),
      expiresAt: expect.any(String),
    })
    expect(Date.parse(reply.body.expiresAt) - Date.now()).toBeGreaterThan(11.9 * 3_600_000)
    const [cookie, ...flags] = reply.headers.get('set-cookie')?.split('; ') ?? []
    expect(cookie).toMatch(/^tidings_session=[\w.-]{100,}$/)
    expect(flags).toEqual(['Path=/', 'Max-Age=43200', 'HttpOnly', 'SameSite=Strict'])
    expect(reply.headers.get('cache-control')).toBe('no-store')
    expect(reply.text).not.toContain(cookie?.split('=')[1])
  })

  test('Secure as soon as the way to us is https', async () => {
    const env = await h.environment()
    const flags = (reply: Reply) => reply.headers.get('set-cookie')
    expect(flags(await signIn({ key: env.key }, { 'x-forwarded-proto': 'https' }))).toMatch(/; Secure$/)
    expect(flags(await signIn({ key: env.key }, {}, behindProxy))).toMatch(/; Secure$/)
  })

  test('the database holds the hash of the token only', async () => {
    const env = await h.environment()
    const token = (await signedIn(env)).split('=')[1] ?? ''
    const { rows } = await sql<{ row: string; hash: Buffer }>`
      select s::text as row, token_hash as hash from session s where environment_id = ${env.environmentId}`.execute(
      h.admin,
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.hash).toEqual(sha256(token))
    expect(rows[0]?.row).not.toContain(token.split('.')[2])
  })

  test('is refused for a wrong, a revoked and a malformed key, and for both or neither', async () => {
    const env = await h.environment()
    await sql`update api_key set revoked_at = now() where environment_id = ${env.environmentId}`.execute(h.admin)
    for (const key of [env.key, 'x', `${env.key}x`]) {
      const reply = await signIn({ key })
      expect(reply).toMatchObject({ status: 401, body: { code: 'sign_in_refused' } })
      expect(reply.headers.get('set-cookie')).toBeNull()
    }
    for (const body of [{}, { key: 'x', link: 'y' }, { key: 7 }, { link: '' }, []]) {
      expect((await signIn(body)).status, JSON.stringify(body)).toBe(422)
    }
  })

  test('who fails twenty times in a minute is asked to wait, whatever comes next', async () => {
    const env = await h.environment()
    const send = sender((await h.node()).url)
    for (let n = 0; n < 20; n++) expect((await signIn({ key: 'wrong' }, {}, send)).status).toBe(401)
    const reply = await signIn({ key: env.key }, {}, send)
    expect(reply).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await send('GET', '/v2/topics', { key: env.key })).status).toBe(200)
  })
})

describe('the cookie', () => {
  test('opens every route of its own environment and no other', async () => {
    const [env, other] = [await h.environment(), await h.environment()]
    await env.post('/v2/topics', { key: 'mine' })
    const list = async (cookie: string) => (await h.send('GET', '/v2/topics', { headers: { cookie } })).body.data
    expect(await list(await signedIn(env))).toHaveLength(1)
    expect(await list(`other=1; ${await signedIn(other)}; more=2`)).toEqual([])
    const headers = { ...own, cookie: await signedIn(env) }
    expect((await h.send('POST', '/v2/topics', { headers, body: { key: 'b' } })).status).toBe(200)
  })

  test('GET /session says who is signed in; without one, or with a spoilt one, nobody is', async () => {
    const env = await h.environment()
    const cookie = await signedIn(env)
    const other = await signedIn(await h.environment())
    expect((await h.send('GET', '/session', { headers: { cookie } })).body.environment.id).toBe(env.environmentId)
    const [, token = ''] = cookie.split('=')
    const [environment, id, secret] = token.split('.')
    const spoilt = [
      `${environment}.${id}.${'A'.repeat(43)}`,
      `${other.split('=')[1]?.split('.')[0]}.${id}.${secret}`,
      `${environment}.${uuid7(new Date()).replaceAll('-', '')}.${secret}`,
      `${token}x`,
      "' or 1=1",
      '',
    ]
    for (const text of spoilt) {
      for (const path of ['/session', '/v2/topics']) {
        const reply = await h.send('GET', path, { headers: { cookie: `tidings_session=${text}` } })
        expect(reply, text).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
      }
    }
    expect((await h.send('GET', '/session')).status).toBe(401)
  })

  test('a key that is sent beside it counts, the cookie does not', async () => {
    const [env, other] = [await h.environment(), await h.environment()]
    const cookie = await signedIn(env)
    await other.post('/v2/topics', { key: 'theirs' })
    expect((await other.get('/v2/topics', undefined, { cookie })).body.data).toHaveLength(1)
    expect((await h.send('GET', '/v2/topics', { headers: { cookie, authorization: 'ApiKey x' } })).status).toBe(401)
  })

  test('is dead after twelve hours', async () => {
    const env = await h.environment()
    const cookie = await signedIn(env)
    await sql`update session set expires_at = now() where environment_id = ${env.environmentId}`.execute(h.admin)
    expect((await elsewhere('GET', '/v2/topics', { headers: { cookie } })).status).toBe(401)
  })

  test('signed out: dead at once here and within 5 s on another node', async () => {
    const env = await h.environment()
    const cookie = await signedIn(env)
    const status = async (send: typeof h.send) => (await send('GET', '/v2/topics', { headers: { cookie } })).status
    expect([await status(h.send), await status(elsewhere)]).toEqual([200, 200])
    const reply = await h.send('DELETE', '/session', { headers: { ...own, cookie } })
    expect(reply.status).toBe(204)
    expect(reply.headers.get('set-cookie')).toMatch(/^tidings_session=; Path=\/; Max-Age=0; HttpOnly; SameSite=Strict$/)
    expect(await status(h.send)).toBe(401)
    await within5s(async () => (await status(elsewhere)) === 401)
    expect((await h.send('DELETE', '/session', { headers: { ...own, cookie } })).status).toBe(204)
  })

  test('its key is revoked: dead on both nodes within 5 s; the session of another key goes on', async () => {
    const env = await h.environment()
    const now = new Date()
    const spare = await issueApiKey(h.admin, { environmentId: env.environmentId, name: 'spare', cell: 'c1', now })
    const [cookie, other] = [await signedIn(env), cookieOf(await signIn({ key: spare }))]
    const nodes = [h.send, elsewhere]
    const statuses = (sent: string) =>
      Promise.all(nodes.map(async (send) => (await send('GET', '/v2/topics', { headers: { cookie: sent } })).status))
    expect(await statuses(cookie)).toEqual([200, 200])
    await revokeApiKey(h.admin, apiKeyId(env.key) ?? '', new Date())
    await within5s(async () => (await statuses(cookie)).every((status) => status === 401))
    expect(await statuses(other)).toEqual([200, 200])
  })
})

describe('a sign-in link', () => {
  test('opens one session, however many ask at once', async () => {
    const env = await h.environment()
    const link = await makeSignInLink(h.ctx, env.environmentId)
    const replies = await Promise.all(Array.from({ length: 8 }, () => signIn({ link }, {}, h.send)))
    const opened = replies.filter((reply) => reply.status === 200)
    expect(opened).toHaveLength(1)
    expect(opened[0]?.body).toMatchObject({ environment: { id: env.environmentId }, signedInBy: 'link' })
    expect(opened[0]?.body).not.toHaveProperty('keyId')
    for (const reply of replies.filter((it) => it.status !== 200)) expect(reply.body.code).toBe('sign_in_refused')
    const headers = { ...own, cookie: cookieOf(opened[0] as Reply) }
    expect((await h.send('POST', '/v2/topics', { headers, body: { key: 'a' } })).status).toBe(200)
  })

  test('is void after an hour, and so is a forged one or a session used as a link', async () => {
    const env = await h.environment()
    const link = await makeSignInLink(h.ctx, env.environmentId)
    const session = (await signedIn(env)).split('=')[1] ?? ''
    await sql`update sign_in_link set expires_at = now() - interval '1 second' where environment_id = ${env.environmentId}`.execute(
      h.admin,
    )
    for (const wrong of [link, session, `${link.slice(0, -43)}${'A'.repeat(43)}`]) {
      const reply = await signIn({ link: wrong })
      expect(reply.body.code, reply.text).toBe('sign_in_refused')
    }
    const cookie = `tidings_session=${await makeSignInLink(h.ctx, env.environmentId)}`
    expect((await h.send('GET', '/v2/topics', { headers: { cookie } })).status).toBe(401)
  })
})

describe('another site', () => {
  const host = () => new URL(h.url).host

  test('cannot write with the cookie: without our header, from another origin, or where the browser says so', async () => {
    const env = await h.environment()
    const cookie = await signedIn(env)
    const wrong: Record<string, string>[] = [
      {},
      { 'x-tidings-session': '0' },
      { ...own, 'sec-fetch-site': 'cross-site' },
      { ...own, 'sec-fetch-site': 'same-site' },
      { ...own, 'sec-fetch-site': 'none' },
      { ...own, origin: 'https://evil.example' },
      { ...own, origin: `http://${host()}.evil.example` },
      { ...own, origin: 'null' },
      { ...own, origin: '' },
    ]
    for (const headers of wrong) {
      for (const [method, path] of [
        ['POST', '/v2/topics'],
        ['DELETE', '/v2/topics/a'],
        ['PATCH', '/v2/topics/a'],
        ['PUT', '/v1/integrations/x'],
        ['DELETE', '/session'],
      ] as const) {
        const reply = await h.send(method, path, { headers: { ...headers, cookie }, body: { key: 'a' } })
        expect(reply, JSON.stringify(headers)).toMatchObject({ status: 403, body: { code: 'cross_site_refused' } })
      }
    }
    expect((await env.get('/v2/topics')).body.data).toEqual([])
    const right = { ...own, cookie, origin: `http://${host()}`, 'sec-fetch-site': 'same-origin' }
    expect((await h.send('POST', '/v2/topics', { headers: right, body: { key: 'a' } })).status).toBe(200)
  })

  test('behind a proxy our own origin is that of PUBLIC_URL', async () => {
    const env = await h.environment()
    const headers = { ...own, cookie: await signedIn(env) }
    const status = async (origin: string) =>
      (await behindProxy('POST', '/v2/topics', { headers: { ...headers, origin }, body: { key: 'a' } })).status
    expect(await status('https://tidings.example.com')).toBe(200)
    expect(await status('https://other.example.com')).toBe(403)
  })

  test('cannot read with the cookie, nor sign anybody in', async () => {
    const env = await h.environment()
    const cookie = await signedIn(env)
    for (const site of ['cross-site', 'same-site']) {
      for (const path of ['/v2/topics', '/session']) {
        const reply = await h.send('GET', path, { headers: { cookie, 'sec-fetch-site': site } })
        expect(reply.body.code).toBe('cross_site_refused')
      }
    }
    for (const site of ['same-origin', 'none']) {
      const reply = await h.send('GET', '/v2/topics', { headers: { cookie, 'sec-fetch-site': site } })
      expect(reply.status).toBe(200)
    }
    const foreign = await signIn({ key: env.key }, { origin: 'https://evil.example' })
    expect(foreign.body.code).toBe('cross_site_refused')
    expect((await h.send('POST', '/session', { body: { key: env.key } })).body.code).toBe('cross_site_refused')
  })

  test('calls with a key are no browser: none of this is asked of them', async () => {
    const env = await h.environment()
    const headers = { origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' }
    expect((await env.post('/v2/topics', { key: 'a' }, headers)).status).toBe(200)
  })
})

describe('POST /preview-frame', () => {
  const post = (html: string, headers: Record<string, string>) =>
    h.send('POST', '/preview-frame', {
      raw: `html=${html}`,
      headers: { 'content-type': 'text/plain', ...headers },
    })

  test('shows what a signed-in page sends under a policy that lets nothing run and nothing be fetched', async () => {
    const cookie = await signedIn(await h.environment())
    const html = '<p style="color:red">é</p><script>alert(1)</script>'
    const reply = await post(html, { cookie, 'sec-fetch-site': 'same-origin', origin: h.url })
    expect(reply).toMatchObject({ status: 200, text: html })
    expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = reply.headers.get('content-security-policy')?.split('; ')
    expect(policy).toEqual(expect.arrayContaining(['sandbox', "default-src 'none'", "frame-ancestors 'self'"]))
    expect(policy?.join()).not.toMatch(/script|allow|http/)
  })

  test('for nobody else: strangers could show their own pages under our address', async () => {
    const env = await h.environment()
    const cookie = await signedIn(env)
    expect((await post('x', {})).status).toBe(401)
    expect((await post('x', { authorization: `ApiKey ${env.key}` })).status).toBe(401)
    expect((await post('x', { cookie, origin: 'https://evil.example' })).status).toBe(403)
    expect((await post('x', { cookie, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  })
})
