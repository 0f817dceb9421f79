import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Client, useHarness } from '../../../test/harness.ts'
import { allowing, makeIntegration } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'
import { notBegun } from '../../lib/outbound.ts'
import { envOf } from '../../store/database.ts'
import { deliverMessages } from './deliver.ts'

// What interrupts a send in the middle: no message is sent a second time for it, and none is stuck.
const gateway = await startHttpReceiver()
const h = useHarness(allowing(gateway.port), { worker: true })

type Text = { id: string; content: string }
const textsOf = () => gateway.requests.map((request) => request.json as Text)

async function sendTexts(env: Client, count: number): Promise<void> {
  await makeWorkflow(env, 'hello', { steps: [{ name: 'Text', type: 'sms', controlValues: { body: 'Hi' } }] })
  const credentials = { baseUrl: gateway.url, apiKeyRequestHeader: 'x-api-key', apiKey: 'key-key', from: '4711' }
  await makeIntegration(env, { providerId: 'generic-sms', channel: 'sms', credentials })
  const to = Array.from({ length: count }, (_, n) => ({ subscriberId: `p${n}`, phone: `+49301000${100 + n}` }))
  await trigger(env, { to })
}

type Row = { id: string; delivery: string; attempts: number; in_flight: boolean; retry_at: Date; external_id: string }
async function messagesOf(env: Client): Promise<Row[]> {
  const { rows } = await sql<Row>`select id, delivery, attempts, in_flight, retry_at, external_id from message
    where environment_id = ${env.environmentId} order by id`.execute(h.admin)
  return rows
}

beforeEach(() => {
  gateway.requests.length = 0
})
const real = () => new Date()
afterEach(() => {
  h.ctx.clock = real
  h.ctx.drain.begun = false
})

test('an answer that cannot be stored loses no other: all are sent once, and recorded', async () => {
  await sql`alter table message add constraint refuses check (external_id is distinct from 'refused')`.execute(h.admin)
  const env = await h.environment()
  let calls = 0
  gateway.answer = () => ({ json: { id: ++calls === 3 ? 'refused' : `id-${calls}` }, delayMs: 50 })
  await sendTexts(env, 8)
  await h.drain()
  const rows = await messagesOf(env)
  expect(rows.map((row) => row.delivery)).toEqual(Array(8).fill('sent'))
  expect(rows.filter((row) => row.external_id === null)).toHaveLength(1)
  expect(textsOf()).toHaveLength(8)
})

test('what cannot be given back loses no answer beside it', async () => {
  const env = await h.environment()
  await sql`create function away() returns trigger language plpgsql as $$
    begin raise exception 'read only' using errcode = 'P0001'; end $$`.execute(h.admin)
  await sql`create trigger away before delete on attempt for each row execute function away()`.execute(h.admin)
  const { http } = h.ctx
  let calls = 0
  // The second still waits for a connection when the process is told to stop: egress says so in the same moment.
  h.ctx.http = Object.assign(
    async (request: Parameters<typeof http>[0]) =>
      ++calls === 2 ? ({ kind: 'fault', sent: false, reason: notBegun } as const) : http(request),
    { close: http.close },
  )
  gateway.answer = { json: { id: 'x' } }
  try {
    await sendTexts(env, 2)
    await expect.poll(async () => (await messagesOf(env)).filter((row) => row.delivery === 'sent').length).toBe(1)
  } finally {
    h.ctx.http = http
    await sql`drop trigger away on attempt`.execute(h.admin)
  }
})

test('a process that is stopping begins nothing more, and gives back what it has not begun', async () => {
  const env = await h.environment()
  let [stoppingMs, begunAfter] = [Number.POSITIVE_INFINITY, 0]
  const stop = () => {
    h.ctx.drain.begun = true
    stoppingMs = performance.now()
  }
  gateway.answer = () => {
    // Bytes that left before it may still be on their way; further portions begin only when these are answered.
    if (performance.now() - stoppingMs > 700) begunAfter++
    // The first portions are under way.
    if (gateway.requests.length === 60) setTimeout(stop, 50)
    return { json: { id: 'x' }, delayMs: 1_000 }
  }
  await sendTexts(env, 200)
  while (!h.ctx.drain.begun || (await messagesOf(env)).some((row) => row.in_flight)) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  expect(begunAfter).toBe(0)
  expect(gateway.requests.length).toBeLessThan(200)
  const { rows } = await sql`select 1 from pgboss.job where name = 'deliver-messages' and
    (retry_count > 0 or state in ('retry', 'failed'))`.execute(h.admin)
  expect(rows).toEqual([])
  h.ctx.drain.begun = false
  await h.drain()
  expect((await messagesOf(env)).map((row) => [row.delivery, row.attempts])).toEqual(Array(200).fill(['sent', 1]))
  expect(new Set(textsOf().map((text) => text.id)).size).toBe(200)
  expect(textsOf()).toHaveLength(200)
})

test('a try whose commit got no clear answer is not sent; it is taken back and made anew', async () => {
  const env = await h.environment()
  gateway.answer = { json: { id: 'x' } }
  // As when somebody ends the wait for a standby: PostgreSQL has committed, and warns.
  await sql`create sequence commits`.execute(h.admin)
  await sql`create function warns() returns trigger language plpgsql security definer as $$ begin
    if nextval('commits') = 1 then raise warning 'the wait is over'; end if; return null; end $$`.execute(h.admin)
  await sql`create constraint trigger warns after insert on attempt deferrable initially deferred
    for each row execute function warns()`.execute(h.admin)
  try {
    await sendTexts(env, 3)
    // Long before its time is up and nobody could tell any more whether it was sent.
    const made = async () => (await messagesOf(env)).map((row) => [row.delivery, row.attempts])
    await expect.poll(made, { timeout: 8_000 }).toEqual(Array(3).fill(['sent', 1]))
  } finally {
    await sql`drop trigger warns on attempt`.execute(h.admin)
  }
  expect(textsOf()).toHaveLength(3)
})

/** One message whose worker died between the intent and the record, with this long to its deadline. */
async function inFlight(env: Client, deadlineInMs: number): Promise<{ row: Row; deadline: Date }> {
  gateway.answer = { json: { id: 'x' } }
  await sendTexts(env, 1)
  await h.drain()
  const [row] = await messagesOf(env)
  if (!row) throw new Error('no message')
  const deadline = new Date(Date.now() + deadlineInMs)
  await sql`update attempt set outcome = null, ended_at = null, deadline = ${deadline}
    where environment_id = ${env.environmentId}`.execute(h.admin)
  // As wake-jobs leaves it when it hands the message out.
  await sql`update message set delivery = 'open', in_flight = true, retry_at = now() + interval '30 minutes',
    external_id = null where environment_id = ${env.environmentId}`.execute(h.admin)
  await sql`update job set status = 'queued', details = '[]' where environment_id = ${env.environmentId}`.execute(
    h.admin,
  )
  return { row, deadline }
}

test('a try that is woken before its time sets its alarm anew, not half an hour later', async () => {
  const env = await h.environment()
  const { row, deadline } = await inFlight(env, 20_000)
  await deliverMessages(h.ctx, envOf(env.environmentId), [row.id])
  const [after] = await messagesOf(env)
  expect(after).toMatchObject({ in_flight: true, delivery: 'open' })
  expect(after?.retry_at.getTime()).toBe(deadline.getTime() + 5_000)
})

test('a try that nobody recorded is decided 5 s after its deadline, and once', async () => {
  const env = await h.environment()
  const { row, deadline } = await inFlight(env, 60_000)
  const decideAt = async (ms: number) => {
    h.ctx.clock = () => new Date(deadline.getTime() + ms)
    await Promise.all(Array.from({ length: 4 }, () => deliverMessages(h.ctx, envOf(env.environmentId), [row.id])))
    const { rows } = await sql<{ details: { detail: string }[] }>`select details from job
      where environment_id = ${env.environmentId}`.execute(h.admin)
    return rows[0]?.details.map(({ detail }) => detail)
  }
  expect(await decideAt(4_999)).toEqual([])
  expect(await decideAt(5_001)).toEqual(['delivery_unknown'])
  expect(await messagesOf(env)).toMatchObject([{ delivery: 'unknown', in_flight: false, attempts: 1 }])
  expect(textsOf()).toHaveLength(1)
})
