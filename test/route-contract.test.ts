import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { loadRoutes } from '../src/http/load-routes.ts'
import { newApiKey } from '../src/lib/api-key.ts'
import { type Client, useHarness } from './harness.ts'
import { type Fixture, fixtures } from './route-fixtures.ts'

/** What every route owes its callers, whatever it does. */
const h = useHarness({}, { worker: true })
const routes = await loadRoutes()

// system.test.ts fails for a route without a fixture; here there would be nothing to call.
const contracted = routes.flatMap((route) =>
  fixtures[route.name] ? [{ route, fixture: fixtures[route.name] as Fixture }] : [],
)

describe.each(contracted)('$route.name ($route.method $route.path)', ({ route, fixture }) => {
  const call = (env: Client, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    env.send(route.method, path, { body, headers })

  test('succeeds as its fixture says', async () => {
    const env = await h.environment()
    const { path, body } = await fixture.arrange(env)
    expect((await call(env, path, body)).status).toBe(route.status)
  })

  test('401 without a key, with a malformed, a wrong, a misplaced and a revoked one', async () => {
    const env = await h.environment()
    const { path, body } = await fixture.arrange(env)
    const otherSecret = newApiKey('c1', new Date()).text.slice(-51)
    const headers = [
      {},
      { authorization: 'ApiKey ' },
      { authorization: `ApiKey ${env.key.slice(0, -1)}` },
      { authorization: `ApiKey ${env.key.slice(0, -51)}${otherSecret}` },
      { authorization: `ApiKey ${newApiKey('c1', new Date()).text}` },
      { authorization: `Bearer ${env.key}` },
      { authorization: `apikey ${env.key}` },
      { authorization: env.key },
      { 'x-api-key': env.key },
    ]
    for (const header of headers) {
      const reply = await h.send(route.method, path, { body, headers: header as Record<string, string>, key: null })
      expect(reply.status, JSON.stringify(header)).toBe(401)
    }
    const revoked = await h.environment()
    await sql`update api_key set revoked_at = now() where environment_id = ${revoked.environmentId}`.execute(h.admin)
    expect((await call(revoked, path, body)).status).toBe(401)
  })

  test("another environment's and another organization's ids are unknown, and nothing happens to them", async () => {
    const owner = await h.environment()
    const { path, body } = await fixture.arrange(owner)
    const before = await rowsOf(owner)
    for (const stranger of [await h.environment({ organizationId: owner.organizationId }), await h.environment()]) {
      const reply = await call(stranger, path, body)
      expect(reply.status).toBe(fixture.foreign === 'not found' ? 404 : route.status)
      expect(reply.text).not.toContain(owner.environmentId)
    }
    expect(await rowsOf(owner)).toEqual(before)
  })

  test.runIf(route.body)('422 for bodies that are no object, and for faulty ones', async () => {
    const env = await h.environment()
    const { path, badBodies = [] } = await fixture.arrange(env)
    expect(badBodies.length).toBeGreaterThan(0)
    for (const body of [[], 'text', 7, true, null, ...badBodies]) {
      const reply = await call(env, path, body)
      expect(reply.status, JSON.stringify(body)).toBe(422)
    }
    expect((await call(env, path)).status).toBe(422)
    expect((await env.send(route.method, path, { raw: '{"a":' })).body.code).toBe('malformed_json')
    expect((await env.send(route.method, path, { raw: '{"__proto__":{}}' })).body.code).toBe('refused_content')
  })

  describe.runIf(route.method !== 'GET')('idempotency-key', () => {
    test('sent twice: the same reply, and nothing is done twice', async () => {
      const env = await h.environment()
      const { path, body } = await fixture.arrange(env)
      const first = await call(env, path, body, { 'idempotency-key': 'k' })
      expect(first.status).toBe(route.status)
      expect(first.headers.get('idempotency-replay')).toBeNull()
      const done = await rowsOf(env)
      const second = await call(env, path, body, { 'idempotency-key': 'k' })
      expect(second).toMatchObject({ status: first.status, text: first.text })
      expect(second.headers.get('idempotency-replay')).toBe('true')
      expect(await rowsOf(env)).toEqual(done)
    })

    test.runIf(route.body)('reused for another body: 422, and nothing is done', async () => {
      const env = await h.environment()
      const { path, body, otherBody } = await fixture.arrange(env)
      await call(env, path, body, { 'idempotency-key': 'k' })
      const done = await rowsOf(env)
      const reply = await call(env, path, otherBody, { 'idempotency-key': 'k' })
      expect(reply).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
      expect(reply.body.errors['idempotency-key'].messages).toHaveLength(1)
      expect(await rowsOf(env)).toEqual(done)
    })

    test('twenty at once: one execution, twenty equal replies', async () => {
      const env = await h.environment()
      const { path, body } = await fixture.arrange(env)
      const replies = await Promise.all(
        Array.from({ length: 20 }, () => call(env, path, body, { 'idempotency-key': 'k' })),
      )
      expect(new Set(replies.map((reply) => reply.text)).size).toBe(1)
      expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([route.status]))
      expect(replies.filter((reply) => reply.headers.get('idempotency-replay') === null)).toHaveLength(1)
    })

    test('malformed: 400', async () => {
      const env = await h.environment()
      const { path, body } = await fixture.arrange(env)
      for (const key of ['', ' ', 'x'.repeat(256), 'white space']) {
        const reply = await call(env, path, body, { 'idempotency-key': key })
        expect(reply.body.code, key).toBe('invalid_idempotency_key')
      }
    })
  })
})

const tenantTables = [
  'subscriber',
  'subscriber_channel',
  'integration',
  'topic',
  'topic_subscription',
  'tenant',
  'workflow',
  'workflow_version',
]

/** Everything an environment owns, for comparing before with after. */
async function rowsOf(env: Client): Promise<unknown> {
  const tables = tenantTables.map(async (table) => {
    const { rows } = await sql<{ row: unknown }>`
      select to_jsonb(t) as row from ${sql.table(table)} t where environment_id = ${env.environmentId} order by 1`.execute(
      h.admin,
    )
    return rows
  })
  return Promise.all(tables)
}
