import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Client, underRowLevelSecurity, useHarness } from '../../../test/harness.ts'
import { allowing, emailWebhook, makeIntegration, smtpServer } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { startSmtpReceiver } from '../../../test/peers/smtp-receiver.ts'
import { freeze } from '../../store/access/environment-states.ts'

const [receiver, mail] = [await startHttpReceiver(), await startSmtpReceiver()]
const h = useHarness(allowing(receiver.port, mail.port))

beforeEach(() => {
  receiver.requests.length = 0
  receiver.answer = { status: 200, json: { accepted: true } }
})

async function webhook(env: Client, active = true) {
  const { _id } = await makeIntegration(env, emailWebhook(receiver.url, { active }))
  return `/v1/integrations/${_id}/test`
}

describe('POST /v1/integrations/{integrationId}/test', () => {
  test("sends a real message and shows the provider's answer as it came, of inactive integrations too", async () => {
    const env = await h.environment()
    for (const active of [true, false]) {
      receiver.requests.length = 0
      const reply = await env.post(await webhook(env, active), { to: 'ada@example.com', subject: 'Is it\r\non?' })
      expect(reply.body).toEqual({
        outcome: 'sent',
        providerReply: { status: 200, body: '{"accepted":true}' },
        durationMs: expect.any(Number),
      })
      expect(receiver.requests).toHaveLength(1)
      expect(receiver.requests[0]?.json).toMatchObject({
        to: ['ada@example.com'],
        from: { email: 'team@example.com' },
        subject: 'Is it on?',
        html: 'Test message from Tidings',
      })
    }
    expect((await env.get('/v1/messages')).body.data).toEqual([])
  })

  test('a refusal is shown too, without our credentials in it, and of bounded length', async () => {
    const env = await h.environment()
    const secretKey = 'whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQ='
    receiver.answer = { status: 401, json: { message: `no such key ${secretKey}`, more: 'x'.repeat(5_000) } }
    const { body, text } = await env.post(await webhook(env), { to: 'ada@example.com' })
    expect(body).toMatchObject({ outcome: 'rejected', reason: '401 no such key ••••', providerReply: { status: 401 } })
    expect(text).not.toContain(secretKey)
    expect(body.providerReply.body).toContain('no such key ••••')
    expect(body.providerReply.body.length).toBeLessThanOrEqual(2_000)
  })

  test('a provider that gives no answer gives none here', async () => {
    const env = await h.environment()
    receiver.answer = 'accept then reset'
    const { body } = await env.post(await webhook(env), { to: 'ada@example.com' })
    expect(body).toMatchObject({ outcome: 'unknown', reason: expect.any(String), providerReply: null })
  })

  test('SMTP: the code and the words of the server', async () => {
    const env = await h.environment()
    const { _id } = await makeIntegration(env, smtpServer(mail.port))
    const sent = await env.post(`/v1/integrations/${_id}/test`, { to: 'ada@example.com', content: '<b>Hi</b>' })
    expect(sent.body).toMatchObject({ outcome: 'sent', providerReply: { status: 250 } })
    expect(mail.mails.at(-1)?.raw).toContain('<b>Hi</b>')
    mail.unknown.set('nobody@example.com', 550)
    const refused = await env.post(`/v1/integrations/${_id}/test`, { to: 'nobody@example.com' })
    expect(refused.body).toMatchObject({ outcome: 'rejected', providerReply: { status: 550 } })
    expect(refused.body.providerReply.body).toContain('scripted 550')
  })

  test('every channel asks for its own address', async () => {
    const env = await h.environment()
    const chat = await makeIntegration(env, { providerId: 'chat-webhook', channel: 'chat' })
    const asked = await env.post(`/v1/integrations/${chat._id}/test`, {})
    expect(Object.keys(asked.body.errors)).toEqual(['webhookUrl'])
    const inside = await env.post(`/v1/integrations/${chat._id}/test`, { webhookUrl: 'http://169.254.169.254/' })
    expect(inside.status).toBe(422)
    const sent = await env.post(`/v1/integrations/${chat._id}/test`, { webhookUrl: receiver.url })
    expect(sent.body).toMatchObject({ outcome: 'sent', providerReply: { status: 200 } })
    const sms = await makeIntegration(env, { providerId: 'platform-sms', channel: 'sms' })
    expect((await env.post(`/v1/integrations/${sms._id}/test`, {})).status).toBe(422)
    expect((await env.post(`/v1/integrations/${sms._id}/test`, { to: '+4917012345' })).body.outcome).toBe('sent')
    expect((await env.get('/v1/dev/mailbox')).body.data).toMatchObject([{ channel: 'sms', to: '+4917012345' }])
  })

  test('refuses what cannot be sent: missing credentials, nothing that sends, a suppressed address', async () => {
    const env = await h.environment()
    const bare = await makeIntegration(env, { providerId: 'sendgrid', channel: 'email', active: false })
    const missing = await env.post(`/v1/integrations/${bare._id}/test`, { to: 'ada@example.com' })
    expect(Object.keys(missing.body.errors)).toContain('credentials.apiKey')
    const inApp = await makeIntegration(env, { providerId: 'platform', channel: 'in_app' })
    const nothing = await env.post(`/v1/integrations/${inApp._id}/test`, { to: 'ada@example.com' })
    expect(nothing.body.code).toBe('integration_cannot_send')
    await env.post('/v1/suppressions', { channel: 'email', address: 'ada@example.com' })
    const suppressed = await env.post(await webhook(env), { to: 'Ada@Example.com' })
    expect(suppressed.body.errors.to.messages).toEqual(['is on the suppression list (unsubscribed)'])
    expect(receiver.requests).toEqual([])
  })
})

describe('while the provider is called', () => {
  test('no transaction is open', async () => {
    const env = await h.environment()
    const path = await webhook(env)
    receiver.answer = 'hang'
    const running = env.post(path, { to: 'ada@example.com' }, { 'idempotency-key': 'k' })
    await until(() => receiver.requests.length === 1)
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from pg_stat_activity
      where datname = current_database() and state like 'idle in transaction%'`.execute(h.admin)
    expect(rows[0]?.n).toBe(0)
    receiver.cut()
    expect((await running).body.outcome).toBe('unknown')
  })

  test('the same request waits for its reply and sends nothing; another body is refused at once', async () => {
    const env = await h.environment()
    const path = await webhook(env)
    receiver.answer = { status: 200, delayMs: 400 }
    const key = { 'idempotency-key': 'k' }
    const first = env.post(path, { to: 'ada@example.com' }, key)
    await until(() => receiver.requests.length === 1)
    const other = await env.post(path, { to: 'eve@example.com' }, key)
    expect(other.body.code).toBe('idempotency_key_reused')
    const second = await env.post(path, { to: 'ada@example.com' }, key)
    expect(second.text).toBe((await first).text)
    expect(second.headers.get('idempotency-replay')).toBe('true')
    expect(receiver.requests).toHaveLength(1)
  })

  test('whoever crashed meanwhile holds the key for a minute and no longer', async () => {
    const env = await h.environment()
    const path = await webhook(env)
    const send = () => env.post(path, { to: 'ada@example.com' }, { 'idempotency-key': 'k' })
    await send()
    const crash = (leasedUntil: Date) =>
      sql`
      update idempotency set status = null, reply = null, leased_until = ${leasedUntil}
      where environment_id = ${env.environmentId}`.execute(h.admin)
    await crash(new Date(Date.now() + 30_000))
    const waiting = await send()
    expect(waiting).toMatchObject({ status: 409, body: { code: 'request_in_flight' } })
    expect(waiting.headers.get('retry-after')).toBe('1')
    expect(receiver.requests).toHaveLength(1)
    await crash(new Date(Date.now() - 1))
    expect((await send()).body.outcome).toBe('sent')
    expect(receiver.requests).toHaveLength(2)
    expect((await send()).headers.get('idempotency-replay')).toBe('true')
  })

  test('whoever comes back after that finds the key in other hands, and does not write over them', async () => {
    const env = await h.environment()
    const path = await webhook(env)
    const send = () => env.post(path, { to: 'ada@example.com' }, { 'idempotency-key': 'k' })
    const bothBegun = Promise.withResolvers<void>()
    receiver.answer = async () => {
      const call = receiver.requests.length
      await bothBegun.promise
      return { status: 200, json: { call } }
    }
    const first = send()
    await until(() => receiver.requests.length === 1)
    await sql`update idempotency set leased_until = now() - interval '1 second'
      where environment_id = ${env.environmentId}`.execute(h.admin)
    const second = send()
    await until(() => receiver.requests.length === 2)
    bothBegun.resolve()
    expect((await first).body.code).toBe('request_in_flight')
    expect((await second).body.providerReply.body).toBe('{"call":2}')
    expect((await send()).text).toBe((await second).text)
  })

  test.skipIf(underRowLevelSecurity)('who was held up by a freeze frees the key soon after it', async () => {
    const env = await h.environment()
    const path = await webhook(env)
    const send = () => env.post(path, { to: 'ada@example.com' }, { 'idempotency-key': 'k' })
    receiver.answer = async () => {
      if (receiver.requests.length === 1) await freeze(h.admin, env.environmentId, 2_000)
      return { status: 200 }
    }
    expect((await send()).status).toBe(503)
    await expect.poll(async () => (await send()).status, { timeout: 12_000, interval: 300 }).toBe(200)
    expect(receiver.requests).toHaveLength(2)
  })

  test.skipIf(underRowLevelSecurity)('a failure of ours frees the key at once', async () => {
    const env = await h.environment()
    const { _id } = await makeIntegration(env, { providerId: 'platform-email', channel: 'email' })
    const send = () => env.post(`/v1/integrations/${_id}/test`, { to: 'ada@example.com' }, { 'idempotency-key': 'k' })
    await sql`alter table dev_mail rename to dev_mail_away`.execute(h.admin)
    expect((await send()).status).toBe(500)
    await sql`alter table dev_mail_away rename to dev_mail`.execute(h.admin)
    expect((await send()).body.outcome).toBe('sent')
  })
})

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 500 && !holds(); tries++) await new Promise((resolve) => setTimeout(resolve, 10))
  expect(holds()).toBe(true)
}
