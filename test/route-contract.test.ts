import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { loadRoutes } from '../src/http/load-routes.ts'
import { newApiKey } from '../src/lib/api-key.ts'
import { uuid7 } from '../src/lib/uuid7.ts'
import type { Fixture } from './fixture-makers.ts'
import { type Client, type Reply, useHarness } from './harness.ts'
import { fixtures } from './route-fixtures.ts'

/** What every route owes its callers, whatever it does. */
const h = useHarness({}, { worker: true })
const routes = await loadRoutes()

// system.test.ts fails for a route without a fixture; here there would be nothing to call.
const covered = routes.flatMap((route) =>
  fixtures[route.name] ? [{ route, fixture: fixtures[route.name] as Fixture }] : [],
)
const contracted = covered.filter(({ route }) => route.auth === 'key')
const open = covered.filter(({ route }) => route.auth !== 'key')

describe.each(contracted)('$route.name ($route.method $route.path)', ({ route, fixture }) => {
  const call = (env: Client, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    env.send(route.method, path, { body, headers })
  const arrange = async (env: Client) => {
    const request = await fixture.arrange(env)
    if (fixture.needsWaitingSteps) {
      await sql`update job set status = 'delayed' where environment_id = ${env.environmentId}`.execute(h.admin)
    }
    return request
  }
  const expectSuccess = (reply: Reply) => {
    expect(reply.status, reply.text).toBe(route.status)
    if (fixture.reply) expect(reply.body).toMatchObject(fixture.reply)
  }

  test('succeeds as its fixture says', async () => {
    const env = await h.environment()
    const { path, body } = await arrange(env)
    expectSuccess(await call(env, path, body))
  })

  test('401 without a key, with a malformed, a wrong, a misplaced and a revoked one', async () => {
    const env = await h.environment()
    const { path, body } = await arrange(env)
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
    const { path, body } = await arrange(owner)
    const before = await rowsOf(owner)
    for (const stranger of [await h.environment({ organizationId: owner.organizationId }), await h.environment()]) {
      const reply = await call(stranger, path, body)
      expect(reply.status).toBe(fixture.foreign === 'not found' ? 404 : route.status)
      expect(reply.text).not.toContain(owner.environmentId)
      if (fixture.foreignReply) expect(reply.body).toEqual(fixture.foreignReply)
    }
    expect(await rowsOf(owner)).toEqual(before)
  })

  test.runIf(route.body)('422 for bodies that are no object, and for faulty ones', async () => {
    const env = await h.environment()
    const { path, badBodies = [] } = await arrange(env)
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
      const { path, body } = await arrange(env)
      const first = await call(env, path, body, { 'idempotency-key': 'k' })
      expectSuccess(first)
      expect(first.headers.get('idempotency-replay')).toBeNull()
      const done = await rowsOf(env)
      const second = await call(env, path, body, { 'idempotency-key': 'k' })
      expect(second).toMatchObject({ status: first.status, text: first.text })
      expect(second.headers.get('idempotency-replay')).toBe('true')
      expect(await rowsOf(env)).toEqual(done)
    })

    test.runIf(route.body)('reused for another body: 422, and nothing is done', async () => {
      const env = await h.environment()
      const { path, body, otherBody } = await arrange(env)
      expectSuccess(await call(env, path, body, { 'idempotency-key': 'k' }))
      const done = await rowsOf(env)
      const reply = await call(env, path, otherBody, { 'idempotency-key': 'k' })
      expect(reply).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
      expect(reply.body.errors['idempotency-key'].messages).toHaveLength(1)
      expect(await rowsOf(env)).toEqual(done)
    })

    test('twenty at once: one execution, twenty equal replies', async () => {
      const env = await h.environment()
      const { path, body } = await arrange(env)
      const replies = await Promise.all(
        Array.from({ length: 20 }, () => call(env, path, body, { 'idempotency-key': 'k' })),
      )
      expect(new Set(replies.map((reply) => reply.text)).size).toBe(1)
      for (const reply of replies) expectSuccess(reply)
      expect(replies.filter((reply) => reply.headers.get('idempotency-replay') === null)).toHaveLength(1)
      const once = await h.environment()
      const same = await arrange(once)
      expectSuccess(await call(once, same.path, same.body))
      expect(await rowCounts(env)).toEqual(await rowCounts(once))
    })

    test('malformed: 400', async () => {
      const env = await h.environment()
      const { path, body } = await arrange(env)
      for (const key of ['', ' ', 'x'.repeat(256), 'white space']) {
        const reply = await call(env, path, body, { 'idempotency-key': key })
        expect(reply.body.code, key).toBe('invalid_idempotency_key')
      }
    })
  })
})

/** Their own tests say what makes a call a good one; this holds for all of them. */
describe.each(open)('$route.name ($route.method $route.path), without a key', ({ route, fixture }) => {
  const call = (path: string, sent: { body?: unknown; raw?: string; headers?: Record<string, string> }) =>
    h.send(route.method, path, { ...sent, key: null })

  test('succeeds as its fixture says, whoever asks', async () => {
    const { path, body, headers = {} } = await fixture.arrange(await h.environment())
    expect((await call(path, { body, headers })).status).toBe(route.status)
  })

  test('without its proof it is refused, a key of the environment is none, and nothing happens', async () => {
    const env = await h.environment()
    const { path, body } = await fixture.arrange(env)
    const before = await rowsOf(env)
    const [start, proof] = [path.slice(0, path.lastIndexOf('/') + 1), path.slice(path.lastIndexOf('/') + 1)]
    const other = route.auth === 'link' ? forged(proof) : uuid7(new Date())
    for (const headers of [{}, { authorization: `ApiKey ${env.key}` }]) {
      expect((await call(start + other, { body, headers })).status).toBe(404)
      if (route.auth === 'signature') expect((await call(path, { body, headers })).status).toBe(401)
    }
    for (const odd of ['%00', '..', 'sealed.t1.AAAA', 'x'.repeat(3_000), '%ff']) {
      const { status } = await call(start + odd, { body })
      expect([400, 404], odd).toContain(status)
    }
    expect(await rowsOf(env)).toEqual(before)
  })

  test.runIf(route.method === 'POST')('takes any kind of body, up to 1 MB', async () => {
    const { path, headers = {} } = await fixture.arrange(await h.environment())
    const types = ['application/json', 'application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data']
    for (const type of types) {
      for (const raw of ['{"a":', 'a=b&c=%ff', '\0', '[[[[', 'null', '[null]', '{"event-data":[]}']) {
        const { status } = await call(path, { raw, headers: { ...headers, 'content-type': type } })
        expect(status, `${type} ${raw}`).toBe(200)
      }
    }
    expect((await call(path, { raw: 'x'.repeat(1024 * 1024 + 1), headers })).status).toBe(413)
  })
})

/** One bit of the sealed text is another. */
function forged(token: string): string {
  const at = token.length - 6
  return token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
}

/** Every table that belongs to environments, as the catalogue says; not what was only claimed. */
async function tenantTables(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attname = 'environment_id' and c.relname <> 'idempotency'
    order by 1`.execute(h.admin)
  return rows.map((row) => row.name)
}

/** Everything an environment owns, for comparing before with after; what was begun in the background is finished first. */
async function rowsOf(env: Client): Promise<Record<string, unknown[]>> {
  await h.drain()
  const tables = (await tenantTables()).map(async (table) => {
    const { rows } = await sql<{ row: unknown }>`
      select to_jsonb(t) as row from ${sql.table(table)} t where environment_id = ${env.environmentId} order by 1`.execute(
      h.admin,
    )
    return [table, rows] as const
  })
  return Object.fromEntries(await Promise.all(tables))
}

async function rowCounts(env: Client): Promise<Record<string, number>> {
  return Object.fromEntries(Object.entries(await rowsOf(env)).map(([table, rows]) => [table, rows.length]))
}
