import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { type Client, useHarness } from '../../../test/harness.ts'
import { makeWorkflow, messagesBySubscriber } from '../../../test/pipeline.ts'

const h = useHarness({}, { worker: true })
const path = '/v1/events/trigger'

async function transactionsOf(env: Client): Promise<{ events: number; transactions: number }> {
  const { rows } = await sql<{ events: number; transactions: number }>`
    select count(*)::int as events, count(distinct xmin::text)::int as transactions from event
    where environment_id = ${env.environmentId}`.execute(h.admin)
  return rows[0] ?? { events: 0, transactions: 0 }
}

const many = <T>(count: number, make: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)))

/** Runs this whenever an event is written, or (deferred) whenever a transaction that wrote one commits. */
async function onEvent(when: 'insert' | 'commit', body: string): Promise<void> {
  await sql`create function planted() returns trigger language plpgsql as ${sql.lit(`begin ${body} return null; end`)}`.execute(
    h.admin,
  )
  const kind = when === 'commit' ? 'constraint trigger' : 'trigger'
  const deferred = when === 'commit' ? 'deferrable initially deferred' : ''
  await sql
    .raw(`create ${kind} planted after insert on event_key ${deferred} for each row execute function planted()`)
    .execute(h.admin)
}
afterEach(() => sql`drop function if exists planted cascade`.execute(h.admin))

describe('single triggers at the same time', () => {
  test('share transactions', async () => {
    const env = await h.environment()
    await makeWorkflow(env)
    const replies = await many(200, (n) => env.post(path, { name: 'hello', to: `p${n}` }))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]))
    const { events, transactions } = await transactionsOf(env)
    expect(events).toBe(200)
    expect(transactions).toBeLessThan(150)
  })

  test('have each their own result', async () => {
    const env = await h.environment()
    await makeWorkflow(env)
    await makeWorkflow(env, 'off', { active: false })
    const kinds = [
      { event: { name: 'hello', transactionId: undefined }, answer: [201, 'processed'] },
      { event: { name: 'missing' }, answer: [422, 'error'] },
      { event: { name: 'off' }, answer: [201, 'trigger_not_active'] },
      { event: { name: 'hello', to: [] }, answer: [201, 'invalid_recipients'] },
      { event: { name: 'hello', transactionId: 'same', payload: { a: 1 }, to: 'twin' }, answer: [201, 'processed'] },
    ]
    const answers = await many(200, async (n) => {
      const { event } = kinds[n % kinds.length] ?? kinds[0] ?? { event: {} }
      const reply = await env.post(path, { to: `p${n}`, ...event })
      return [reply.status, reply.body.status]
    })
    expect(answers).toEqual(answers.map((_, n) => kinds[n % kinds.length]?.answer))
    expect((await transactionsOf(env)).events).toBe(41)
    await h.drain()
    const counts = await messagesBySubscriber(env)
    expect(Object.keys(counts)).toHaveLength(41)
    expect(counts.twin).toBe(1)
  })

  test('small bulks share them, too; each has its own results, in order', async () => {
    const env = await h.environment()
    await makeWorkflow(env)
    const replies = await many(30, (n) =>
      env.post(`${path}/bulk`, {
        events: [
          { name: 'hello', to: `a${n}`, transactionId: `a${n}` },
          { name: 'missing', to: `b${n}` },
          { name: 'hello', to: `c${n}`, transactionId: `c${n}` },
        ],
      }),
    )
    for (const [n, { status, body }] of replies.entries()) {
      expect(status).toBe(201)
      expect(body.map((it: { status: string }) => it.status)).toEqual(['processed', 'error', 'processed'])
      expect([body[0].transactionId, body[2].transactionId]).toEqual([`a${n}`, `c${n}`])
    }
    const { events, transactions } = await transactionsOf(env)
    expect(events).toBe(60)
    expect(transactions).toBeLessThan(30)
  })

  test('a name that is none is the fault of its event', async () => {
    const env = await h.environment()
    await makeWorkflow(env)
    const odd = [{ toString: 1 }, 7, null, ['hello'], 'x'.repeat(20_000)]
    const events = [...odd.map((name) => ({ name, to: 'ada' })), { name: 'hello', to: 'ada' }, 'hello', null]
    const { status, body } = await env.post(`${path}/bulk`, { events })
    expect(status).toBe(201)
    const statuses = body.map((it: { status: string }) => it.status)
    expect(statuses).toEqual([...odd.map(() => 'error'), 'processed', 'error', 'error'])
  })

  test('one transactionId for two events: one of them is a conflict, also within one transaction', async () => {
    const env = await h.environment()
    await makeWorkflow(env)
    const replies = await many(40, (n) => env.post(path, { name: 'hello', to: `p${n}`, transactionId: 'mine' }))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(39)
  })

  test('what the database refuses is the fault of one; the others are accepted, once', async () => {
    const env = await h.environment()
    await makeWorkflow(env)
    await onEvent('insert', `if new.transaction_id like 'bad%' then raise exception 'refused'; end if;`)
    const replies = await many(60, (n) =>
      env.post(path, { name: 'hello', to: `p${n}`, transactionId: n % 20 === 7 ? `bad${n}` : `good${n}` }),
    )
    for (const [n, { status }] of replies.entries()) expect(status, String(n)).toBe(n % 20 === 7 ? 500 : 201)
    await h.drain()
    const counts = await messagesBySubscriber(env)
    expect(Object.values(counts)).toEqual(Array(57).fill(1))
  })

  test('nobody is answered before the commit', async () => {
    const env = await h.environment()
    await makeWorkflow(env)
    await onEvent('commit', 'perform pg_sleep(0.4);')
    const began = performance.now()
    const first = await env.post(path, { name: 'hello', to: 'ada' })
    expect(first.status).toBe(201)
    expect(performance.now() - began).toBeGreaterThan(390)
  })

  test('a commit that fails is not acknowledged, and leaves nothing', async () => {
    const env = await h.environment()
    await makeWorkflow(env)
    await onEvent('commit', `raise exception 'the disk is full' using errcode = '53100';`)
    const replies = await many(20, (n) => env.post(path, { name: 'hello', to: `p${n}` }))
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(503))
    expect((await transactionsOf(env)).events).toBe(0)
  })

  test('a payload that takes long to judge holds up nobody else', async () => {
    const env = await h.environment()
    await makeWorkflow(env)
    const payloadSchema = { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } }
    await makeWorkflow(env, 'hostile', { validatePayload: true, payloadSchema })
    const payload = { text: `${'a'.repeat(40)}!` }
    const hostile = many(3, (n) => env.post(path, { name: 'hostile', to: `h${n}`, payload }))
    const began = performance.now()
    const times = await many(50, async (n) => {
      const { status } = await env.post(path, { name: 'hello', to: `p${n}` })
      return { status, ms: performance.now() - began }
    })
    const answered = await hostile
    const hostileMs = performance.now() - began
    expect(times.map(({ status }) => status)).toEqual(Array(50).fill(201))
    expect(answered.map(({ status }) => status)).toEqual([422, 422, 422])
    expect(Math.max(...times.map(({ ms }) => ms))).toBeLessThan(hostileMs)
  })

  test('each with its own trace', async () => {
    const env = await h.environment()
    await makeWorkflow(env)
    const traceOf = (n: number) => `00-${String(n).padStart(32, '1')}-00f067aa0ba902b7-01`
    await many(20, (n) =>
      env.send('POST', path, {
        body: { name: 'hello', to: `p${n}`, transactionId: `t${n}` },
        headers: n % 2 ? { traceparent: traceOf(n) } : {},
      }),
    )
    const rows = await h.admin
      .selectFrom('event')
      .select(['transaction_id', 'trace'])
      .where('environment_id', '=', env.environmentId)
      .execute()
    expect(rows).toHaveLength(20)
    for (const { transaction_id, trace } of rows) {
      const n = Number(transaction_id.slice(1))
      expect(trace?.split('-')[1] ?? null).toBe(n % 2 ? traceOf(n).split('-')[1] : null)
    }
  })
})
