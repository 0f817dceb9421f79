import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { identifierOf, openInbox } from '../../../test/client/inbox-session.ts'
import { type Client, useHarness } from '../../../test/harness.ts'
import { makeSubscribers, makeWorkflow } from '../../../test/pipeline.ts'
import { unsubscribeToken } from '../../core/subscribers/unsubscribe.ts'
import { apiKeyId } from '../../lib/api-key.ts'
import { sha256 } from '../../lib/seal.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import { depart, freeze, setArriving, startDraining, thaw } from '../../store/access/environment-states.ts'

const token = 'token-of-gateways'
const h = useHarness({ CELL: 'ca', CELL_TOKEN: token, PUBLIC_URL: 'https://notify.example' })
let env: Client
beforeEach(async () => {
  env = await h.environment()
  await makeWorkflow(env)
  await makeSubscribers(env, ['ada'])
})

const places = ['tidings-cell', 'tidings-generation', 'tidings-held', 'retry-after']

/** One of each kind of request that knows its environment: by key, by an inbox's token, by its identifier, by a link. */
async function makeRequests() {
  const { token: inbox } = await openInbox(env, 'ada')
  const { body: integration } = await env.post('/v1/integrations', {
    providerId: 'mailgun',
    channel: 'email',
    credentials: { apiKey: 'k', domain: 'd', from: 'a@example.com' },
    configurations: { inboundWebhookEnabled: true, inboundWebhookSigningKey: 'key' },
  })
  const identifier = await identifierOf(env)
  const { body: hello } = await env.get('/v2/workflows/hello')
  const { body: ada } = await env.get('/v2/subscribers/ada')
  const link = { environmentId: env.environmentId, subscriberId: ada._id, workflowId: hello._id }
  const unsubscribe = `ca.${unsubscribeToken(h.ctx.sealer, link, new Date())}`
  const signIn = await h.send('POST', '/session', { body: { key: env.key }, headers: { 'x-tidings-session': '1' } })
  const cookie = signIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const bearer = { authorization: `Bearer ${inbox}` }
  const event = { name: 'hello', to: 'ada' }
  const session = { applicationIdentifier: identifier, subscriber: { subscriberId: 'ada' } }
  const requests = {
    'a read': () => env.get('/v2/subscribers/ada'),
    'a write': () => env.post('/v1/events/trigger', event),
    'a write under a key of its own': () => env.post('/v1/events/trigger', event, { 'idempotency-key': 'k' }),
    'a bulk': () => env.post('/v1/events/trigger/bulk', { events: [event] }),
    'a page of the dashboard': () =>
      h.send('GET', '/v1/environment', { headers: { cookie, 'x-tidings-session': '1' } }),
    'a stream of the dashboard': () => h.send('GET', '/v1/activity/stream', { key: env.key }),
    'an inbox': () => h.send('GET', '/v1/inbox/notifications', { headers: bearer }),
    'a change in an inbox': () => h.send('POST', '/v1/inbox/notifications/read', { headers: bearer, body: {} }),
    'the stream of an inbox': () => h.send('GET', '/v1/inbox/stream', { headers: bearer }),
    'a new inbox': () => h.send('POST', '/v1/inbox/session', { body: session }),
    'a callback': () => h.send('POST', `/v1/webhooks/ca-${integration._id}`, { body: {} }),
    'an unsubscription': () => h.send('POST', `/v1/unsubscribe/${unsubscribe}`, { raw: 'List-Unsubscribe=One-Click' }),
  }
  return { requests, integration, unsubscribe, identifier }
}

describe('what callers are told', () => {
  test('departed: 421 and where to, whatever they ask', async () => {
    const { requests } = await makeRequests()
    await freeze(h.admin, env.environmentId, 10_000)
    expect(await depart(h.admin, env.environmentId, 'cb')).toBe(true)
    for (const [name, ask] of Object.entries(requests)) {
      const { status, body, headers } = await ask()
      expect({ name, status, code: body.code }).toEqual({ name, status: 421, code: 'wrong_cell' })
      expect(places.map((it) => headers.get(it))).toEqual(['cb', '2', null, null])
    }
  })

  test('frozen: 503 for a moment; and then everything as before', async () => {
    const { requests } = await makeRequests()
    await freeze(h.admin, env.environmentId, 60_000)
    await sleep(260)
    for (const [name, ask] of Object.entries(requests)) {
      const { status, body, headers } = await ask()
      expect({ name, status, code: body.code }).toEqual({ name, status: 503, code: 'environment_held' })
      expect(places.map((it) => headers.get(it))).toEqual([null, null, 'frozen', '1'])
    }
    await thaw(h.admin, env.environmentId)
    await sleep(260)
    expect((await requests['a write under a key of its own']()).status).toBe(201)
    expect((await requests['an inbox']()).status).toBe(200)
  })

  test('draining: nobody notices', async () => {
    const { requests } = await makeRequests()
    await startDraining(h.admin, env.environmentId, 60_000)
    await sleep(260)
    for (const name of ['a read', 'a write', 'a bulk', 'an inbox', 'a new inbox', 'an unsubscription'] as const) {
      expect((await requests[name]()).status, name).toBeLessThan(300)
    }
  })

  test('arriving: 503, and where it still lives', async () => {
    await sql`update environment set state = 'arriving', source_cell = 'cb', generation = 3
      where id = ${env.environmentId}`.execute(h.admin)
    await sleep(260)
    const { status, headers } = await env.get('/v2/subscribers/ada')
    expect(status).toBe(503)
    expect(places.map((it) => headers.get(it))).toEqual(['cb', '3', 'arriving', '1'])
  })
})

test('a gateway is told whose key it was, by a refusal too; nobody else is, and a wrong key tells nothing', async () => {
  const asks = { 'tidings-gateway': '1' }
  const told = async (headers: Record<string, string>) =>
    (await env.get('/v2/subscribers/ada', undefined, headers)).headers.get('tidings-environment')
  expect(await told(asks)).toBe(env.environmentId)
  expect(await told({})).toBeNull()
  const wrong = await h.send('GET', '/v2/subscribers/ada', { key: 'td_c1_x', headers: asks })
  expect([wrong.status, wrong.headers.get('tidings-environment')]).toEqual([401, null])
  await freeze(h.admin, env.environmentId, 10_000)
  await sleep(260)
  expect(await told(asks)).toBe(env.environmentId)
})

describe('GET /v1/cells/where', () => {
  const where = (query: Record<string, string>, authorization = `Bearer ${token}`) =>
    h.send('GET', `/v1/cells/where?${new URLSearchParams(query)}`, { headers: { authorization } })

  test('by whatever a request says about whose it is', async () => {
    const { integration, unsubscribe, identifier } = await makeRequests()
    const { rows } = await sql<{ hash: string }>`
      insert into api_key (environment_id, id, name, secret_hash, bootstrap)
      values (${env.environmentId}, ${uuid7(new Date())}, 'own', ${sha256('my own key')}, true)
      returning encode(secret_hash, 'hex') as hash`.execute(h.admin)
    const asked: Record<string, string>[] = [
      { environment: env.environmentId },
      { identifier },
      { integration: integration._id },
      { integration: `ca-${integration._id}` },
      { key: apiKeyId(env.key) ?? '' },
      { key: rows[0]?.hash ?? '' },
      { unsubscribe },
      { unsubscribe: unsubscribe.slice('ca.'.length) },
    ]
    const known = { environmentId: env.environmentId, cell: 'ca', generation: 1, state: 'active' }
    for (const query of asked) expect((await where(query)).body, JSON.stringify(query)).toEqual(known)
    await freeze(h.admin, env.environmentId, 10_000)
    await depart(h.admin, env.environmentId, 'cb')
    const gone = { ...known, cell: 'cb', generation: 2, state: 'departed' }
    for (const query of asked) expect((await where(query)).body, JSON.stringify(query)).toEqual(gone)
  })

  test('nobody else is told, and what is not here is 404', async () => {
    expect((await where({ environment: env.environmentId }, 'Bearer other')).status).toBe(401)
    expect((await where({ environment: env.environmentId }, '')).status).toBe(401)
    const unknown = [
      { environment: uuid7(new Date()) },
      { environment: 'x' },
      { identifier: 'te_x' },
      { integration: uuid7(new Date()) },
      { key: 'x' },
      { key: 'a'.repeat(64) },
      { unsubscribe: 'ca.sealed.t1.x' },
      { other: 'x' },
    ]
    for (const query of unknown) expect((await where(query)).status, JSON.stringify(query)).toBe(404)
    const { url } = await h.node({ CELL_TOKEN: '' })
    expect((await fetch(`${url}/v1/cells/where?environment=${env.environmentId}`)).status).toBe(404)
  })
})

describe('links', () => {
  test('name the first cell of the environment, also after a move; and those without a cell go on working', async () => {
    const { integration, unsubscribe } = await makeRequests()
    const shown = async () => (await env.get(`/v1/integrations/${integration._id}/callbacks`)).body.url
    expect(await shown()).toBe(`https://notify.example/v1/webhooks/ca-${integration._id}`)
    const call = (id: string) => h.send('POST', `/v1/webhooks/${id}`, { body: {} })
    for (const id of [integration._id, `ca-${integration._id}`, `cb-${integration._id}`]) {
      expect((await call(id)).body.code).toBe('signature_refused')
    }
    expect((await call(`ca-x-${integration._id}`)).status).toBe(404)
    const page = (text: string) => h.send('GET', `/v1/unsubscribe/${text}`)
    const sealed = unsubscribe.slice('ca.'.length)
    for (const text of [sealed, unsubscribe, `cb.${sealed}`]) expect((await page(text)).status).toBe(200)
    for (const text of [`c-a.${sealed}`, `ca.ca.${sealed}`]) expect((await page(text)).status).toBe(404)
  })

  test('of one that came from elsewhere name that cell; without CELL they name none', async () => {
    const arrived = await h.environment()
    await sql`update environment set home_cell = 'cx' where id = ${arrived.environmentId}`.execute(h.admin)
    const { body } = await arrived.post('/v1/integrations', { providerId: 'mailgun', channel: 'email' })
    const url = async () => (await arrived.get(`/v1/integrations/${body._id}/callbacks`)).body.url
    expect(await url()).toBe(`https://notify.example/v1/webhooks/cx-${body._id}`)
    const { config } = h.ctx
    h.ctx.config = { ...config, isCellNamed: false }
    expect(await url()).toBe(`https://notify.example/v1/webhooks/${body._id}`)
    h.ctx.config = config
  })

  test('an arrival remembers the first cell', async () => {
    const row = (id: string, homeCell?: string) =>
      setArriving(h.admin, {
        id,
        organizationId: uuid7(new Date()),
        organizationName: 'O',
        name: 'E',
        identifier: `te_${id}`,
        signingSecret: null,
        sourceCell: 'cb',
        generation: 2,
        ...(homeCell && { homeCell }),
      })
    const [first, second] = [uuid7(new Date()), uuid7(new Date())]
    await row(first)
    await row(second, 'cx')
    const { rows } = await sql<{ home_cell: string }>`
      select home_cell from environment where id in (${first}, ${second}) order by home_cell`.execute(h.admin)
    expect(rows.map((it) => it.home_cell)).toEqual(['cb', 'cx'])
  })
})

test('sockets and streams of an environment that departs end, so that browsers come again', async () => {
  const { token: inbox } = await openInbox(env, 'ada')
  const streams = [
    await fetch(`${h.url}/v1/inbox/stream`, { headers: { authorization: `Bearer ${inbox}` } }),
    await fetch(`${h.url}/v1/activity/stream`, { headers: { authorization: `ApiKey ${env.key}` } }),
  ]
  const socket = new WebSocket(`${h.url.replace('http', 'ws')}/?token=${inbox}`)
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  await new Promise((resolve) => socket.on('open', resolve))
  const other = await h.environment()
  const staying = new WebSocket(`${h.url.replace('http', 'ws')}/?token=${(await openInbox(other, 'bob')).token}`)
  await new Promise((resolve) => staying.on('open', resolve))
  await freeze(h.admin, env.environmentId, 10_000)
  await sleep(600)
  expect(socket.readyState).toBe(WebSocket.OPEN)
  expect(await depart(h.admin, env.environmentId, 'cb')).toBe(true)
  // "Service restart": any other word would make the client stop.
  expect(await closed).toBe(1_012)
  for (const stream of streams) expect(await stream.text()).toContain('retry: ')
  expect(staying.readyState).toBe(WebSocket.OPEN)
  staying.close()
  const again = new WebSocket(`${h.url.replace('http', 'ws')}/?token=${inbox}`)
  expect(await new Promise((resolve) => again.on('close', resolve))).toBe(1_013)
})
