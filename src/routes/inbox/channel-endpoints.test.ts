import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { hashOf, type Inbox, openInbox } from '../../../test/client/inbox-session.ts'
import { browserSubscription, makeBot, makeWebPush } from '../../../test/fixtures/channel-endpoints.ts'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { allowing } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'

const vendor = await startHttpReceiver()
afterAll(() => vendor.close())
const h = useHarness({ ...allowing(vendor.port), PUBLIC_URL: 'https://tidings.example.com' })
const path = '/channel-endpoints'
const contexts = (env: Client) => ({ context: { tenant: 'acme' }, contextHash: hashOf(env.key, '{"tenant":"acme"}') })
const list = async (inbox: Inbox): Promise<Json[]> => (await inbox.send('GET', path)).body.data

async function start() {
  const env = await h.environment()
  const integrationIdentifier = await makeWebPush(env)
  return { env, push: { integrationIdentifier, type: 'web_push', endpoint: browserSubscription } }
}

test('a browser registers its push subscription once, for its own person and contexts', async () => {
  const { env, push } = await start()
  const ada = await openInbox(env, 'ada', contexts(env))
  const replies = await Promise.all(Array.from({ length: 5 }, () => ada.send('POST', path, push)))
  expect(replies.map((it) => it.status)).toEqual(Array(5).fill(201))
  const [identifier, ...others] = new Set(replies.map(({ body }) => body.data.identifier))
  expect(others).toEqual([])
  expect(replies[0]?.body).toEqual({ data: { identifier, type: 'web_push' } })
  const kept = await env.get(`/v1/channel-endpoints/${identifier}`)
  expect(kept.body).toMatchObject({
    subscriberId: 'ada',
    contextKeys: ['tenant:acme'],
    endpoint: browserSubscription,
    connectionIdentifier: null,
  })
  expect((await env.get('/v1/channel-endpoints')).body.data).toHaveLength(1)
  expect(JSON.stringify(await list(ada))).not.toContain('push.example.com')
})

test('what else is in the body says nothing: no contexts, no connection, no name of its own', async () => {
  const { env, push } = await start()
  const ada = await openInbox(env, 'ada', contexts(env))
  const more = { context: { tenant: 'other' }, connectionIdentifier: 'x', identifier: 'mine' }
  const made = await ada.send('POST', path, { ...push, ...more })
  expect(made.status, made.text).toBe(201)
  const [kept] = (await env.get('/v1/channel-endpoints')).body.data
  expect(kept).toMatchObject({ contextKeys: ['tenant:acme'], connectionIdentifier: null })
  expect(kept.identifier).not.toBe('mine')
})

test.each([
  ['slack_user', { userId: 'U1' }],
  ['slack_channel', { channelId: 'C1' }],
  ['webhook', { url: 'https://hooks.example.com/1' }],
  ['phone', { phoneNumber: '+4915100000000' }],
  ['telegram_chat', { chatId: '1' }],
  ['ntfy_topic', { topic: 'news' }],
])('a browser cannot name a place of the type %s', async (type, endpoint) => {
  const { env, push } = await start()
  const ada = await openInbox(env, 'ada')
  const reply = await ada.send('POST', path, { ...push, type, endpoint })
  expect(reply.body).toMatchObject({ statusCode: 422, errors: { type: expect.anything() } })
  expect(await list(ada)).toEqual([])
})

test('a browser cannot send us to our own network, nor give its subscription to an integration of another kind', async () => {
  const { env, push } = await start()
  const ada = await openInbox(env, 'ada')
  for (const at of ['https://10.0.0.1/push', 'https://[::1]/push', 'https://169.254.169.254/latest', 'file:///etc']) {
    const endpoint = { ...browserSubscription, endpoint: at }
    expect((await ada.send('POST', path, { ...push, endpoint })).status, at).toBe(422)
  }
  const bot = await makeBot(env)
  expect((await ada.send('POST', path, { ...push, integrationIdentifier: bot })).body.errors).toHaveProperty('type')
  expect((await ada.send('POST', path, { ...push, integrationIdentifier: 'none' })).body.code).toBe(
    'integration_not_found',
  )
  expect(await list(ada)).toEqual([])
})

test('a person has at most a hundred at an integration, also when all come at once', async () => {
  const { env, push } = await start()
  const ada = await openInbox(env, 'ada')
  const at = (n: number) => ({
    ...push,
    endpoint: { ...browserSubscription, endpoint: `https://push.example.com/${n}` },
  })
  for (let n = 0; n < 98; n++) await env.post('/v1/channel-endpoints', { ...at(n), subscriberId: 'ada' })
  const replies = await Promise.all([98, 99, 100, 101, 102].map((n) => ada.send('POST', path, at(n))))
  expect(replies.map((it) => it.status).sort()).toEqual([201, 201, 409, 409, 409])
  expect((await ada.send('POST', path, at(0))).status, 'one that is there').toBe(201)
})

test('a bot is linked by an address; while the vendor is asked, no transaction is open', async () => {
  const env = await h.environment()
  const open: (number | undefined)[] = []
  vendor.answer = async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from pg_stat_activity
      where datname = current_database() and state like 'idle in transaction%'`.execute(h.admin)
    open.push(rows[0]?.n)
    return { body: JSON.stringify({ ok: true, result: { id: 1, is_bot: true, username: 'acme_bot' } }) }
  }
  const made = await env.post('/v1/integrations', {
    providerId: 'telegram',
    channel: 'chat',
    credentials: { apiToken: '1:a-token-of-a-bot', baseUrl: vendor.url },
  })
  const ada = await openInbox(env, 'ada', contexts(env))
  const reply = await ada.send('POST', `${path}/link`, { integrationIdentifier: made.body.identifier })
  expect(reply.status, reply.text).toBe(200)
  expect(reply.body.data.url).toMatch(/^https:\/\/t\.me\/acme_bot\?start=[A-Za-z0-9_-]{54}$/)
  expect(open).toEqual([0])
  const { rows } = await sql<{ wanted: unknown }>`
    select wanted from connect_attempt where environment_id = ${env.environmentId}`.execute(h.admin)
  expect(rows).toEqual([{ wanted: { subscriberId: 'ada', contextKeys: ['tenant:acme'] } }])
})
