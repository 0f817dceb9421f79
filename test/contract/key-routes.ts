import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { KeyRoute } from '../../src/http/define-route.ts'
import type { Fixture, Request } from '../fixture-makers.ts'
import { type Client, type Harness, type Reply, underRowLevelSecurity } from '../harness.ts'
import { grantContract } from './grants.ts'
import { once } from './once.ts'
import { giveReach } from './reach.ts'
import type { Strangers } from './strangers.ts'
import { organizationRowsOf, rowCounts, rowsOf } from './tenant-rows.ts'
import { wrongKeys } from './wrong-keys.ts'

type Subject = { route: KeyRoute; fixture: Fixture; strangers: Strangers }
type Arranged = Request & { env: Client }
type Calls = {
  arrange(): Promise<Arranged>
  /** One arrangement for all tests whose calls are refused: they change nothing. */
  arrangedOnce(): Promise<Arranged>
  call(sent: { env: Client; path: string; body?: unknown }, headers?: Record<string, string>): Promise<Reply>
  expectSuccess(reply: Reply): void
}

/** Routes that are called with a key. */
export function keyContract(h: Harness, subject: Subject): void {
  const { route, fixture, strangers } = subject
  const arrange = async () => {
    const env = await h.environment({ organizationId: await strangers.organizationId() })
    if (fixture.needsReach) await giveReach(h, env)
    const request = await fixture.arrange(env, h.environment)
    if (fixture.needsWaitingSteps) {
      await sql`update job set status = 'delayed' where environment_id = ${env.environmentId}`.execute(h.admin)
    }
    return { ...request, env }
  }
  const calls: Calls = {
    arrange,
    arrangedOnce: once(arrange),
    call: ({ env, path, body }, headers = {}) => env.send(route.method, path, { body, headers }),
    expectSuccess(reply) {
      expect(reply.status, reply.text).toBe(fixture.withoutVendor ?? route.status)
      if (fixture.reply) expect(reply.body).toMatchObject(fixture.reply)
    },
  }
  // A GET changes nothing either.
  const succeeded = once(async () => {
    const arranged = await (route.method === 'GET' ? calls.arrangedOnce() : arrange())
    calls.expectSuccess(await calls.call(arranged))
    return arranged
  })

  test('succeeds as its fixture says', async () => {
    await succeeded()
  })
  testKeys(h, subject, calls)
  grantContract(h, { route, strangers }, calls.arrangedOnce)
  testTenancy(h, subject, calls)
  testOrganizations(h, subject, calls)
  testBodies(subject, calls)
  describe.runIf(route.method !== 'GET' && !fixture.withoutVendor)('idempotency-key', () => {
    testRepetitions(h, subject, calls)
    testConcurrency(h, calls, succeeded)
  })
}

function testKeys(h: Harness, { route, strangers }: Subject, { arrangedOnce, call }: Calls): void {
  test('401 without a key, with a malformed, a wrong, a misplaced and a revoked one', async () => {
    const { env, path, body } = await arrangedOnce()
    const refused = wrongKeys(env).map(async (headers) => {
      const reply = await h.send(route.method, path, { body, headers, key: null })
      expect(reply.status, JSON.stringify(headers)).toBe(401)
    })
    await Promise.all(refused)
    expect((await call({ env: await strangers.revoked(), path, body })).status).toBe(401)
  })
}

function testTenancy(h: Harness, { route, fixture, strangers }: Subject, { arrangedOnce, call }: Calls): void {
  const changesNothing = fixture.foreign === 'not found' || route.method === 'GET'

  test("another environment's and another organization's ids are unknown, and nothing happens to them", async () => {
    const { env: owner, path, body } = await arrangedOnce()
    const before = await rowsOf(h, owner)
    for (const env of await (changesNothing ? strangers.refused() : strangers.fresh())) {
      const isOfAnother = env.organizationId !== owner.organizationId
      const ofOrganization = isOfAnother ? await organizationRowsOf(h, owner.organizationId) : []
      const reply = await call({ env, path, body })
      expect(reply.status).toBe(fixture.foreignStatus ?? (fixture.foreign === 'not found' ? 404 : route.status))
      expect(reply.text).not.toContain(owner.environmentId)
      if (fixture.foreignReply) expect(reply.body).toMatchObject(fixture.foreignReply)
      if (isOfAnother) {
        expect(reply.text).not.toContain(owner.organizationId)
        expect(await organizationRowsOf(h, owner.organizationId)).toEqual(ofOrganization)
      }
    }
    expect(await rowsOf(h, owner)).toEqual(before)
  })
}

/** Others have no reach and are refused for that: a wall is only seen by whoever gets as far. */
function testOrganizations(h: Harness, { route, fixture }: Subject, { arrangedOnce, call }: Calls): void {
  test.runIf(fixture.needsReach)(
    "a key that reaches all of another organization knows nothing of this one's",
    async () => {
      const { env: owner, path, body } = await arrangedOnce()
      const stranger = await h.environment()
      await giveReach(h, stranger)
      const before = [await rowsOf(h, owner), await organizationRowsOf(h, owner.organizationId)]
      const reply = await call({ env: stranger, path, body })
      expect(reply.status, reply.text).toBe(fixture.foreign === 'not found' ? 404 : route.status)
      for (const id of [owner.environmentId, owner.organizationId]) expect(reply.text).not.toContain(id)
      expect([await rowsOf(h, owner), await organizationRowsOf(h, owner.organizationId)]).toEqual(before)
    },
  )
}

function testBodies({ route }: Subject, { arrangedOnce, call }: Calls): void {
  test.runIf(route.body && !underRowLevelSecurity)(
    '422 for bodies that are no object, and for faulty ones',
    async () => {
      const { env, path, badBodies = [] } = await arrangedOnce()
      expect(badBodies.length).toBeGreaterThan(0)
      for (const body of [[], 'text', 7, true, null, ...badBodies]) {
        const reply = await call({ env, path, body })
        expect(reply.status, JSON.stringify(body)).toBe(422)
      }
      expect((await call({ env, path })).status).toBe(422)
      expect((await env.send(route.method, path, { raw: '{"a":' })).body.code).toBe('malformed_json')
      expect((await env.send(route.method, path, { raw: '{"__proto__":{}}' })).body.code).toBe('refused_content')
    },
  )
}

const withKey = { 'idempotency-key': 'k' }

function testRepetitions(h: Harness, { route }: Subject, { arrange, arrangedOnce, call, expectSuccess }: Calls): void {
  const executed = once(async () => {
    const arranged = await arrange()
    const first = await call(arranged, withKey)
    expectSuccess(first)
    return { ...arranged, first, rows: await rowsOf(h, arranged.env) }
  })

  test('sent twice: the same reply, and nothing is done twice', async () => {
    const { first, rows, ...sent } = await executed()
    expect(first.headers.get('idempotency-replay')).toBeNull()
    const second = await call(sent, withKey)
    expect(second).toMatchObject({ status: first.status, text: first.text })
    expect(second.headers.get('idempotency-replay')).toBe('true')
    expect(await rowsOf(h, sent.env)).toEqual(rows)
  })

  test.runIf(route.body)('reused for another body: 422, and nothing is done', async () => {
    const { rows, otherBody, ...sent } = await executed()
    const reply = await call({ ...sent, body: otherBody }, withKey)
    expect(reply).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
    expect(reply.body.errors['idempotency-key'].messages).toHaveLength(1)
    expect(await rowsOf(h, sent.env)).toEqual(rows)
  })

  test('malformed: 400', async () => {
    const sent = await arrangedOnce()
    for (const key of ['', ' ', 'x'.repeat(256), 'white space']) {
      const reply = await call(sent, { 'idempotency-key': key })
      expect(reply.body.code, key).toBe('invalid_idempotency_key')
    }
  })
}

function testConcurrency(h: Harness, calls: Calls, succeeded: () => Promise<Arranged>): void {
  const { arrange, call, expectSuccess } = calls

  // Who is first does not depend on row-level security, and under it these would take as long as all the others.
  test.skipIf(underRowLevelSecurity)('twenty at once: one execution, twenty equal replies', async () => {
    const sent = await arrange()
    const replies = await Promise.all(Array.from({ length: 20 }, () => call(sent, withKey)))
    expect(new Set(replies.map((reply) => reply.text)).size).toBe(1)
    for (const reply of replies) expectSuccess(reply)
    expect(replies.filter((reply) => reply.headers.get('idempotency-replay') === null)).toHaveLength(1)
    const once = await succeeded()
    expect(await rowCounts(h, sent.env)).toEqual(await rowCounts(h, once.env))
  })
}
