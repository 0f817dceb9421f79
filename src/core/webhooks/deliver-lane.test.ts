import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { allowing } from '../../../test/outside.ts'
import { type ReceivedRequest, startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { makeSubscribers } from '../../../test/pipeline.ts'

const [receiver, other] = [await startHttpReceiver(), await startHttpReceiver()]
const h = useHarness(allowing(receiver.port, other.port), { worker: true })
afterAll(() => Promise.all([receiver.close(), other.close()]))

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

async function makeEndpoint(url = receiver.url, more: object = {}): Promise<Made> {
  const { status, body } = await env.post('/v1/webhook-endpoints', { url, ...more })
  expect(status).toBe(201)
  return { ...body, path: `/v1/webhook-endpoints/${body._id}` }
}

const deliveriesOf = async ({ path }: Made): Promise<Json[]> =>
  (await env.get(`${path}/deliveries?limit=100&orderDirection=ASC`)).body.data

const headersOf = ({ headers }: ReceivedRequest) => ({
  'webhook-id': String(headers['webhook-id']),
  'webhook-timestamp': String(headers['webhook-timestamp']),
  'webhook-signature': String(headers['webhook-signature']),
})
/** By the reference library, which throws when the signature is wrong. */
const verify = (secret: string, request: ReceivedRequest) =>
  new Webhook(secret).verify(request.body.toString(), headersOf(request)) as Json
const idsOf = (requests: readonly ReceivedRequest[]) => requests.map(({ headers }) => headers['webhook-id'])

/** As if its pause were over. */
const makeDue = ({ _id }: Made) =>
  sql`update webhook_delivery set next_at = now() where endpoint_id = ${_id} and next_at is not null and not in_flight`.execute(
    h.admin,
  )
const arrived = (peer: typeof receiver, count: number) =>
  expect.poll(() => peer.requests.length, { timeout: 30_000 }).toBe(count)
const inState = (endpoint: Made, status: string, count = 1) =>
  expect
    .poll(async () => (await deliveriesOf(endpoint)).filter((it) => it.status === status).length, { timeout: 30_000 })
    .toBe(count)

test('what happens arrives signed, and the reference library verifies it', async () => {
  const endpoint = await makeEndpoint(receiver.url, { eventTypes: ['subscriber.created'] })
  await makeSubscribers(env, ['ann', 'bob'])
  await env.patch('/v2/subscribers/ann', { firstName: 'Anna' })
  await arrived(receiver, 2)
  const events = receiver.requests.map((request) => verify(endpoint.secret, request))
  expect(events.map((it) => it.data.subscriberId).sort()).toEqual(['ann', 'bob'])
  expect(events[0]).toEqual({
    type: 'subscriber.created',
    timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    environmentId: env.environmentId,
    data: { subscriberId: expect.any(String) },
  })
  expect(receiver.requests[0]?.headers['content-type']).toBe('application/json')
  const wrong = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  expect(() => verify(wrong, receiver.requests[0] as ReceivedRequest)).toThrow()
  await inState(endpoint, 'delivered', 2)
  const [delivery] = await deliveriesOf(endpoint)
  expect(delivery).toMatchObject({ nextTryAt: null, tries: [{ number: 1, outcome: 'delivered', status: 200 }] })
  expect(idsOf(receiver.requests)).toContain(delivery._id)
})

test('a secret is shown once and is sealed; while two are valid both sign, then the old one no longer does', async () => {
  const endpoint = await makeEndpoint()
  expect(endpoint.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect((await env.get(endpoint.path)).text).not.toContain('whsec_')
  const { rows } = await sql<{ secrets: string }>`
    select secrets from webhook_endpoint where id = ${endpoint._id}`.execute(h.admin)
  expect(rows[0]?.secrets).toMatch(/^sealed\./)
  const rotated = await env.post(`${endpoint.path}/rotate-secret`, { overlapHours: 1 })
  await env.post(`${endpoint.path}/test`)
  await arrived(receiver, 1)
  const [both] = receiver.requests as [ReceivedRequest]
  expect(headersOf(both)['webhook-signature'].split(' ')).toHaveLength(2)
  for (const secret of [endpoint.secret, rotated.body.secret]) {
    expect(verify(secret, both)).toMatchObject({ type: 'endpoint.test', data: { endpointId: endpoint._id } })
  }
  const last = await env.post(`${endpoint.path}/rotate-secret`, { overlapHours: 0 })
  await inState(endpoint, 'delivered')
  await env.post(`${endpoint.path}/test`)
  await arrived(receiver, 2)
  const [, alone] = receiver.requests as [ReceivedRequest, ReceivedRequest]
  expect(verify(last.body.secret, alone).type).toBe('endpoint.test')
  expect(() => verify(rotated.body.secret, alone)).toThrow()
  // The first one's overlap is not over.
  expect(verify(endpoint.secret, alone).type).toBe('endpoint.test')
})

test('a failure is tried again, the same body by the same id, and what was answered can be seen', async () => {
  const endpoint = await makeEndpoint()
  receiver.answer = () => (receiver.requests.length < 3 ? { status: 500, body: 'not today' } : {})
  await env.post(`${endpoint.path}/test`)
  await arrived(receiver, 1)
  for (const count of [2, 3]) {
    await expect.poll(async () => (await deliveriesOf(endpoint))[0].tries.length, { timeout: 30_000 }).toBe(count - 1)
    await makeDue(endpoint)
    await arrived(receiver, count)
  }
  await inState(endpoint, 'delivered')
  expect(new Set(idsOf(receiver.requests)).size).toBe(1)
  expect(new Set(receiver.requests.map(({ body }) => body.toString())).size).toBe(1)
  for (const request of receiver.requests) verify(endpoint.secret, request)
  const [delivery] = await deliveriesOf(endpoint)
  expect(delivery.tries).toMatchObject([
    { number: 1, outcome: 'failed', status: 500, reply: 'not today' },
    { number: 2, outcome: 'failed', status: 500 },
    { number: 3, outcome: 'delivered', status: 200 },
  ])
  expect((await env.get(endpoint.path)).body).toMatchObject({ status: 'enabled', failingSince: null })
})

test('a redirect is not followed, and an endless reply is not read', async () => {
  const endpoint = await makeEndpoint()
  receiver.answer = { status: 302, headers: { location: other.url } }
  await env.post(`${endpoint.path}/test`)
  await expect.poll(async () => (await deliveriesOf(endpoint))[0].tries.length, { timeout: 30_000 }).toBe(1)
  expect((await deliveriesOf(endpoint))[0].tries).toMatchObject([{ outcome: 'failed', status: 302 }])
  expect(other.requests).toEqual([])
  receiver.answer = 'endless'
  await makeDue(endpoint)
  await inState(endpoint, 'delivered')
  expect((await deliveriesOf(endpoint))[0].tries[1].reply.length).toBeLessThanOrEqual(500)
})

test('a 429 pauses the endpoint as long as it asks, and is no failure', async () => {
  const endpoint = await makeEndpoint()
  receiver.answer = () =>
    receiver.requests.length === 1 ? { status: 429, headers: { 'retry-after': '2' }, body: 'slowly' } : {}
  await env.post(`${endpoint.path}/test`)
  await arrived(receiver, 1)
  const startedMs = performance.now()
  await env.post(`${endpoint.path}/test`)
  await inState(endpoint, 'delivered', 2)
  expect(performance.now() - startedMs).toBeGreaterThan(1_500)
  const [first] = await deliveriesOf(endpoint)
  expect(first.tries).toMatchObject([{ outcome: 'paced', status: 429 }, { outcome: 'delivered' }])
  expect((await env.get(endpoint.path)).body.failingSince).toBeNull()
})

test('a 410 disables the endpoint; nothing is kept for it until it is enabled again', async () => {
  const endpoint = await makeEndpoint()
  receiver.answer = { status: 410 }
  await env.post(`${endpoint.path}/test`)
  const state = async () => (await env.get(endpoint.path)).body
  await expect.poll(async () => (await state()).status, { timeout: 30_000 }).toBe('disabled')
  expect((await state()).disabledReason).toContain('410')
  await makeSubscribers(env, ['unheard'])
  expect((await env.post(`${endpoint.path}/test`)).body.code).toBe('webhook_endpoint_disabled')
  receiver.answer = {}
  await env.patch(endpoint.path, { status: 'enabled' })
  expect(await state()).toMatchObject({ status: 'enabled', disabledReason: null, failingSince: null })
  await makeSubscribers(env, ['heard'])
  await makeDue(endpoint)
  await inState(endpoint, 'delivered', 2)
  const bodies = receiver.requests.map(({ body }) => body.toString()).join()
  expect(bodies).toContain('heard')
  expect(bodies).not.toContain('unheard')
})

test('an endpoint that took nothing for five days is disabled, and says why', async () => {
  const endpoint = await makeEndpoint()
  receiver.answer = { status: 503 }
  await env.post(`${endpoint.path}/test`)
  const state = async () => (await env.get(endpoint.path)).body
  await expect.poll(async () => (await state()).failingSince, { timeout: 30_000 }).not.toBeNull()
  expect((await state()).status).toBe('enabled')
  await sql`update webhook_endpoint set failing_since = now() - interval '5 days' where id = ${endpoint._id}`.execute(
    h.admin,
  )
  await expect
    .poll(
      async () => {
        await makeDue(endpoint)
        return (await state()).status
      },
      { timeout: 30_000 },
    )
    .toBe('disabled')
  expect((await state()).disabledReason).toMatch(/^Nothing could be delivered since \d{4}-/)
})

test('an endpoint that hangs delays nobody else', async () => {
  receiver.answer = 'hang'
  const hanging = await makeEndpoint(receiver.url, { eventTypes: ['subscriber.created'] })
  const quick = await makeEndpoint(other.url, { eventTypes: ['subscriber.created'] })
  await makeSubscribers(env, ['a', 'b', 'c'])
  await arrived(receiver, 3)
  await inState(quick, 'delivered', 3)
  const startedMs = performance.now()
  await makeSubscribers(env, ['d'])
  await inState(quick, 'delivered', 4)
  // Its calls last ten seconds each.
  expect(performance.now() - startedMs).toBeLessThan(9_000)
  expect((await deliveriesOf(hanging)).map((it) => it.status)).toEqual(Array(4).fill('open'))
  receiver.cut()
})

test('a try that nobody recorded is made again, by the same id: at least once', async () => {
  const endpoint = await makeEndpoint()
  await env.post(`${endpoint.path}/test`)
  await inState(endpoint, 'delivered')
  // As a worker leaves it that died between its call and the record of it.
  await sql`update webhook_delivery set state = 'open', in_flight = true, tries = '[]', next_at = now()
    where endpoint_id = ${endpoint._id}`.execute(h.admin)
  await inState(endpoint, 'delivered')
  const [delivery] = await deliveriesOf(endpoint)
  expect(delivery.tries).toMatchObject([
    { number: 1, outcome: 'unknown', endedAt: null },
    { number: 2, outcome: 'delivered' },
  ])
  expect(new Set(idsOf(receiver.requests))).toEqual(new Set([delivery._id]))
  expect(receiver.requests).toHaveLength(2)
})

test('one event or a span of time is replayed, by the same ids', async () => {
  const endpoint = await makeEndpoint(receiver.url, { eventTypes: ['subscriber.created'] })
  await makeSubscribers(env, ['a', 'b', 'c'])
  await inState(endpoint, 'delivered', 3)
  const [first, second, third] = await deliveriesOf(endpoint)
  const replayed = await env.post(`${endpoint.path}/deliveries/${second._id}/replay`)
  expect(replayed.body).toMatchObject({ _id: second._id, status: 'open' })
  await arrived(receiver, 4)
  await inState(endpoint, 'delivered', 3)
  expect(idsOf(receiver.requests)[3]).toBe(second._id)
  await sql`update webhook_delivery set state = 'failed' where endpoint_id = ${endpoint._id} and id = ${third._id}`.execute(
    h.admin,
  )
  const since = new Date(Date.now() - 60_000).toISOString()
  const until = new Date(Date.now() + 60_000).toISOString()
  expect((await env.post(`${endpoint.path}/replay`, { since, until })).body).toEqual({ replayed: 1, next: null })
  await arrived(receiver, 5)
  expect(idsOf(receiver.requests)[4]).toBe(third._id)
  await inState(endpoint, 'delivered', 3)
  const all = await env.post(`${endpoint.path}/replay`, { since, until, status: 'all' })
  expect(all.body).toEqual({ replayed: 3, next: null })
  await arrived(receiver, 8)
  expect(idsOf(receiver.requests.slice(5)).sort()).toEqual([first._id, second._id, third._id].sort())
  const past = { since: '2020-01-01', until: '2021-01-01', status: 'all' }
  expect((await env.post(`${endpoint.path}/replay`, past)).body.replayed).toBe(0)
})

test('one worker at a time has the lane of an endpoint, and a lane that was lost is found', async () => {
  const endpoint = await makeEndpoint()
  await sql`update webhook_endpoint set busy_until = now() + interval '1 hour', busy_by = gen_random_uuid()
    where id = ${endpoint._id}`.execute(h.admin)
  await env.post(`${endpoint.path}/test`)
  await sleep(1_500)
  expect(receiver.requests).toEqual([])
  await sql`update webhook_endpoint set busy_until = now() where id = ${endpoint._id}`.execute(h.admin)
  await inState(endpoint, 'delivered')
})

test('a private address is refused when it is saved, and again when it is called', async () => {
  const endpoint = await makeEndpoint()
  const refused = await env.patch(endpoint.path, { url: 'http://169.254.169.254/latest' })
  expect(refused.status).toBe(422)
  await sql`update webhook_endpoint set url = 'http://10.1.2.3/' where id = ${endpoint._id}`.execute(h.admin)
  await env.post(`${endpoint.path}/test`)
  await expect.poll(async () => (await deliveriesOf(endpoint))[0].tries.length, { timeout: 30_000 }).toBe(1)
  expect((await deliveriesOf(endpoint))[0].tries).toMatchObject([{ outcome: 'failed', status: null }])
})

test('a deleted endpoint is called no more', async () => {
  const endpoint = await makeEndpoint()
  expect((await env.delete(endpoint.path)).status).toBe(204)
  expect((await env.get(endpoint.path)).status).toBe(404)
  expect((await env.get('/v1/webhook-endpoints')).body.data).toEqual([])
  await makeSubscribers(env, ['a'])
  const { rows } = await sql`select 1 from webhook_delivery where endpoint_id = ${endpoint._id}`.execute(h.admin)
  expect(rows).toEqual([])
})
