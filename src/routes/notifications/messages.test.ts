import { afterAll, beforeEach, expect, test } from 'vitest'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { allowing, emailWebhook, makeIntegration } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'

const receiver = await startHttpReceiver()
const h = useHarness(allowing(receiver.port), { worker: true })
beforeEach(() => {
  receiver.requests.length = 0
  receiver.answer = { status: 200 }
})
afterAll(() => receiver.close())

const steps = [
  { name: 'Inbox', type: 'in_app', controlValues: { subject: 'Hi', body: 'Hello {{subscriber.firstName}}' } },
  {
    name: 'Mail',
    type: 'email',
    controlValues: {
      subject: 'Order {{payload.order}}',
      body: '<p>Hello {{subscriber.firstName}}</p>',
      preheader: 'In short',
      from: { email: 'shop@example.com', name: 'The Shop' },
      replyTo: 'help@example.com',
    },
  },
]

async function messagesOf(env: Client, event: Record<string, unknown> = {}): Promise<Json[]> {
  const to = { subscriberId: 'ada', firstName: 'Ada', email: 'ada@example.com' }
  const { transactionId } = await trigger(env, { to, payload: { order: 7 }, ...event })
  await h.settled()
  const [row] = (await env.get(`/v1/notifications?transactionId=${transactionId}`)).body.data
  return (await env.get(`/v1/notifications/${row._id}/messages`)).body.data
}

test('each message is shown as the person saw it, in the order of the steps', async () => {
  const env = await h.environment()
  await makeIntegration(env, emailWebhook(receiver.url))
  await makeWorkflow(env, 'hello', { steps })
  const [inApp, mail] = await messagesOf(env)
  expect(inApp).toMatchObject({ channel: 'in_app', stepId: 'inbox', subject: 'Hi', content: 'Hello Ada', attempts: [] })
  expect(mail).toMatchObject({
    channel: 'email',
    stepId: 'mail',
    status: 'sent',
    delivery: 'sent',
    subject: 'Order 7',
    to: 'ada@example.com',
    from: { email: 'shop@example.com', name: 'The Shop' },
    replyTo: 'help@example.com',
    providerId: 'email-webhook',
    text: 'Hello Ada',
    attempts: [{ number: 1, outcome: 'sent', providerId: 'email-webhook', integrationRefused: false }],
  })
  // Letter for letter what the provider was given.
  expect(receiver.requests).toMatchObject([{ json: { html: mail.html, text: mail.text } }])
  expect(mail.html).toContain('In short')
})

test('what the trigger said in place of the template is what is shown', async () => {
  const env = await h.environment()
  await makeIntegration(env, emailWebhook(receiver.url))
  await makeWorkflow(env, 'hello', { steps })
  const overrides = { email: { subject: 'Other', html: '<b>Other</b>' } }
  const [, mail] = await messagesOf(env, { overrides })
  expect(mail).toMatchObject({ subject: 'Other', html: '<b>Other</b>' })
  expect(receiver.requests[0]?.json).toMatchObject({ subject: 'Other', html: '<b>Other</b>' })
})

test("every try is told with the provider's words", async () => {
  const env = await h.environment()
  await makeIntegration(env, emailWebhook(receiver.url))
  await makeWorkflow(env, 'hello', { steps })
  receiver.answer = () =>
    receiver.requests.length < 2 ? { status: 503 } : { status: 400, json: { message: 'no such mailbox' } }
  const [, mail] = await messagesOf(env)
  expect(mail).toMatchObject({ status: 'error', delivery: 'rejected', errorId: 'provider_rejected' })
  expect(mail.attempts).toMatchObject([
    { number: 1, outcome: 'retry', reason: expect.stringContaining('503') },
    { number: 2, outcome: 'rejected', reason: expect.stringContaining('no such mailbox') },
  ])
  expect(Date.parse(mail.attempts[0].endedAt)).toBeGreaterThanOrEqual(Date.parse(mail.attempts[0].startedAt))
})

test('an id of any other shape, and one of nobody, are not found', async () => {
  const env = await h.environment()
  for (const id of ['x', '0198c000-0000-7000-8000-000000000001']) {
    expect((await env.get(`/v1/notifications/${id}/messages`)).body).toMatchObject({ code: 'notification_not_found' })
  }
})
