import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { allowing, emailStep, emailWebhook, makeIntegration, smtpServer, storyOf } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { startSmtpReceiver } from '../../../test/peers/smtp-receiver.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'

const [hook, sms, mail] = [await startHttpReceiver(), await startHttpReceiver(), await startSmtpReceiver()]
const h = useHarness(allowing(hook.port, sms.port, mail.port), { worker: true })
const ada = { subscriberId: 'ada', firstName: 'Ada', email: 'ada@example.org', phone: '+15550100' }

beforeEach(() => {
  for (const receiver of [hook, sms]) {
    receiver.requests.length = 0
    receiver.answer = {}
  }
  mail.mails.length = 0
  mail.script = {}
})

/** Like `settled`, but nobody waits for the retry schedule. */
async function settledSoon({ environmentId }: Client): Promise<void> {
  for (const until = Date.now() + 15_000; Date.now() < until; ) {
    await sql`update message set retry_at = now()
      where environment_id = ${environmentId} and delivery = 'open' and not in_flight and retry_at > now()`.execute(
      h.admin,
    )
    const { rows } = await sql<{ open: boolean | null }>`
      select bool_or(delivery = 'open') as open from message where environment_id = ${environmentId}`.execute(h.admin)
    if (rows[0]?.open === false) return
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
  throw new Error('messages still wait')
}

async function messageOf(env: Client, transactionId: string): Promise<Json> {
  const { messages, jobs } = await storyOf(env, transactionId)
  expect(jobs).toHaveLength(1)
  return messages[0]
}

function genericSms(url: string, more: Record<string, unknown> = {}) {
  const credentials = {
    baseUrl: url,
    apiKeyRequestHeader: 'x-key',
    apiKey: 'key-key-key',
    secretKeyRequestHeader: 'x-secret',
    secretKey: 'secret-secret',
    from: 'Team',
    idPath: 'id',
    datePath: 'date',
  }
  return { providerId: 'generic-sms', channel: 'sms', credentials, ...more }
}
const smsStep = { name: 'Text', type: 'sms', controlValues: { body: 'Hi' } }

describe('a copy that may exist is never hidden', () => {
  test('three mails without an answer, then another integration accepts it: the message says so', async () => {
    const env = await h.environment()
    await makeWorkflow(env, 'hello', { steps: [emailStep] })
    await makeIntegration(env, smtpServer(mail.port))
    await makeIntegration(env, emailWebhook(hook.url))
    mail.script = { dot: 'reset' }
    const { transactionId } = await trigger(env, { to: ada })
    await settledSoon(env)
    expect(hook.requests).toHaveLength(1)
    expect(await messageOf(env, transactionId)).toMatchObject({ status: 'warning', errorId: 'delivery_unknown' })
  })

  test('asked again with the key that covers it: sent, and nothing is in doubt', async () => {
    const env = await h.environment()
    await makeWorkflow(env, 'hello', { steps: [emailStep] })
    await makeIntegration(env, emailWebhook(hook.url))
    await makeIntegration(env, smtpServer(mail.port))
    let calls = 0
    hook.answer = () => (++calls < 3 ? 'accept then reset' : {})
    const { transactionId } = await trigger(env, { to: ada })
    await settledSoon(env)
    expect([hook.requests.length, mail.mails.length]).toEqual([3, 0])
    expect(await messageOf(env, transactionId)).toMatchObject({ status: 'sent' })
  })

  test('refused after a try in doubt: it may be out there, whatever key it had', async () => {
    const env = await h.environment()
    await makeWorkflow(env, 'hello', { steps: [emailStep] })
    await makeIntegration(env, emailWebhook(hook.url))
    let calls = 0
    hook.answer = () => (++calls < 2 ? 'accept then reset' : { status: 409, json: { message: 'other body' } })
    const { transactionId } = await trigger(env, { to: ada })
    await settledSoon(env)
    expect(await messageOf(env, transactionId)).toMatchObject({ status: 'warning', errorId: 'delivery_unknown' })
  })
})

describe('at most once', () => {
  test.each(['deleted', 'deactivated', 'no longer matching'])(
    'a text in doubt whose integration is %s is not sent again',
    async (how) => {
      const env = await h.environment()
      await makeWorkflow(env, 'hello', { steps: [smsStep] })
      const { _id } = await makeIntegration(env, genericSms(`${sms.url}/one`, { identifier: 'one' }))
      sms.answer = 'hang'
      const { transactionId } = await trigger(env, { to: ada })
      await expect.poll(() => sms.requests.length, { timeout: 10_000 }).toBe(1)
      await makeIntegration(env, genericSms(`${sms.url}/two`, { identifier: 'two' }))
      const none = [{ children: [{ on: 'payload', field: 'x', operator: 'EQUAL', value: 'y' }] }]
      if (how === 'deleted') await env.delete(`/v1/integrations/${_id}`)
      else await env.put(`/v1/integrations/${_id}`, how === 'deactivated' ? { active: false } : { conditions: none })
      sms.answer = { json: { id: '1', date: '2026-01-01' } }
      // Its worker is gone, and the deadline is over.
      await sql`update attempt set deadline = now() - interval '1 hour' where environment_id = ${env.environmentId}`.execute(
        h.admin,
      )
      await sql`update message set retry_at = now() where environment_id = ${env.environmentId}`.execute(h.admin)
      await settledSoon(env)
      expect(sms.requests).toHaveLength(1)
      expect(await messageOf(env, transactionId)).toMatchObject({ status: 'warning', errorId: 'delivery_unknown' })
      sms.cut()
    },
  )
})
