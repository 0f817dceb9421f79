import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Client, type Json, sender, useHarness } from '../../../test/harness.ts'
import { allowing, emailStep, makeIntegration, storyOf } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'
import { purgeCallbackTokens } from '../../store/feedback/callback-tokens.ts'

const vendor = await startHttpReceiver()
const h = useHarness(allowing(vendor.port), { worker: true })
const signingKey = 'signing-key-of-mailgun'
const ada = { subscriberId: 'ada', firstName: 'Ada', email: 'Ada@example.org' }

let sent = 0
beforeEach(() => {
  vendor.requests.length = 0
  vendor.answer = () => ({ status: 200, json: { id: `<${process.pid}.${++sent}@mg.example>` } })
})

function mailgun(configurations: object) {
  const credentials = { apiKey: 'key-of-mailgun', domain: 'mg.example', baseUrl: vendor.url, from: 'team@example.com' }
  return { providerId: 'mailgun', channel: 'email', credentials, configurations }
}
const listening = { inboundWebhookEnabled: true, inboundWebhookSigningKey: signingKey }

/** A message that Mailgun took, and how Mailgun speaks of it. */
async function makeSent(env: Client, configurations: object = {}) {
  await makeWorkflow(env, 'hello', { steps: [emailStep] })
  const { _id } = await makeIntegration(env, mailgun({ ...listening, ...configurations }))
  const { transactionId } = await trigger(env, { to: ada })
  await h.settled()
  const story = async () => {
    const { messages, jobs } = await storyOf(env, transactionId)
    return { message: messages[0], job: jobs[0] }
  }
  const { message } = await story()
  const externalId = `${process.pid}.${sent}@mg.example`
  return { path: `/v1/webhooks/${_id}`, story, messageId: message._id as string, externalId }
}

function signed(event: object, key = signingKey, seconds = Math.floor(Date.now() / 1000)) {
  const [timestamp, token] = [String(seconds), Math.random().toString(36)]
  const signature = createHmac('sha256', key)
    .update(timestamp + token)
    .digest('hex')
  return { signature: { timestamp, token, signature }, 'event-data': event }
}

const events = {
  delivered: { event: 'delivered' },
  bounced: {
    event: 'failed',
    severity: 'permanent',
    reason: 'bounce',
    'delivery-status': { message: '550 no such user' },
  },
  refused: { event: 'failed', severity: 'permanent', reason: 'generic' },
  complained: { event: 'complained' },
}
const about = ({ externalId }: { externalId: string }, event: object) =>
  signed({ ...event, message: { headers: { 'message-id': externalId } } })
const tell = (path: string, body: object) => h.send('POST', path, { body, key: null })
const details = (job: Json) =>
  job.executionDetails.filter((line: Json) => line.source === 'Webhook').map((line: Json) => line.detail)
const suppressed = async (env: Client) =>
  (await env.get('/v1/suppressions')).body.data.map((it: Json) => `${it.address} ${it.reason}`)

describe('POST /v1/webhooks/{integrationId}', () => {
  test('delivered: told once, however often it is said', async () => {
    const env = await h.environment()
    const it = await makeSent(env)
    for (let n = 0; n < 3; n++) {
      const reply = await tell(it.path, about(it, events.delivered))
      expect(reply).toMatchObject({ status: 200, body: { received: 1 } })
    }
    await Promise.all(Array.from({ length: 5 }, () => tell(it.path, about(it, events.delivered))))
    const { message, job } = await it.story()
    expect(message.status).toBe('sent')
    expect(Date.parse(message.deliveredAt[0])).toBeGreaterThan(Date.parse(message.createdAt))
    expect(job.status).toBe('completed')
    expect(job.executionDetails.filter((line: Json) => line.source === 'Webhook')).toMatchObject([
      { detail: 'Message delivered', status: 'Success', providerId: 'mailgun' },
    ])
    expect(await suppressed(env)).toEqual([])
  })

  test('it only ever moves on: a bounce after delivery marks it, nothing takes it back', async () => {
    const env = await h.environment()
    const it = await makeSent(env)
    await tell(it.path, about(it, events.delivered))
    const deliveredAt = (await it.story()).message.deliveredAt
    await tell(it.path, about(it, events.bounced))
    await tell(it.path, about(it, events.delivered))
    const bounced = await it.story()
    expect(bounced.message).toMatchObject({
      status: 'error',
      errorId: 'bounced',
      errorText: '550 no such user',
      deliveredAt,
    })
    await tell(it.path, about(it, events.complained))
    await tell(it.path, about(it, events.bounced))
    const { message, job } = await it.story()
    expect(message).toMatchObject({ status: 'warning', errorId: 'complained' })
    expect(details(job)).toEqual(['Message delivered', 'Message bounced', 'Recipient complained'])
  })

  test('what bounced for good or complained goes on the suppression list, and nothing more is sent there', async () => {
    const env = await h.environment()
    const it = await makeSent(env)
    await tell(it.path, about(it, events.refused))
    expect((await it.story()).message.errorId).toBe('bounced')
    expect(await suppressed(env)).toEqual([])
    await tell(it.path, signed({ ...events.complained, 'user-variables': { tidings_message_id: it.messageId } }))
    expect(await suppressed(env)).toEqual(['ada@example.org complained'])
    vendor.requests.length = 0
    const { transactionId } = await trigger(env, { to: ada })
    await h.settled()
    expect((await storyOf(env, transactionId)).messages).toMatchObject([{ errorId: 'suppressed' }])
    expect(vendor.requests).toEqual([])
  })

  test('the address the vendor names counts, not only the one we sent to', async () => {
    const env = await h.environment()
    const it = await makeSent(env)
    const copy = {
      ...events.bounced,
      recipient: 'Copy@Example.org',
      message: { headers: { 'message-id': it.externalId } },
    }
    await tell(it.path, signed(copy))
    expect(await suppressed(env)).toEqual(['copy@example.org bounced'])
  })

  test('ends doubt: what had no clear answer and was left alone did arrive', async () => {
    const env = await h.environment()
    vendor.answer = 'accept then reset'
    const it = await makeSent(env, { whenUnknown: 'atMostOnce' })
    expect(vendor.requests).toHaveLength(1)
    expect((await it.story()).message).toMatchObject({ status: 'warning', errorId: 'delivery_unknown' })
    await tell(it.path, signed({ ...events.delivered, 'user-variables': { tidings_message_id: it.messageId } }))
    const { message } = await it.story()
    expect(message.status).toBe('sent')
    expect(message.errorId).toBeUndefined()
  })

  test('a message that waits for its next try is not sent again once it is known to have arrived', async () => {
    const env = await h.environment()
    const it = await makeSent(env)
    // As if the only try so far had been left without an answer.
    await sql`update message set delivery = 'open', status = 'warning', error_id = 'delivery_unknown', external_id = null,
      retry_at = now() + interval '1 hour', expires_at = now() + interval '1 day' where id = ${it.messageId}`.execute(
      h.admin,
    )
    await sql`update job set status = 'queued' where environment_id = ${env.environmentId}`.execute(h.admin)
    await tell(it.path, signed({ ...events.delivered, 'user-variables': { tidings_message_id: it.messageId } }))
    const { message, job } = await it.story()
    expect([message.status, job.status]).toEqual(['sent', 'completed'])
    const { rows } = await sql<Json>`select retry_at from message where id = ${it.messageId}`.execute(h.admin)
    expect(rows).toEqual([{ retry_at: null }])
    await h.settled()
    expect(vendor.requests).toHaveLength(1)
  })

  test.each([
    [events.delivered, { status: 'sent' }],
    [events.bounced, { status: 'error', errorId: 'bounced' }],
    [events.complained, { status: 'warning', errorId: 'complained' }],
  ])('%o may come before the answer to the very request that sent it', async (event, expected) => {
    const env = await h.environment()
    await makeWorkflow(env, 'hello', { steps: [emailStep] })
    const { _id } = await makeIntegration(env, mailgun(listening))
    const told = Promise.withResolvers<void>()
    vendor.answer = async () => {
      await told.promise
      return { status: 200, json: { id: '<early@mg.example>' } }
    }
    const { transactionId } = await trigger(env, { to: ada })
    await expect.poll(() => vendor.requests.length, { timeout: 5_000 }).toBe(1)
    const messageId = (await env.get('/v1/messages')).body.data[0]._id
    await tell(`/v1/webhooks/${_id}`, signed({ ...event, 'user-variables': { tidings_message_id: messageId } }))
    told.resolve()
    await h.settled()
    const { messages, jobs } = await storyOf(env, transactionId)
    expect(messages).toMatchObject([expected])
    expect(jobs).toMatchObject([{ status: 'completed' }])
    expect(vendor.requests).toHaveLength(1)
  })

  test('401 for a signature that is wrong, old, or of another key; nothing happens', async () => {
    const env = await h.environment()
    const it = await makeSent(env)
    const event = { ...events.bounced, message: { headers: { 'message-id': it.externalId } } }
    const calls = [
      signed(event, 'another-key'),
      signed(event, signingKey, Math.floor(Date.now() / 1000) - 13 * 3_600),
      { 'event-data': event },
      {},
    ]
    for (const body of calls) expect((await tell(it.path, body)).body.code).toBe('signature_refused')
    expect((await it.story()).message.status).toBe('sent')
    expect(await suppressed(env)).toEqual([])
  })

  test('Mailgun signs no body: a token is good for one call, on every node', async () => {
    const env = await h.environment()
    const it = await makeSent(env)
    const message = { headers: { 'message-id': it.externalId } }
    const seen = signed({ event: 'accepted', message })
    const forged = { ...seen, 'event-data': { ...events.complained, message } }
    const other = await h.node()
    expect(await tell(it.path, seen)).toMatchObject({ status: 200, body: { received: 0 } })
    for (const base of [h.url, other.url]) {
      const reply = await sender(base)('POST', it.path, { body: forged, key: null })
      expect(reply).toMatchObject({ status: 200, body: { received: 0 } })
    }
    expect((await it.story()).message.status).toBe('sent')
    expect(await suppressed(env)).toEqual([])
    // The same call at the same time: one of them counts.
    const twice = about(it, events.bounced)
    const replies = await Promise.all([1, 2, 3, 4, 5].map(() => tell(it.path, twice)))
    expect(replies.map(({ status, body }) => `${status} ${body.received}`).toSorted()).toEqual([
      ...Array(4).fill('200 0'),
      '200 1',
    ])
    expect((await it.story()).message.errorId).toBe('bounced')
    // Remembered for as long as their time is recent.
    expect(await purgeCallbackTokens(h.admin, new Date(Date.now() + 12.1 * 3_600_000), 10)).toBe(0)
    expect(await purgeCallbackTokens(h.admin, new Date(Date.now() + 13.1 * 3_600_000), 10)).toBeGreaterThan(0)
  })

  test('404 for everything that does not listen, whatever the reason', async () => {
    const env = await h.environment()
    const deaf = [
      mailgun({}),
      mailgun({ inboundWebhookEnabled: false, inboundWebhookSigningKey: signingKey }),
      mailgun({ inboundWebhookEnabled: true }),
      mailgun({ inboundWebhookEnabled: true, inboundWebhookSigningKey: '' }),
      { providerId: 'platform-email', channel: 'email', configurations: listening },
    ]
    const ids = await Promise.all(deaf.map(async (values) => (await makeIntegration(env, values))._id as string))
    const deleted = await makeIntegration(env, mailgun(listening))
    await env.delete(`/v1/integrations/${deleted._id}`)
    for (const id of [...ids, deleted._id, 'nothing', env.environmentId]) {
      const { status, body } = await tell(`/v1/webhooks/${id}`, signed(events.delivered))
      expect([status, body.code, body.message]).toEqual([404, 'webhook_not_found', 'Nothing listens here.'])
    }
  })

  test("another environment's messages are not this integration's to speak of", async () => {
    const [env, other] = [await h.environment(), await h.environment()]
    const [it, mine] = [await makeSent(env), await makeSent(other)]
    await tell(mine.path, signed({ ...events.bounced, 'user-variables': { tidings_message_id: it.messageId } }))
    await tell(mine.path, about(it, events.bounced))
    expect((await it.story()).message.status).toBe('sent')
    expect([await suppressed(env), await suppressed(other)]).toEqual([[], []])
  })

  test('what PostgreSQL cannot hold is no 5xx', async () => {
    const env = await h.environment()
    const it = await makeSent(env)
    const odd = { ...events.bounced, recipient: 'a\0@b.c', 'delivery-status': { message: 'no\0\ud800 user' } }
    for (const id of ['a\0b', '\ud800', it.externalId]) {
      const reply = await tell(it.path, signed({ ...odd, message: { headers: { 'message-id': id } } }))
      expect(reply.status).toBe(200)
    }
    expect((await it.story()).message.errorText).toBe('no � user')
    expect(await suppressed(env)).toEqual([])
  })

  test('Twilio: a form, signed together with the URL the vendor was told', async () => {
    const env = await h.environment()
    await makeWorkflow(env, 'hello', { steps: [{ name: 'Text', type: 'sms', controlValues: { body: 'Hi' } }] })
    await makeIntegration(env, { providerId: 'platform-sms', channel: 'sms' })
    const { transactionId } = await trigger(env, { to: { subscriberId: 'ada', phone: '+49 170 1234567' } })
    await h.settled()
    const { _id } = await makeIntegration(env, {
      providerId: 'twilio',
      channel: 'sms',
      active: false,
      configurations: { inboundWebhookEnabled: true, inboundWebhookSigningKey: 'the-auth-token' },
    })
    await sql`update message set integration_id = ${_id}, external_id = 'SM1' where environment_id = ${env.environmentId}`.execute(
      h.admin,
    )
    const form = { MessageSid: 'SM1', MessageStatus: 'undelivered', ErrorCode: '30006', To: '+491701234567' }
    const call = (base: string, told: string) => {
      const fields = Object.entries(form).sort().flat().join('')
      const signature = createHmac('sha1', 'the-auth-token')
        .update(`${told}/v1/webhooks/${_id}${fields}`)
        .digest('base64')
      const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature }
      const raw = new URLSearchParams(form).toString()
      return sender(base)('POST', `/v1/webhooks/${_id}`, { raw, headers, key: null })
    }
    const proxied = await h.node({ PUBLIC_URL: 'https://notify.example.com/tidings/' })
    expect((await call(h.url, 'https://elsewhere.example')).status).toBe(401)
    expect((await call(proxied.url, h.url)).status).toBe(401)
    expect((await call(h.url, h.url)).status).toBe(200)
    expect((await call(proxied.url, 'https://notify.example.com/tidings')).status).toBe(200)
    const { messages } = await storyOf(env, transactionId)
    expect(messages).toMatchObject([{ status: 'error', errorId: 'bounced', errorText: 'error 30006' }])
    expect(await suppressed(env)).toEqual(['+49 170 1234567 bounced', '+491701234567 bounced'])
    // However the number is written.
    const bob = { subscriberId: 'bob', phone: '(0170) 12 34-567', locale: 'de-DE' }
    const other = await trigger(env, { to: bob })
    await h.settled()
    expect((await storyOf(env, other.transactionId)).messages).toMatchObject([{ errorId: 'suppressed' }])
  })
})
