import { describe, expect, test } from 'vitest'
import type { SessionRoute } from '../../src/http/define-route.ts'
import type { Fixture, Request } from '../fixture-makers.ts'
import type { Client, Harness, Reply } from '../harness.ts'
import { once } from './once.ts'
import { giveReach } from './reach.ts'
import { rowsOf } from './tenant-rows.ts'

type Subject = { route: SessionRoute; fixture: Fixture }
type Arranged = Request & { env: Client }
type Sent = { body?: unknown; raw?: string; headers?: Record<string, string> }

type Calls = {
  arrange(): Promise<Arranged>
  /** One arrangement for all tests whose calls are refused: they change nothing. */
  arrangedOnce(): Promise<Arranged>
  call(request: { path: string }, sent: Sent): Promise<Reply>
}

/** Routes of the dashboard's sign-in: they take no key, and only what comes from our own pages. */
export function sessionContract(h: Harness, subject: Subject): void {
  const { route, fixture } = subject
  const environment = async () => {
    const env = await h.environment()
    if (fixture.needsReach) await giveReach(h, env)
    return env
  }
  const arrange = async () => {
    const env = await environment()
    return { ...(await fixture.arrange(env, environment)), env }
  }
  const calls: Calls = {
    arrange,
    arrangedOnce: once(arrange),
    call: ({ path }, sent) => h.send(route.method, path, { ...sent, key: null }),
  }

  test('succeeds as its fixture says', async () => {
    const { body, headers = {}, ...request } = await arrange()
    const reply = await calls.call(request, { body, headers })
    expect(reply.status, reply.text).toBe(route.status)
    if (fixture.reply) expect(reply.body).toMatchObject(fixture.reply)
  })
  testOtherSites(h, subject, calls)
  describe.runIf(route.auth === 'session')('by a session alone', () => testSessions(h, subject, calls))
  testBodies(subject, calls)
}

function testOtherSites(h: Harness, { route }: Subject, { arrangedOnce, call }: Calls): void {
  test('403 from another site, and nothing happens', async () => {
    const { env, body, headers = {}, ...request } = await arrangedOnce()
    const before = await rowsOf(h, env)
    const { 'x-tidings-session': _ours, ...others } = headers
    const foreign: Record<string, string>[] = [{ ...headers, 'sec-fetch-site': 'cross-site' }]
    if (route.method !== 'GET') foreign.push(others, { ...headers, origin: 'https://evil.example' })
    for (const sent of foreign) {
      const reply = await call(request, { body, headers: sent })
      expect(reply, JSON.stringify(sent)).toMatchObject({ status: 403, body: { code: 'cross_site_refused' } })
      expect(reply.headers.get('set-cookie')).toBeNull()
    }
    expect(await rowsOf(h, env)).toEqual(before)
  })
}

function testSessions(h: Harness, { route, fixture }: Subject, { arrange, arrangedOnce, call }: Calls): void {
  test('without a cookie, with a spoilt one or with a key nobody is signed in, and nothing happens', async () => {
    const { env, body, headers = {}, ...request } = await arrangedOnce()
    const before = await rowsOf(h, env)
    const { cookie = '', ...others } = headers
    expect(cookie).toMatch(/^tidings_session=./)
    const key = { authorization: `ApiKey ${env.key}` }
    for (const sent of [{}, { cookie: `${cookie}x` }, { cookie: 'tidings_session=' }, key]) {
      const reply = await call(request, { body, headers: { ...others, ...sent } })
      expect(reply.status, JSON.stringify(sent)).toBe(fixture.withoutSession)
      expect(reply.text).not.toContain(env.environmentId)
    }
    expect(await rowsOf(h, env)).toEqual(before)
  })

  test("another environment's session does nothing to this one", async () => {
    const [{ env }, { body, headers = {}, ...stranger }] = [await arrangedOnce(), await arrange()]
    const before = await rowsOf(h, env)
    const reply = await call(stranger, { body, headers })
    expect(reply.status).toBe(route.status)
    expect(reply.text).not.toContain(env.environmentId)
    expect(await rowsOf(h, env)).toEqual(before)
  })
}

function testBodies({ route }: Subject, { arrangedOnce, call }: Calls): void {
  test.runIf(route.body)('422 for bodies that are no object, and for faulty ones', async () => {
    const { badBodies = [], headers = {}, ...request } = await arrangedOnce()
    expect(badBodies.length).toBeGreaterThan(0)
    for (const body of [[], 'text', 7, true, null, ...badBodies]) {
      expect((await call(request, { body, headers })).status, JSON.stringify(body)).toBe(422)
    }
    expect((await call(request, { headers })).status).toBe(422)
    expect((await call(request, { raw: '{"a":', headers })).body.code).toBe('malformed_json')
    expect((await call(request, { raw: '{"__proto__":{}}', headers })).body.code).toBe('refused_content')
  })
}
