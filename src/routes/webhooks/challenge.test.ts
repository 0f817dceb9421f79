import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Client, type Json, sender, useHarness } from '../../../test/harness.ts'
import { emailStep, makeIntegration, storyOf } from '../../../test/outside.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'

const h = useHarness({}, { worker: true })
const credentials = { apiToken: 'EAAG', phoneNumberIdentification: '106540352242922', token: 'the verify token' }
const configurations = { inboundWebhookEnabled: true, inboundWebhookSigningKey: 'the-app-secret' }

async function listen(env: Client, changes: object = {}): Promise<Json> {
  const values = { providerId: 'whatsapp-business', channel: 'chat', check: false, credentials, configurations }
  return makeIntegration(env, { ...values, ...changes })
}

const ask = (id: string, token: string, base = h.url) => {
  const query = new URLSearchParams({
    'hub.mode': 'subscribe',
    'hub.challenge': '1158201444',
    'hub.verify_token': token,
  })
  return sender(base)('GET', `/v1/webhooks/${id}?${query}`, { key: null })
}

describe('GET /v1/webhooks/{integrationId}', () => {
  test('gives the challenge back as plain text to who knows the verify token, and notes that it was asked', async () => {
    const env = await h.environment()
    const { _id } = await listen(env)
    const reply = await ask(_id, 'the verify token')
    expect([reply.status, reply.text]).toEqual([200, '1158201444'])
    expect(reply.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
    const proxied = await h.node({ PUBLIC_URL: 'https://notify.example.com/tidings/' })
    expect((await ask(_id, 'the verify token', proxied.url)).text).toBe('1158201444')
    const told = async () =>
      (await sql<Json>`select told from callback_arrival where integration_id = ${_id}`.execute(h.admin)).rows[0]?.told
    await expect.poll(told).toEqual([{ kind: 'confirmed', messageId: null }])
  })

  test('404 for everybody else, and wherever nobody listens', async () => {
    const env = await h.environment()
    const { _id } = await listen(env)
    const noToken = await listen(env, { credentials: { ...credentials, token: undefined } })
    const deaf = await listen(env, { configurations: {} })
    const mailgun = await makeIntegration(env, {
      providerId: 'mailgun',
      channel: 'email',
      active: false,
      configurations,
    })
    const asked = [
      ask(_id, 'another token'),
      ask(_id, ''),
      ask(_id, 'the-app-secret'),
      h.send('GET', `/v1/webhooks/${_id}`, { key: null }),
      ask(noToken._id, ''),
      ask(noToken._id, 'the verify token'),
      ask(deaf._id, 'the verify token'),
      ask(mailgun._id, 'the verify token'),
      ask('nothing', 'the verify token'),
    ]
    for (const reply of await Promise.all(asked)) expect(reply.body.code).toBe('webhook_not_found')
  })

  test('what was asked for may be anything', async () => {
    const env = await h.environment()
    const { _id } = await listen(env)
    for (const query of [
      'hub.challenge=%00%ff&hub.mode',
      '%',
      'a&'.repeat(3_000),
      `hub.challenge=${'x'.repeat(6_000)}`,
    ]) {
      expect((await h.send('GET', `/v1/webhooks/${_id}?${query}`, { key: null })).status).toBe(404)
    }
  })
})

test('WhatsApp: a message that was read also arrived; what people write is taken and left', async () => {
  const env = await h.environment()
  await makeWorkflow(env, 'hello', { steps: [emailStep] })
  await makeIntegration(env, { providerId: 'platform-email', channel: 'email' })
  const { transactionId } = await trigger(env, { to: { subscriberId: 'ada', email: 'ada@example.org' } })
  await h.settled()
  const { _id } = await listen(env)
  // As if it had gone this way.
  await sql`update message set channel = 'chat', provider_id = 'whatsapp-business', integration_id = ${_id},
    external_id = 'wamid.1', address = '+15005550006' where environment_id = ${env.environmentId}`.execute(h.admin)
  const tell = (value: object) => {
    const raw = JSON.stringify({ entry: [{ id: '1', changes: [{ field: 'messages', value }] }] })
    const signature = createHmac('sha256', 'the-app-secret').update(raw).digest('hex')
    const headers = { 'x-hub-signature-256': `sha256=${signature}` }
    return h.send('POST', `/v1/webhooks/${_id}`, { raw, headers, key: null })
  }
  const read = { statuses: [{ id: 'wamid.1', status: 'read', timestamp: '1750263773' }] }
  expect((await tell({ messages: [{ id: 'wamid.2', type: 'text', text: { body: 'Hi' } }] })).body).toEqual({
    received: 0,
  })
  for (let n = 0; n < 2; n++) expect((await tell(read)).body).toEqual({ received: 1 })
  const { messages, jobs } = await storyOf(env, transactionId)
  const told = jobs[0].executionDetails.filter((line: Json) => line.source === 'Webhook')
  expect(told.map((line: Json) => line.detail)).toEqual(['Message delivered', 'Message opened'])
  expect(Date.parse(messages[0].deliveredAt[0])).toBeGreaterThan(Date.parse(messages[0].createdAt))
})

test('a vendor that reports by GET is read there, with its key alone', async () => {
  const env = await h.environment()
  await makeWorkflow(env, 'hello', { steps: [{ name: 'Text', type: 'sms', controlValues: { body: 'Hi' } }] })
  await makeIntegration(env, { providerId: 'platform-sms', channel: 'sms' })
  const { transactionId } = await trigger(env, { to: { subscriberId: 'ada', phone: '+31612345678' } })
  await h.settled()
  const key = { inboundWebhookEnabled: true, inboundWebhookSigningKey: 'a long key' }
  const { _id } = await makeIntegration(env, {
    providerId: 'messagebird',
    channel: 'sms',
    active: false,
    configurations: key,
  })
  await sql`update message set integration_id = ${_id}, external_id = 'm1'
    where environment_id = ${env.environmentId}`.execute(h.admin)
  const report = (given: string) => {
    const query = new URLSearchParams({ key: given, id: 'm1', status: 'delivered' })
    return h.send('GET', `/v1/webhooks/${_id}?${query}`, { key: null })
  }
  const refused = await report('another key')
  expect(refused.status).toBe(401)
  expect(refused.text).not.toContain('another key')
  expect(await report('a long key')).toMatchObject({ status: 200, body: { received: 1 } })
  const { messages } = await storyOf(env, transactionId)
  expect(messages[0].deliveredAt).toHaveLength(1)
})
