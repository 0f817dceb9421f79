import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { allowing } from '../../../test/outside.ts'
import { type ReceivedRequest, startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { startRawPeer } from '../../../test/peers/raw-peer.ts'
import { makeSubscribers } from '../../../test/pipeline.ts'
import { freeze, thaw } from '../../store/access/environment-states.ts'

const [receiver, other, raw] = [await startHttpReceiver(), await startHttpReceiver(), await startRawPeer()]
const h = useHarness(allowing(receiver.port, other.port, raw.port), { worker: true })
afterAll(() => Promise.all([receiver.close(), other.close(), raw.close()]))

let env: Client
beforeEach(async () => {
  // Those of the tests before would try again here.
  await sql`update webhook_endpoint set state = 'deleted'`.execute(h.admin)
  receiver.cut()
  env = await h.environment()
  for (const peer of [receiver, other]) {
    peer.answer = {}
    peer.requests.length = 0
  }
})

type Made = { _id: string; secret: string; path: string }

async function makeEndpoint(url = receiver.url): Promise<Made> {
  const { status, body } = await env.post('/v1/webhook-endpoints', { url, eventTypes: ['subscriber.created'] })
  expect(status).toBe(201)
  return { ...body, path: `/v1/webhook-endpoints/${body._id}` }
}

const deliveriesOf = async ({ path }: Made): Promise<Json[]> =>
  (await env.get(`${path}/deliveries?limit=100&orderDirection=ASC`)).body.data
const sendTest = async ({ path }: Made) => expect((await env.post(`${path}/test`)).status).toBe(201)
const hasTries = (endpoint: Made, count: number) =>
  expect.poll(async () => (await deliveriesOf(endpoint))[0]?.tries.length, { timeout: 30_000 }).toBe(count)
const inState = (endpoint: Made, status: string, count: number) =>
  expect
    .poll(async () => (await deliveriesOf(endpoint)).filter((it) => it.status === status).length, { timeout: 30_000 })
    .toBe(count)
const people = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name}-${n}`)
const isSignedBy = (secret: string, { headers, body }: ReceivedRequest) => {
  try {
    new Webhook(secret).verify(body.toString(), headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}

const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))
const replies: [string, Partial<Json>, Json][] = [
  [
    'half a character where it is cut',
    { status: 500, body: `x${'😀'.repeat(600)}` },
    { outcome: 'failed', status: 500 },
  ],
  ['NUL and control characters', { status: 500, body: 'a\0b\u0001\u001b[31m' }, { outcome: 'failed', status: 500 }],
  ['bytes that are no UTF-8', { body: Buffer.from([0xff, 0xfe, 0xed, 0xa0, 0x80]) }, { outcome: 'delivered' }],
  ['a gzip bomb', { body: bomb, headers: { 'content-encoding': 'gzip' } }, { outcome: 'delivered', reply: '' }],
  ['a Retry-After of a century', { status: 503, headers: { 'retry-after': '3153600000' } }, { outcome: 'failed' }],
  ['a Retry-After that is no number', { status: 429, headers: { 'retry-after': '9e99' } }, { outcome: 'paced' }],
]

test.each(replies)('a receiver that answers with %s: the try is recorded', async (_name, scripted, expected) => {
  const endpoint = await makeEndpoint()
  receiver.answer = scripted
  await sendTest(endpoint)
  await hasTries(endpoint, 1)
  const [delivery] = await deliveriesOf(endpoint)
  expect(delivery.tries).toMatchObject([expected])
  expect(delivery.tries[0].reply.length).toBeLessThanOrEqual(500)
  if (expected.outcome === 'delivered') expect(delivery.status).toBe('delivered')
  // However long it asks for, within the hour it is tried again.
  else expect(Date.parse(delivery.nextTryAt)).toBeLessThan(Date.now() + 3_700_000)
})

const head = 'HTTP/1.1 200 OK\r\n'
const wires: [string, string, Json][] = [
  [
    '1xx before the answer',
    `HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n${head}content-length: 0\r\n\r\n`,
    { outcome: 'delivered', status: 200 },
  ],
  [
    'a flood of headers',
    `${head}${'x-a: b\r\n'.repeat(20_000)}content-length: 0\r\n\r\n`,
    { outcome: 'failed', status: null },
  ],
  [
    '101 and another protocol',
    'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\nhello',
    { outcome: 'failed', status: null },
  ],
  ['two lengths', `${head}content-length: 1\r\ncontent-length: 5\r\n\r\nhello`, { outcome: 'failed' }],
  ['garbage', '\0\u0001\u0002 no HTTP\r\n\r\n', { outcome: 'failed', status: null }],
]

test.each(wires)('a peer that sends %s: the try is recorded', async (_name, bytes, expected) => {
  const endpoint = await makeEndpoint(raw.url)
  raw.answer = bytes
  await sendTest(endpoint)
  await hasTries(endpoint, 1)
  expect((await deliveriesOf(endpoint))[0].tries).toMatchObject([expected])
})

test.each([
  ['404', { status: 404 }],
  ['a redirect', { status: 308, headers: { location: 'http://169.254.169.254/' } }],
  ['401', { status: 401 }],
])('a receiver that refuses everything by %s is not flooded: the breaker counts that too', async (_name, scripted) => {
  const endpoint = await makeEndpoint()
  receiver.answer = scripted
  await makeSubscribers(env, people('refused', 100))
  await expect.poll(() => receiver.requests.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(20)
  // Those that were under way meanwhile.
  await sleep(1_500)
  const early = receiver.requests.length
  expect(early).toBeLessThan(45)
  await sleep(3_000)
  expect(receiver.requests.length - early).toBeLessThanOrEqual(1)
  expect((await env.get(endpoint.path)).body).toMatchObject({ status: 'enabled', failingSince: expect.any(String) })
})

test('a secret, a URL and a deletion count from the next try on, also for a lane that is under way', async () => {
  const endpoint = await makeEndpoint()
  receiver.answer = { delayMs: 300 }
  other.answer = { delayMs: 300 }
  // Ten at a time at first: these keep the lane at work.
  await makeSubscribers(env, people('first', 60))
  await expect.poll(() => receiver.requests.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(5)
  const { secret } = (await env.post(`${endpoint.path}/rotate-secret`, { overlapHours: 0 })).body
  const begunBefore = receiver.requests.length + 20
  await expect.poll(() => receiver.requests.length, { timeout: 30_000 }).toBe(60)
  const later = receiver.requests.slice(begunBefore)
  expect(later.length).toBeGreaterThan(10)
  expect(later.filter((request) => !isSignedBy(secret, request))).toEqual([])
  expect(later.filter((request) => isSignedBy(endpoint.secret, request))).toEqual([])
  await inState(endpoint, 'delivered', 60)

  await makeSubscribers(env, people('second', 300))
  await expect.poll(() => receiver.requests.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(70)
  await env.patch(endpoint.path, { url: other.url })
  await expect.poll(() => other.requests.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(1)
  const atOld = receiver.requests.length
  await env.delete(endpoint.path)
  await sleep(1_500)
  const [old, all] = [receiver.requests.length, other.requests.length]
  expect(old - atOld).toBeLessThanOrEqual(1)
  expect(old - 60 + all).toBeLessThan(300)
  await sleep(1_500)
  expect([receiver.requests.length, other.requests.length]).toEqual([old, all])
})

test('a span of time that is replayed while it is delivered: each arrives, by its own id and body, and is delivered', async () => {
  const endpoint = await makeEndpoint()
  receiver.answer = { delayMs: 50 }
  await makeSubscribers(env, people('replayed', 80))
  const [since, until] = [new Date(Date.now() - 60_000).toISOString(), new Date(Date.now() + 60_000).toISOString()]
  let replayed = 0
  // Some of it has arrived, some is under way, some waits.
  for (let round = 0; round < 8 || (replayed === 0 && round < 100); round++) {
    const reply = await env.post(`${endpoint.path}/replay`, { since, until, status: 'all' })
    expect(reply.status).toBe(200)
    replayed += reply.body.replayed
    await sleep(200)
  }
  expect(replayed).toBeGreaterThan(0)
  await inState(endpoint, 'delivered', 80)
  const bodies = Map.groupBy(receiver.requests, ({ headers }) => String(headers['webhook-id']))
  expect(bodies.size).toBe(80)
  for (const own of bodies.values()) expect(new Set(own.map(({ body }) => body.toString())).size).toBe(1)
  expect(receiver.requests.length).toBeLessThanOrEqual(80 + replayed)
})

test('an environment that is frozen while its events are delivered: no try begins, then each arrives', async () => {
  const endpoint = await makeEndpoint()
  receiver.answer = { delayMs: 200 }
  await makeSubscribers(env, people('frozen', 100))
  await expect.poll(() => receiver.requests.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(10)
  expect(await freeze(h.admin, env.environmentId, 20_000)).not.toBeNull()
  await sleep(1_000)
  const begun = receiver.requests.length
  expect(begun).toBeLessThan(100)
  await sleep(1_500)
  expect(receiver.requests.length).toBe(begun)
  expect(await thaw(h.admin, env.environmentId)).toBe(true)
  await expect
    .poll(async () => (await deliveriesOf(endpoint)).filter((it) => it.status === 'delivered').length, {
      timeout: 60_000,
    })
    .toBe(100)
  expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(100)
  expect(receiver.requests).toHaveLength(100)
})
