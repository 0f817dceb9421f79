import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { seededRandom } from '../../../chaos/lib/random.ts'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { allowing, makeIntegration } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { makeWorkflow } from '../../../test/pipeline.ts'
import { findLosses } from '../../commands/conserve.ts'

// Trouble around the calls to a provider that knows no keys: each message is sent once, or says that it is in doubt.
const gateway = await startHttpReceiver()
const h = useHarness(allowing(gateway.port), { worker: true })
const seed = Number(process.env.HOSTILE_SEED ?? Math.floor(Math.random() * 2 ** 31))
beforeEach(() => {
  gateway.requests.length = 0
  gateway.answer = { json: { id: 'x' }, delayMs: 10 }
})
afterEach(() => sql`drop function if exists planted cascade`.execute(h.admin))

async function arrange(more: object = {}): Promise<Client> {
  const env = await h.environment()
  const steps = [{ name: 'Text', type: 'sms', controlValues: { body: '{{payload.n}} {{subscriber.subscriberId}}' } }]
  await makeWorkflow(env, 'hello', { steps })
  const credentials = { baseUrl: gateway.url, apiKeyRequestHeader: 'x-api-key', apiKey: 'key-key', from: '4711' }
  await makeIntegration(env, { providerId: 'generic-sms', channel: 'sms', credentials, ...more })
  return env
}
const person = (n: number) => ({ subscriberId: `p${n}`, phone: `+49301000${100 + n}` })

async function rowsOf(env: Client): Promise<Json[]> {
  const { rows } = await sql<Json>`
    select s.subscriber_id as who, m.delivery, m.error_id, m.attempts, m.in_flight, j.status as job,
      (select count(*)::int from attempt a where a.environment_id = m.environment_id and a.message_id = m.id) as tries,
      (select string_agg(coalesce(a.outcome, 'open') || ' ' || coalesce(a.reason, ''), ',') from attempt a
        where a.environment_id = m.environment_id and a.message_id = m.id) as outcomes
    from message m join job j on j.environment_id = m.environment_id and j.id = m.job_id
    left join subscriber s on s.environment_id = m.environment_id and s.id = m.subscriber_id
    where m.environment_id = ${env.environmentId}`.execute(h.admin)
  return rows
}
const callsByText = () => {
  const counts = new Map<string, number>()
  for (const { json } of gateway.requests) {
    const text = (json as { content: string }).content
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return counts
}

/** Each was called once; more often, or not at all, only where the message says so. */
async function judge(env: Client, count: number): Promise<void> {
  const rows = await rowsOf(env)
  const calls = callsByText()
  const doubles = [...calls].filter(([, n]) => n > 1)
  expect(rows).toHaveLength(count)
  expect(rows.filter((row) => row.delivery === 'open' || row.in_flight || row.job === 'queued')).toEqual([])
  for (const [text, n] of doubles) {
    const row = rows.find((it) => text.endsWith(` ${it.who}`))
    expect(row?.outcomes, `${text} was sent ${n} times`).toMatch(/unknown/)
  }
  for (const row of rows.filter((it) => it.delivery === 'sent')) {
    const n = [...calls].filter(([text]) => text.endsWith(` ${row.who}`)).length
    expect(n, `${row.who} is said to be sent`).toBe(1)
  }
  expect((await findLosses(h.ctx)).filter((it) => it.environmentId === env.environmentId)).toEqual([])
}

async function triggerAll(env: Client, count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count / 10 }, (_, part) => {
      const events = Array.from({ length: 10 }, (_, n) => ({
        name: 'hello',
        to: [person(part * 10 + n)],
        payload: { n: 1 },
      }))
      return env.post('/v1/events/trigger/bulk', { events }).then(({ status }) => expect(status).toBe(201))
    }),
  )
}

test('an intent is committed before its call', async () => {
  const env = await arrange()
  const early: string[] = []
  gateway.answer = async () => {
    // Another connection sees only what is committed.
    const { rows } = await sql<{ begun: number }>`select count(*)::int as begun from attempt
      where environment_id = ${env.environmentId}`.execute(h.admin)
    if ((rows[0]?.begun ?? 0) < gateway.requests.length) early.push(`${rows[0]?.begun} of ${gateway.requests.length}`)
    return { json: { id: 'x' } }
  }
  await triggerAll(env, 100)
  await h.settled()
  expect(early).toEqual([])
  await judge(env, 100)
})

test.each([
  ['attempt', 'insert', '40001'],
  ['attempt', 'update', '40P01'],
  ['message', 'update', '40001'],
  ['job', 'update', '40001'],
])('the database refuses now and then at %s, %s, with %s', async (table, verb, code) => {
  const env = await arrange()
  await sql
    .raw(
      `create function planted() returns trigger language plpgsql as $$ begin
        if random() < 0.01 then raise exception 'again' using errcode = '${code}'; end if;
        if random() < 0.02 then perform pg_sleep(0.02); end if; return null; end $$`,
    )
    .execute(h.admin)
  await sql
    .raw(
      `create constraint trigger planted after ${verb} on ${table} deferrable initially deferred for each row execute function planted()`,
    )
    .execute(h.admin)
  await triggerAll(env, 100)
  await h.settled()
  await judge(env, 100)
})

test('connections that end while messages are sent', async () => {
  const env = await arrange()
  const random = seededRandom(seed)
  gateway.answer = () => ({ json: { id: 'x' }, delayMs: random.integer(0, 60) })
  let isOver = false
  const killer = (async () => {
    while (!isOver) {
      await sleep(random.integer(20, 150))
      await sql`
        select count(pg_terminate_backend(pid))::int as n from (select pid from pg_stat_activity
          where datname = current_database() and application_name = 'tidings' and pid <> pg_backend_pid()
            and state <> 'idle' and random() < 0.5) a`
        .execute(h.admin)
        .catch(() => {})
    }
  })()
  const events = Array.from({ length: 100 }, (_, n) => ({
    name: 'hello',
    to: [person(n)],
    transactionId: `t${n}`,
    payload: { n: 1 },
  }))
  for (let turn = 0; ; turn++) {
    const { status } = await env.post('/v1/events/trigger/bulk', { events })
    if (status === 201) break
    expect(status).toBe(503)
    expect(turn).toBeLessThan(50)
  }
  await expect.poll(() => gateway.requests.length, { timeout: 20_000 }).toBeGreaterThan(80)
  isOver = true
  await killer
  await h.settled()
  await judge(env, 100)
})

test('canceled while they are sent: what is called is said to be sent or in doubt, the rest is canceled', async () => {
  const env = await arrange()
  gateway.answer = () => ({ json: { id: 'x' }, delayMs: 30 })
  const random = seededRandom(seed + 1)
  await Promise.all(
    Array.from({ length: 60 }, async (_, n) => {
      await sleep(random.integer(0, 300))
      await env.post('/v1/events/trigger', {
        name: 'hello',
        to: [person(n)],
        transactionId: `t${n}`,
        payload: { n: 1 },
      })
      await sleep(random.integer(0, 60))
      expect((await env.delete(`/v1/events/trigger/t${n}`)).status).toBe(200)
    }),
  )
  await h.settled()
  const called = new Set([...callsByText().keys()].map((text) => text.split(' ')[1]))
  for (const row of await rowsOf(env)) {
    if (called.has(row.who)) expect(['sent', 'unknown'], JSON.stringify(row)).toContain(row.delivery)
    else expect(row.delivery, JSON.stringify(row)).toBe('canceled')
  }
  await judge(env, 60)
})

// RED, promises 4 and 5: eraseMessages in store/history/erasure.ts makes every open message `canceled`, also one in flight.
test('a person is deleted while the provider is called: what it accepted is not said to be canceled', async () => {
  const env = await arrange()
  gateway.answer = { json: { id: 'x' }, delayMs: 1_000 }
  await env.post('/v1/events/trigger', { name: 'hello', to: [person(1)], payload: { n: 1 } })
  await expect.poll(() => gateway.requests.length).toBe(1)
  expect((await env.delete('/v2/subscribers/p1')).status).toBe(200)
  await h.settled()
  await expect.poll(async () => (await rowsOf(env))[0]?.outcomes).toMatch(/^sent/)
  const [row] = await rowsOf(env)
  expect(row).toMatchObject({ delivery: 'sent', job: 'completed' })
})

// RED, promise 4: eraseJobs in store/history/erasure.ts adds no detail.
test('a step that is canceled because its person was deleted says why', async () => {
  const env = await h.environment()
  const wait = { name: 'Delay', type: 'delay', controlValues: { amount: 1, unit: 'hours', type: 'regular' } }
  const inbox = { name: 'Inbox', type: 'in_app', controlValues: { body: 'Hi' } }
  await makeWorkflow(env, 'hello', { steps: [wait, inbox] })
  await env.post('/v1/events/trigger', { name: 'hello', to: 'ada' })
  await h.drain()
  expect((await env.delete('/v2/subscribers/ada')).status).toBe(200)
  await h.drain()
  const { rows } =
    await sql<Json>`select type, status, jsonb_path_query_array(details, '$[*].detail') as details from job
    where environment_id = ${env.environmentId} order by step_index`.execute(h.admin)
  expect(rows.map((row) => row.status)).toEqual(['canceled', 'canceled'])
  for (const row of rows) expect(JSON.stringify(row.details)).toMatch(/cancel|delete/i)
})
