import { createHmac } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { type Client, useHarness } from '../../../test/harness.ts'
import { allowing, emailStep, makeIntegration, storyOf } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'

const vendor = await startHttpReceiver()
vendor.answer = { status: 200, json: { id: '<taken@mg.example>' } }
const h = useHarness(allowing(vendor.port), { worker: true })
afterAll(() => vendor.close())

const signingKey = 'signing-key-of-mailgun'
const listening = { inboundWebhookEnabled: true, inboundWebhookSigningKey: signingKey }
const nothing = { lastAt: null, last: [], refusedAt: null, refused: null }

function mailgun(configurations: object = listening) {
  const credentials = { apiKey: 'key-of-mailgun', domain: 'mg.example', baseUrl: vendor.url, from: 'team@example.com' }
  return { providerId: 'mailgun', channel: 'email', credentials, configurations }
}

function signed(event: object, key = signingKey) {
  const [timestamp, token] = [String(Math.floor(Date.now() / 1000)), Math.random().toString(36)]
  const signature = createHmac('sha256', key)
    .update(timestamp + token)
    .digest('hex')
  return { signature: { timestamp, token, signature }, 'event-data': event }
}

async function callbacksOf(env: Client, id: string) {
  const reply = await env.get(`/v1/integrations/${id}/callbacks`)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

async function withPublicUrl<T>(publicUrl: string, work: () => Promise<T>): Promise<T> {
  const { config } = h.ctx
  h.ctx.config = { ...config, publicUrl }
  try {
    return await work()
  } finally {
    h.ctx.config = config
  }
}

test('before anything arrives: whether calls are taken, and where to', async () => {
  const env = await h.environment()
  const { _id } = await makeIntegration(env, mailgun())
  expect(await callbacksOf(env, _id)).toEqual({ enabled: true, url: null, ...nothing })
  await withPublicUrl('https://tidings.example', async () => {
    expect(await callbacksOf(env, _id)).toMatchObject({ url: `https://tidings.example/v1/webhooks/${_id}` })
  })
  await env.put(`/v1/integrations/${_id}`, { configurations: { inboundWebhookEnabled: false } })
  expect(await callbacksOf(env, _id)).toMatchObject({ enabled: false })
})

test('a key that belongs into the address is not shown', async () => {
  const env = await h.environment()
  const { _id } = await makeIntegration(env, {
    providerId: 'brevo-sms',
    channel: 'sms',
    credentials: { apiKey: 'key-of-brevo', from: 'Team' },
    configurations: listening,
  })
  await withPublicUrl('https://tidings.example', async () => {
    expect(await callbacksOf(env, _id)).toMatchObject({
      enabled: true,
      url: `https://tidings.example/v1/webhooks/${_id}?key=…`,
    })
  })
})

test('a vendor that never calls', async () => {
  const env = await h.environment()
  const { body } = await env.post('/v1/integrations', { providerId: 'platform-email', channel: 'email' })
  await withPublicUrl('https://tidings.example', async () => {
    expect(await callbacksOf(env, body._id)).toEqual({ enabled: false, url: null, ...nothing })
  })
})

test('the last call that was believed, with its message, and the last that was not', async () => {
  const env = await h.environment()
  await makeWorkflow(env, 'hello', { steps: [emailStep] })
  const { _id } = await makeIntegration(env, mailgun())
  const { transactionId } = await trigger(env, { to: { subscriberId: 'ada', email: 'ada@example.org' } })
  await h.settled()
  const { messages } = await storyOf(env, transactionId)
  const [message] = messages
  const call = (body: object) => h.send('POST', `/v1/webhooks/${_id}`, { body, key: null })
  const about = { 'user-variables': { tidings_message_id: message._id } }

  expect((await call(signed({ event: 'delivered', ...about }, 'another key'))).status).toBe(401)
  await expect
    .poll(() => callbacksOf(env, _id))
    .toMatchObject({ lastAt: null, last: [], refusedAt: expect.any(String), refused: expect.stringMatching(/key/) })

  expect((await call(signed({ event: 'delivered', ...about }))).status).toBe(200)
  await expect
    .poll(() => callbacksOf(env, _id))
    .toMatchObject({
      lastAt: expect.stringMatching(/^\d{4}-.*Z$/),
      last: [{ kind: 'delivered', messageId: message._id, notificationId: message._notificationId }],
      refused: expect.any(String),
    })
})

test('a call about a message that nobody knows here', async () => {
  const env = await h.environment()
  const { _id } = await makeIntegration(env, mailgun())
  const body = signed({ event: 'delivered', message: { headers: { 'message-id': 'foreign@mg.example' } } })
  expect((await h.send('POST', `/v1/webhooks/${_id}`, { body, key: null })).status).toBe(200)
  const last = [{ kind: 'delivered', messageId: null, notificationId: null }]
  await expect.poll(() => callbacksOf(env, _id)).toMatchObject({ last })
})
