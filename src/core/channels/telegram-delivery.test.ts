import { afterAll, beforeEach, expect, test } from 'vitest'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { allowing, makeIntegration, storyOf } from '../../../test/outside.ts'
import { makeSubscribers, makeWorkflow, trigger } from '../../../test/pipeline.ts'
import { startTelegram } from '../../../test/vendors/telegram.ts'

const telegram = await startTelegram()
afterAll(() => telegram.close())
const h = useHarness({ ...allowing(telegram.port), PUBLIC_URL: 'https://tidings.example.com' }, { worker: true })

beforeEach(() => {
  telegram.posted.length = 0
})

async function arrange(): Promise<Client> {
  const env = await h.environment()
  const step = { name: 'Chat', type: 'chat', controlValues: { body: 'Order {{payload.order}}' } }
  await makeWorkflow(env, 'hello', { steps: [step] })
  await makeSubscribers(env, ['ada'])
  await makeIntegration(env, {
    providerId: 'telegram',
    channel: 'chat',
    credentials: { apiToken: telegram.token, baseUrl: telegram.url },
    configurations: { inboundWebhookEnabled: true, inboundWebhookSigningKey: 'a key of our own' },
  })
  return env
}

/** Hands what the bot's server posts to its webhook on to the server under test. */
async function say(text: string, chatId = 7): Promise<void> {
  const hook = telegram.webhook()
  const update = { update_id: 1, message: { message_id: 1, date: 0, chat: { id: chatId, type: 'private' }, text } }
  const sent = await h.send('POST', new URL(hook?.url ?? '').pathname, {
    body: update,
    headers: { 'x-telegram-bot-api-secret-token': hook?.secretToken ?? '' },
    key: null,
  })
  expect(sent.status, sent.text).toBe(200)
}

async function link(env: Client, more: Json = {}): Promise<string> {
  const body = { integrationIdentifier: 'telegram', subscriberId: 'ada', ...more }
  const made = await env.post('/v1/integrations/channel-endpoints/link', body)
  expect(made.status, made.text).toBe(200)
  return new URL(made.body.url).searchParams.get('start') ?? ''
}

async function send(env: Client) {
  const { transactionId } = await trigger(env, { to: 'ada', payload: { order: 7 } })
  await h.settled()
  return (await storyOf(env, transactionId)).messages
}

// First: nobody has told the bot yet where to call.
test('a group that became a supergroup is followed', async () => {
  const env = await arrange()
  telegram.open(-5)
  const place = { type: 'telegram_chat', endpoint: { chatId: '-5' } }
  await env.post('/v1/channel-endpoints', { subscriberId: 'ada', integrationIdentifier: 'telegram', ...place })
  await telegram.migrate(-5, -1005)
  expect(await send(env)).toMatchObject([{ status: 'sent' }])
  expect(telegram.posted).toMatchObject([{ chatId: -1005 }])
  const [endpoint] = (await env.get('/v1/channel-endpoints')).body.data
  expect(endpoint.endpoint).toEqual({ chatId: '-1005' })
})

test('who opens the link is reached; once; and who stops the bot is left in peace', async () => {
  const env = await arrange()
  const listening = await env.post('/v1/integrations/telegram/webhook/configure')
  expect(listening.body, listening.text).toMatchObject({ botUsername: expect.any(String) })
  expect(telegram.webhook()?.url).toBe(listening.body.webhookUrl)

  const code = await link(env)
  telegram.open(7)
  await say(`/start ${code}`)
  await say(`/start ${code}`, 8)
  await say('/start nonsense', 9)
  const endpoints = async () => (await env.get('/v1/channel-endpoints?subscriberId=ada')).body.data
  expect(await endpoints()).toMatchObject([{ type: 'telegram_chat', endpoint: { chatId: '7' }, goneAt: null }])
  expect(await send(env)).toMatchObject([{ status: 'sent', providerId: 'telegram' }])
  expect(telegram.posted).toMatchObject([{ chatId: 7, json: { text: 'Order 7' } }])

  telegram.deactivate(7)
  expect(await send(env)).toMatchObject([{ status: 'error' }])
  const asked = telegram.requests.length
  expect(await send(env)).toMatchObject([{ status: 'error', errorText: expect.stringContaining('no longer exists') }])
  expect(telegram.requests.length).toBe(asked)
  expect(await endpoints()).toMatchObject([{ goneAt: expect.any(String) }])

  // Started anew, the same chat is tried again.
  telegram.open(7)
  await say(`/start ${await link(env)}`)
  expect(await send(env)).toMatchObject([{ status: 'sent' }])
})

test('a code of one environment links nobody in another', async () => {
  const [env, other] = [await arrange(), await arrange()]
  await env.post('/v1/integrations/telegram/webhook/configure')
  const code = await link(other)
  await say(`/start ${code}`)
  expect((await env.get('/v1/channel-endpoints')).body.data).toEqual([])
  expect((await other.get('/v1/channel-endpoints')).body.data).toEqual([])
})
