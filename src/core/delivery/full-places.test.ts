import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { type Client, useHarness } from '../../../test/harness.ts'
import { allowing, makeIntegration } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'
import type { Outcome } from '../../providers/outcome.ts'

// Many messages to one integration: its places stay full, and no message waits for another's answer.
const gateway = await startHttpReceiver()
const h = useHarness(allowing(gateway.port), { worker: true })

const phoneOf = (n: number) => `+49301000${1000 + n}`
const called = () => gateway.requests.map((request) => (request.json as { to: string }).to)

/** An integration that answered these before. */
async function makeSender(env: Client, before: Outcome[], atMs = Date.now()): Promise<void> {
  await makeWorkflow(env, 'hello', { steps: [{ name: 'Text', type: 'sms', controlValues: { body: 'Hi' } }] })
  const credentials = { baseUrl: gateway.url, apiKeyRequestHeader: 'x-api-key', apiKey: 'key-key', from: '4711' }
  const { _id } = await makeIntegration(env, { providerId: 'generic-sms', channel: 'sms', credentials })
  for (const outcome of before) h.ctx.health.learn(_id, outcome, atMs)
}

async function sendTexts(env: Client, count: number): Promise<void> {
  const to = Array.from({ length: count }, (_, n) => ({ subscriberId: `p${n}`, phone: phoneOf(n) }))
  await trigger(env, { to })
}

type Row = { address: string; delivery: string; attempts: number; in_flight: boolean }
async function messagesOf(env: Client): Promise<Row[]> {
  const { rows } = await sql<Row>`select address, delivery, attempts, in_flight from message
    where environment_id = ${env.environmentId}`.execute(h.admin)
  return rows
}

/** Messages and when each was answered: it waits for `takes` milliseconds. */
function countUnderWay(takes: (n: number) => number) {
  const counts = { now: 0, most: 0, begun: 0 }
  gateway.answer = async () => {
    counts.most = Math.max(counts.most, ++counts.now)
    await new Promise((resolve) => setTimeout(resolve, takes(++counts.begun)))
    counts.now--
    return { json: { id: 'x' } }
  }
  return counts
}

beforeEach(() => {
  gateway.requests.length = 0
})

test('while messages wait, the places of an integration stay full, however differently long its answers take', async () => {
  const env = await h.environment()
  await makeSender(env, Array(200).fill({ kind: 'sent' }))
  const counts = countUnderWay((n) => 500 + ((n * 37) % 1_000))
  await sendTexts(env, 800)
  await expect.poll(() => counts.begun, { timeout: 20_000, interval: 10 }).toBeGreaterThanOrEqual(160)
  const samples: number[] = []
  while (counts.begun < 700) {
    samples.push(counts.now)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const mean = samples.reduce((sum, now) => sum + now, 0) / samples.length
  expect(mean).toBeGreaterThan(120)
  expect(counts.most).toBeLessThanOrEqual(160)
  await h.drain()
  expect((await messagesOf(env)).map((row) => [row.delivery, row.attempts])).toEqual(Array(800).fill(['sent', 1]))
  expect(new Set(called()).size).toBe(800)
  expect(called()).toHaveLength(800)
})

test('single messages to a slow provider need a place each, not a worker', async () => {
  const env = await h.environment()
  await makeSender(env, Array(200).fill({ kind: 'sent' }))
  const told = Promise.withResolvers<void>()
  gateway.answer = async () => {
    await told.promise
    return { json: { id: 'x' } }
  }
  for (let n = 0; n < 40; n++) await trigger(env, { to: { subscriberId: `p${n}`, phone: phoneOf(n) } })
  await expect.poll(() => gateway.requests.length, { timeout: 5_000 }).toBe(40)
  told.resolve()
  await h.drain()
  expect((await messagesOf(env)).map((row) => [row.delivery, row.attempts])).toEqual(Array(40).fill(['sent', 1]))
  expect(called()).toHaveLength(40)
})

test('an integration that hangs takes no worker from the others, also with a single message at a time', async () => {
  const [hanging, sound] = [await h.environment(), await h.environment()]
  for (const env of [hanging, sound]) await makeSender(env, Array(200).fill({ kind: 'sent' }))
  const told = Promise.withResolvers<void>()
  gateway.answer = async ({ json }) => {
    if ((json as { to: string }).to !== phoneOf(999)) await told.promise
    return { json: { id: 'x' } }
  }
  for (let n = 0; n < 100; n++) await trigger(hanging, { to: { subscriberId: `p${n}`, phone: phoneOf(n) } })
  const began = performance.now()
  await trigger(sound, { to: { subscriberId: 'q', phone: phoneOf(999) } })
  await expect.poll(() => called().includes(phoneOf(999)), { timeout: 10_000, interval: 10 }).toBe(true)
  expect(performance.now() - began).toBeLessThan(1_000)
  told.resolve()
  await h.drain()
  expect((await messagesOf(hanging)).filter((row) => row.delivery === 'sent')).toHaveLength(100)
})

test('one answer that does not come holds up one place, not those of the messages beside it', async () => {
  const env = await h.environment()
  // Long ago it asked us to slow down: it bears ten calls at a time, and no more for what it takes.
  await makeSender(env, [{ kind: 'retry', reason: '429', paces: true }], Date.now() - 60_000)
  const told = Promise.withResolvers<void>()
  gateway.answer = async ({ json }) => {
    if ((json as { to: string }).to === phoneOf(0)) await told.promise
    return { json: { id: 'x' } }
  }
  await sendTexts(env, 60)
  const recorded = async () => (await messagesOf(env)).filter((row) => row.delivery === 'sent').length
  await expect.poll(recorded, { timeout: 8_000 }).toBe(59)
  expect((await messagesOf(env)).filter((row) => row.in_flight).map((row) => row.address)).toEqual([phoneOf(0)])
  told.resolve()
  await h.drain()
  expect(await recorded()).toBe(60)
})

test('of answers that are recorded together, those that cannot be stored take no other with them', async () => {
  const env = await h.environment()
  await makeSender(env, Array(200).fill({ kind: 'sent' }))
  await sql`create function refuse() returns trigger language plpgsql as $$
    begin raise exception 'refused' using errcode = 'P0001'; end $$`.execute(h.admin)
  await sql
    .raw(`create trigger refuse before update on message for each row
      when (not new.in_flight and new.address in ('${phoneOf(7)}', '${phoneOf(31)}')) execute function refuse()`)
    .execute(h.admin)
  // All at the same moment, or nearly.
  const told = Promise.withResolvers<void>()
  gateway.answer = async () => {
    await told.promise
    return { json: { id: 'x' } }
  }
  await sendTexts(env, 60)
  await expect.poll(() => gateway.requests.length, { timeout: 10_000 }).toBe(60)
  told.resolve()
  const sent = async () => (await messagesOf(env)).filter((row) => row.delivery === 'sent').length
  await expect.poll(sent, { timeout: 10_000 }).toBe(58)
  await sql`drop trigger refuse on message`.execute(h.admin)
  const open = (await messagesOf(env)).filter((row) => row.delivery === 'open')
  expect(open.map((row) => [row.address, row.in_flight]).sort()).toEqual([
    [phoneOf(7), true],
    [phoneOf(31), true],
  ])
  expect(called()).toHaveLength(60)
})

test('whenever the process dies, what was called stands there as begun, and few besides', async () => {
  const env = await h.environment()
  await makeSender(env, Array(200).fill({ kind: 'sent' }))
  const besides: number[] = []
  const unknown: string[] = []
  let calls = 0
  gateway.answer = async () => {
    if (++calls % 50 === 0) {
      // What a death in this moment would leave.
      const before = called()
      const rows = await messagesOf(env)
      const begun = new Set(rows.filter((row) => row.attempts > 0).map((row) => row.address))
      unknown.push(...before.filter((address) => !begun.has(address)))
      besides.push(rows.filter((row) => row.in_flight).length)
    }
    await new Promise((resolve) => setTimeout(resolve, 150))
    return { json: { id: 'x' } }
  }
  await sendTexts(env, 500)
  await expect.poll(() => calls, { timeout: 20_000 }).toBe(500)
  await h.drain()
  expect(unknown).toEqual([])
  expect(besides.length).toBe(10)
  expect(Math.max(...besides)).toBeLessThanOrEqual(192 + 64 + 64)
})
