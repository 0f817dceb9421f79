import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Client, useHarness } from '../../../test/harness.ts'
import { allowing, emailStep, emailWebhook, makeIntegration, storyOf } from '../../../test/outside.ts'
import { type Scripted, startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'

/** What happens to a message between its tries and while one is under way: the record stays true. */

const [first, second] = [await startHttpReceiver(), await startHttpReceiver()]
const h = useHarness(allowing(first.port, second.port), { worker: true })
const ada = { subscriberId: 'ada', email: 'ada@example.org' }

// What waits for its next try waits until a test wakes it.
beforeAll(async () => {
  await sql`create function rest() returns trigger language plpgsql as $$
    begin new.retry_at = now() + interval '1 hour'; return new; end $$`.execute(h.admin)
  await sql`create trigger rest before update on message for each row
    when (old.in_flight and not new.in_flight and new.delivery = 'open') execute function rest()`.execute(h.admin)
})
afterEach(() => {
  for (const peer of [first, second]) {
    peer.requests.length = 0
    peer.answer = {}
  }
})

const signingKey = 'signing-key-of-mailgun'
/** Knows no key. */
const mailgun = () => ({
  providerId: 'mailgun',
  channel: 'email',
  credentials: { apiKey: 'key-key-key', domain: 'example.com', baseUrl: first.url, from: 'team@example.com' },
  configurations: { inboundWebhookEnabled: true, inboundWebhookSigningKey: signingKey },
})
type Row = {
  id: string
  delivery: string
  status: string
  error_id: string | null
  attempts: number
  in_flight: boolean
}

async function rowOf(env: Client): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select id, delivery, status, error_id, attempts, in_flight from message
    where environment_id = ${env.environmentId}`.execute(h.admin)
  return rows[0]
}

const until = (env: Client, is: Partial<Row>) =>
  expect.poll(() => rowOf(env), { timeout: 10_000, interval: 20 }).toMatchObject(is)
/** The peer answers only when told to: until then the try is under way. */
function held(answer: Scripted): () => void {
  const told = Promise.withResolvers<void>()
  first.answer = async () => {
    await told.promise
    return answer
  }
  return told.resolve
}
const called = () => expect.poll(() => first.requests.length, { timeout: 10_000 }).toBe(1)
const tried = (env: Client, attempts: number) => until(env, { attempts, in_flight: false, delivery: 'open' })
const wake = (env: Client) =>
  sql`update message set retry_at = now()
    where environment_id = ${env.environmentId} and delivery = 'open' and not in_flight`.execute(h.admin)

/** As Mailgun calls back. */
async function report(env: Client, event: 'delivered' | 'bounced'): Promise<void> {
  const [made] = (await env.get('/v1/integrations')).body
  const [timestamp, token] = [String(Math.floor(Date.now() / 1000)), Math.random().toString(36)]
  const signature = createHmac('sha256', signingKey)
    .update(timestamp + token)
    .digest('hex')
  const failed = { event: 'failed', severity: 'permanent', reason: 'bounce' }
  const body = {
    signature: { timestamp, token, signature },
    'event-data': {
      ...(event === 'bounced' ? failed : { event }),
      'user-variables': { tidings_message_id: (await rowOf(env))?.id },
    },
  }
  expect((await h.send('POST', `/v1/webhooks/${made._id}`, { body, key: null })).body).toEqual({ received: 1 })
}

async function started(integration: Record<string, unknown>): Promise<{ env: Client; transactionId: string }> {
  const env = await h.environment()
  await makeWorkflow(env, 'hello', { steps: [emailStep] })
  await makeIntegration(env, integration)
  const { transactionId } = await trigger(env, { to: ada })
  return { env, transactionId }
}

describe('an integration that is moved after a try in doubt', () => {
  async function move(more: Record<string, unknown>): Promise<Client> {
    first.answer = 'accept then reset'
    const env = await h.environment()
    await makeWorkflow(env, 'hello', { steps: [emailStep] })
    const made = await makeIntegration(env, emailWebhook(first.url, more))
    await trigger(env, { to: ada })
    await tried(env, 1)
    const { credentials } = emailWebhook(second.url)
    expect((await env.put(`/v1/integrations/${made._id}`, { credentials })).status).toBe(200)
    await wake(env)
    return env
  }

  test('is another place, which has not seen the key: the second copy is marked', async () => {
    const env = await move({})
    await until(env, { delivery: 'sent', status: 'warning', error_id: 'delivery_unknown' })
    expect([first.requests.length, second.requests.length]).toEqual([1, 1])
  })

  test('gets nothing of what may be sent at most once', async () => {
    const env = await move({ configurations: { whenUnknown: 'atMostOnce' } })
    await until(env, { delivery: 'unknown', error_id: 'delivery_unknown' })
    expect([first.requests.length, second.requests.length]).toEqual([1, 0])
  })

  test('an integration that is only renamed is the same place', async () => {
    first.answer = 'accept then reset'
    const { env } = await started(emailWebhook(first.url))
    await tried(env, 1)
    const [made] = (await env.get('/v1/integrations')).body
    const { credentials } = emailWebhook(first.url)
    expect((await env.put(`/v1/integrations/${made._id}`, { name: 'Another', credentials })).status).toBe(200)
    first.answer = {}
    await wake(env)
    await until(env, { delivery: 'sent', status: 'sent', error_id: null })
  })
})

describe('a report of the vendor', () => {
  test('that comes while the try is under way settles it: nothing is sent again', async () => {
    const answered = held({ status: 502 })
    const { env } = await started(mailgun())
    await called()
    await report(env, 'delivered')
    answered()
    await until(env, { delivery: 'sent', status: 'sent', error_id: null, in_flight: false })
    expect(first.requests).toHaveLength(1)
  })

  test('ends the doubt about one copy, not about two', async () => {
    for (const tries of [1, 2]) {
      first.requests.length = 0
      first.answer = { status: 502 }
      const { env } = await started(mailgun())
      await tried(env, 1)
      if (tries === 2) await wake(env)
      await tried(env, tries)
      await report(env, 'delivered')
      const clear = { delivery: 'sent', status: 'sent', error_id: null }
      const marked = { delivery: 'sent', status: 'warning', error_id: 'delivery_unknown' }
      expect(await rowOf(env)).toMatchObject(tries === 1 ? clear : marked)
      expect(first.requests).toHaveLength(tries)
    }
  })

  test('of a bounce does so too', async () => {
    const answered = held({ status: 502 })
    const { env } = await started(mailgun())
    await called()
    await report(env, 'bounced')
    answered()
    await until(env, { delivery: 'rejected', status: 'error', error_id: 'bounced', in_flight: false })
  })
})

describe('a cancel', () => {
  test('does not hide a copy that may exist', async () => {
    first.answer = { status: 502 }
    const { env, transactionId } = await started(mailgun())
    await tried(env, 1)
    await env.delete(`/v1/events/trigger/${transactionId}`)
    expect(await rowOf(env)).toMatchObject({ delivery: 'unknown', status: 'warning', error_id: 'delivery_unknown' })
    expect((await storyOf(env, transactionId)).jobs).toMatchObject([{ status: 'completed' }])
  })

  test.each([
    ['that fails is the end of it', 503, { delivery: 'canceled', status: 'warning', error_id: 'canceled' }, 'canceled'],
    ['without an answer stays in doubt', 502, { delivery: 'unknown', error_id: 'delivery_unknown' }, 'completed'],
    ['that succeeds is sent', 200, { delivery: 'sent', status: 'sent', error_id: null }, 'completed'],
  ])('while a try is under way: one %s', async (_name, status, ended, job) => {
    const answered = held({ status, json: { id: 'x' } })
    const { env, transactionId } = await started(mailgun())
    await called()
    await env.delete(`/v1/events/trigger/${transactionId}`)
    answered()
    await until(env, { ...ended, in_flight: false })
    expect((await storyOf(env, transactionId)).jobs).toMatchObject([{ status: job }])
    // No dead letter, so a redrive of all of them does not send it.
    expect((await env.post('/v1/dead-letters/redrive', { all: true })).body).toMatchObject({ redriven: 0 })
  })

  test('of an event with a dead letter: a redrive leaves it', async () => {
    first.answer = { status: 401 }
    const { env, transactionId } = await started(mailgun())
    await until(env, { delivery: 'dead' })
    await sql`update event set state = 'canceled' where environment_id = ${env.environmentId}`.execute(h.admin)
    expect((await env.post('/v1/dead-letters/redrive', { all: true })).body).toMatchObject({ redriven: 0 })
    expect((await storyOf(env, transactionId)).messages).toMatchObject([{ status: 'error' }])
  })
})

test('a redrive of what may have been sent stays in doubt', async () => {
  first.answer = { status: 502 }
  const { env } = await started(mailgun())
  await tried(env, 1)
  await sql`update message set expires_at = now() where environment_id = ${env.environmentId}`.execute(h.admin)
  await wake(env)
  await until(env, { delivery: 'dead', error_id: 'delivery_unknown' })
  first.answer = { status: 503, headers: { 'retry-after': '3600' } }
  expect((await env.post('/v1/dead-letters/redrive', { all: true })).body).toMatchObject({ redriven: 1 })
  await until(env, { delivery: 'open', error_id: 'delivery_unknown', attempts: 2, in_flight: false })
})

test('a message that is deleted while a try is under way: its step says that it may have been sent', async () => {
  const answered = held({ json: { id: 'x' } })
  const { env, transactionId } = await started(mailgun())
  await called()
  expect((await env.delete(`/v1/messages/${(await rowOf(env))?.id}`)).status).toBeLessThan(300)
  const { jobs } = await storyOf(env, transactionId)
  expect(jobs).toMatchObject([{ status: 'completed' }])
  expect(JSON.stringify(jobs)).toContain('it may have been sent')
  answered()
})
