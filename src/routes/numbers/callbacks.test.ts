import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { type Client, useHarness } from '../../../test/harness.ts'
import { allowing, emailStep, makeIntegration } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'

const vendor = await startHttpReceiver()
const h = useHarness(allowing(vendor.port), { worker: true })
const signingKey = 'signing-key-of-mailgun'
beforeEach(() => {
  vendor.answer = { status: 200, json: { id: '<taken@mg.example>' } }
})
afterAll(() => vendor.close())

/** An environment that sends through Mailgun, with one message under way; returns how Mailgun reports on it. */
async function makeMessage(env: Client): Promise<(event: object) => Promise<void>> {
  await makeWorkflow(env, 'hello', { steps: [emailStep] })
  const { _id } = await makeIntegration(env, {
    providerId: 'mailgun',
    channel: 'email',
    credentials: { apiKey: 'key-of-mailgun', domain: 'mg.example', baseUrl: vendor.url, from: 'team@example.com' },
    configurations: { inboundWebhookEnabled: true, inboundWebhookSigningKey: signingKey },
  })
  await trigger(env, { to: { subscriberId: 'ada', email: 'ada@example.com' } })
  await h.drain()
  return async (event) => {
    const [timestamp, token] = [String(Math.floor(Date.now() / 1000)), Math.random().toString(36)]
    const signature = createHmac('sha256', signingKey)
      .update(timestamp + token)
      .digest('hex')
    const { rows } = await sql<{ id: string }>`
      select id from message where environment_id = ${env.environmentId}`.execute(h.admin)
    const data = { ...event, 'user-variables': { tidings_message_id: rows[0]?.id } }
    const headers = { message: { headers: { 'message-id': 'taken@mg.example' } } }
    const body = { signature: { timestamp, token, signature }, 'event-data': { ...data, ...headers } }
    const reply = await h.send('POST', `/v1/webhooks/${_id}`, { body, key: null })
    expect(reply.status, reply.text).toBe(200)
  }
}
const totals = async (env: Client) => (await env.get('/v1/numbers?channel=email')).body.totals
const bounced = { event: 'failed', severity: 'permanent', reason: 'bounce' }

test('what a vendor tells later is counted once, however often it is told', async () => {
  const env = await h.environment()
  const tell = await makeMessage(env)
  await h.settled()
  await tell({ event: 'delivered' })
  await tell({ event: 'delivered' })
  expect(await totals(env)).toMatchObject({ sent: 1, delivered: 1, bounced: 0 })
  await tell(bounced)
  await tell({ event: 'complained' })
  expect(await totals(env)).toMatchObject({ sent: 1, failed: 0, delivered: 1, bounced: 1, complained: 1 })
})

test('a message that waited for its next try is sent by this, and counted as sent', async () => {
  const env = await h.environment()
  vendor.answer = { status: 503, headers: { 'retry-after': '3600' } }
  const tell = await makeMessage(env)
  expect(await totals(env)).toMatchObject({ retried: 1, sent: 0 })
  await tell({ event: 'delivered' })
  expect(await totals(env)).toMatchObject({ retried: 1, sent: 1, delivered: 1 })
})
