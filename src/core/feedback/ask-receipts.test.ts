import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { allowing, makeIntegration, storyOf } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'
import type { HttpRequest } from '../../lib/outbound.ts'
import type { DueReceipt } from '../../store/feedback/receipts.ts'
import askReceipts from '../../tasks/ask-receipts.ts'
import { askReceipts as askFor } from './ask-receipts.ts'

const expo = await startHttpReceiver()
const h = useHarness(allowing(expo.port), { worker: true })
const minute = 60_000

/** What Expo says of each token when it is sent to, and of each ticket later. */
let tickets: Record<string, Json> = {}
let receipts: Record<string, Json> = {}
beforeEach(() => {
  ;[tickets, receipts] = [{}, {}]
  expo.requests.length = 0
  expo.answer = ({ url, body }) => {
    const asked = JSON.parse(String(body))
    if (url.endsWith('/send')) {
      const to: string[] = asked[0].to
      return { json: { data: to.map((token) => tickets[token] ?? { status: 'ok', id: `ticket of ${token}` }) } }
    }
    const known = (asked.ids as string[]).filter((id) => id in receipts)
    return { json: { data: Object.fromEntries(known.map((id) => [id, receipts[id]])) } }
  }
  // Expo's address is fixed: through the same door, its name leads here.
  const { http } = h.ctx
  const led = (request: HttpRequest) => http({ ...request, url: request.url.replace('https://exp.host', expo.url) })
  h.ctx.http = Object.assign(led, { close: http.close })
  return () => {
    h.ctx.http = http
  }
})

const token = (name: string) => `ExponentPushToken[${name}]`
const ticket = (name: string) => `ticket of ${token(name)}`
const gone = { status: 'error', message: 'not registered', details: { error: 'DeviceNotRegistered' } }

async function makePush(env: Client, names: string[]) {
  await makeWorkflow(env, 'hello', {
    steps: [{ name: 'push', type: 'push', controlValues: { subject: 'Hi', body: 'Hi' } }],
  })
  await makeIntegration(env, { providerId: 'expo', channel: 'push', credentials: {} })
  await env.post('/v2/subscribers', { subscriberId: 'ada' })
  const credentials = { deviceTokens: names.map(token) }
  await env.put('/v1/subscribers/ada/credentials', { providerId: 'expo', credentials })
}
async function send(env: Client) {
  const { transactionId } = await trigger(env, { to: 'ada' })
  await h.settled()
  return async () => {
    const { messages, jobs } = await storyOf(env, transactionId)
    const lines = jobs[0].executionDetails.filter((line: Json) => line.source === 'Webhook')
    return { message: messages[0], lines: lines.map((line: Json) => line.detail) }
  }
}
const tokensOf = async (env: Client) => (await env.get('/v2/subscribers/ada')).body.channels[0].credentials.deviceTokens
const waiting = async (env: Client) => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from receipt
    where environment_id = ${env.environmentId}`.execute(h.admin)
  return rows[0]?.n
}
/** As the loop would, so much later. */
async function ask(afterMs: number) {
  const { clock } = h.ctx
  const at = new Date(clock().getTime() + afterMs)
  h.ctx.clock = () => at
  try {
    await askReceipts.run(h.ctx)
  } finally {
    h.ctx.clock = clock
  }
}

test('a receipt says that it arrived: at one of several devices is enough', async () => {
  const env = await h.environment()
  await makePush(env, ['a', 'b'])
  const story = await send(env)
  expect((await story()).message).toMatchObject({ status: 'sent' })
  expect(await waiting(env)).toBe(2)
  await ask(14 * minute)
  expect(expo.requests.filter(({ url }) => url.endsWith('/getReceipts'))).toHaveLength(0)
  receipts = { [ticket('a')]: { status: 'error', message: 'too big', details: { error: 'MessageTooBig' } } }
  await ask(16 * minute)
  expect((await story()).lines).toEqual([])
  receipts[ticket('b')] = { status: 'ok' }
  await ask(40 * minute)
  const { message, lines } = await story()
  expect(message).toMatchObject({ status: 'sent' })
  expect(message.deliveredAt).toHaveLength(1)
  expect(lines).toEqual(['Message delivered'])
  expect(await waiting(env)).toBe(0)
})

test('one that no device got has bounced, and dead tokens go', async () => {
  const env = await h.environment()
  await makePush(env, ['a', 'b'])
  const story = await send(env)
  receipts = { [ticket('a')]: gone, [ticket('b')]: { status: 'error', message: 'too big', details: {} } }
  await ask(16 * minute)
  expect(await story()).toMatchObject({
    message: { status: 'error', errorId: 'bounced' },
    lines: ['Message bounced'],
  })
  expect(await tokensOf(env)).toEqual([token('b')])
})

test('what Expo does not know in a day stays unknown, and is not asked for any more', async () => {
  const env = await h.environment()
  await makePush(env, ['a'])
  const story = await send(env)
  expo.answer = { status: 500 }
  await ask(16 * minute)
  expect(await waiting(env)).toBe(1)
  await ask(24 * 60 * minute + minute)
  expect(await waiting(env)).toBe(0)
  expect((await story()).lines).toEqual(['The provider reports: no receipt'])
  expect((await story()).message).toMatchObject({ status: 'sent' })
})

test('what nobody can ask for goes in the end', async () => {
  const env = await h.environment()
  await makePush(env, ['a'])
  await send(env)
  const [{ _id }] = (await env.get('/v1/integrations')).body.filter((it: Json) => it.providerId === 'expo')
  await env.delete(`/v1/integrations/${_id}`)
  await ask(16 * minute)
  await ask(26 * 60 * minute)
  expect(await waiting(env)).toBe(0)
})

test('a mass of gone tokens removes none, until enough others are taken', async () => {
  const env = await h.environment()
  const names = Array.from({ length: 12 }, (_, n) => `d${n}`)
  await makePush(env, names)
  tickets = Object.fromEntries(names.map((name) => [token(name), gone]))
  await send(env)
  expect(await tokensOf(env)).toEqual(names.map(token))
  tickets = { [token('d0')]: gone }
  await send(env)
  expect(await tokensOf(env)).toHaveLength(12)
  // What Expo took is only told by receipts. Now 14 of 50 are gone: less than a third.
  tickets = {}
  expo.answer = ({ url, body }) => {
    const asked = JSON.parse(String(body))
    if (!url.endsWith('/send')) {
      return { json: { data: Object.fromEntries(asked.ids.map((id: string) => [id, { status: 'ok' }])) } }
    }
    return { json: { data: asked[0].to.map((name: string) => tickets[name] ?? { status: 'ok', id: randomUUID() }) } }
  }
  for (let n = 0; n < 3; n++) await send(env)
  await ask(16 * minute)
  tickets = { [token('d0')]: gone }
  await send(env)
  expect(await tokensOf(env)).toEqual(names.slice(1).map(token))
})

test('other credentials are judged anew', async () => {
  const env = await h.environment()
  const names = Array.from({ length: 12 }, (_, n) => `d${n}`)
  await makePush(env, names)
  tickets = Object.fromEntries(names.map((name) => [token(name), gone]))
  await send(env)
  expect(await tokensOf(env)).toHaveLength(12)
  const [{ _id }] = (await env.get('/v1/integrations')).body.filter((it: Json) => it.providerId === 'expo')
  await env.put(`/v1/integrations/${_id}`, { credentials: { apiKey: 'the right one' } })
  tickets = { [token('d0')]: gone }
  await send(env)
  expect(await tokensOf(env)).toEqual(names.slice(1).map(token))
})

test('a device that is still to be sent to is waited for', async () => {
  const env = await h.environment()
  await makePush(env, ['a', 'b'])
  tickets = { [token('b')]: { status: 'error', message: 'later', details: { error: 'MessageRateExceeded' } } }
  const { transactionId } = await trigger(env, { to: 'ada' })
  await expect.poll(async () => (await storyOf(env, transactionId)).messages[0]?.errorId).toBe('delivery_pending')
  await sql`update message set retry_at = now() + interval '1 hour' where environment_id = ${env.environmentId}`.execute(
    h.admin,
  )
  receipts = { [ticket('a')]: gone }
  await ask(16 * minute)
  const [message] = (await storyOf(env, transactionId)).messages
  expect(message).toMatchObject({ errorId: 'delivery_pending' })
  tickets = {}
  await sql`update message set retry_at = now() where environment_id = ${env.environmentId}`.execute(h.admin)
  await h.settled()
  receipts[ticket('b')] = { status: 'ok' }
  await ask(40 * minute)
  expect((await storyOf(env, transactionId)).messages[0].deliveredAt).toHaveLength(1)
})

test('two nodes that hold receipts of one message settle it together', async () => {
  const env = await h.environment()
  await makePush(env, ['a', 'b'])
  const story = await send(env)
  receipts = { [ticket('a')]: { status: 'ok' }, [ticket('b')]: { status: 'ok' } }
  const { rows } = await sql<DueReceipt>`select * from receipt where environment_id = ${env.environmentId}`.execute(
    h.admin,
  )
  const whose = { ...env, organizationId: '', keyId: '' }
  await Promise.all(rows.map((row) => askFor(h.ctx, whose, row.integration_id, [row])))
  expect((await story()).lines).toEqual(['Message delivered'])
  expect(await waiting(env)).toBe(0)
})

test('an integration that cannot be asked keeps no other from it', async () => {
  const [broken, sound] = [await h.environment(), await h.environment()]
  for (const env of [broken, sound]) await makePush(env, ['a'])
  await send(broken)
  const story = await send(sound)
  await sql`update integration set credentials = '{"apiKey":"not sealed"}' where environment_id = ${broken.environmentId}
    and provider_id = 'expo'`.execute(h.admin)
  receipts = { [ticket('a')]: { status: 'ok' } }
  await ask(16 * minute)
  expect((await story()).lines).toEqual(['Message delivered'])
})

test('a few gone tokens go at once', async () => {
  const env = await h.environment()
  await makePush(env, ['a', 'b', 'c'])
  tickets = { [token('b')]: gone }
  await send(env)
  expect(await tokensOf(env)).toEqual([token('a'), token('c')])
})
