import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { allowing, emailStep, emailWebhook, makeIntegration, storyOf } from '../../../test/outside.ts'
import { type Scripted, startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'

const hook = await startHttpReceiver()
const h = useHarness(allowing(hook.port), { worker: true })
const ada = { subscriberId: 'ada', firstName: 'Ada', email: 'ada@example.org' }
const inbox = { name: 'Inbox', type: 'in_app', controlValues: { body: 'after' } }
const busy = { status: 503, headers: { 'retry-after': '3600' } }
const listed = (address: string) => ({ channel: 'email', address, reason: 'unsubscribed' })

beforeEach(() => {
  hook.requests.length = 0
  hook.answer = {}
})

async function make(steps: object[] = [emailStep], more: object = {}): Promise<Client> {
  const env = await h.environment()
  await makeWorkflow(env, 'hello', { steps, ...more })
  await makeIntegration(env, emailWebhook(hook.url))
  return env
}

/** The first call meets `answer`; before the second one the address comes onto the list. */
async function suppressBetween(env: Client, answer: Scripted, address: string, overrides = {}) {
  const listedAlready = Promise.withResolvers<void>()
  hook.answer = async () => {
    await listedAlready.promise
    return answer
  }
  const { transactionId } = await trigger(env, { to: ada, overrides })
  await expect.poll(() => hook.requests.length, { timeout: 10_000 }).toBe(1)
  expect((await env.post('/v1/suppressions', listed(address))).status).toBe(201)
  hook.answer = {}
  listedAlready.resolve()
  await expect
    .poll(
      async () => {
        await sql`update message set retry_at = now() where environment_id = ${env.environmentId} and delivery = 'open'
        and not in_flight and retry_at > now()`.execute(h.admin)
        return (await storyOf(env, transactionId)).jobs[0]?.status
      },
      { timeout: 15_000 },
    )
    .not.toBe('queued')
  await h.drain()
  return storyOf(env, transactionId)
}

describe('an address that comes onto the suppression list between two tries', () => {
  test('gets nothing more: the step is skipped with the reason, and those behind it go on', async () => {
    const env = await make([{ ...emailStep, shouldStopOnFail: true }, inbox])
    const { messages, jobs } = await suppressBetween(env, busy, 'Ada@Example.org')
    expect(hook.requests).toHaveLength(1)
    expect(jobs.map((job) => job.status)).toEqual(['skipped', 'completed'])
    expect(jobs[0].executionDetails.at(-1).detail).toBe('The address is on the suppression list (unsubscribed)')
    const mail = messages.find((message) => message.channel === 'email')
    expect(mail).toMatchObject({ status: 'warning', errorId: 'suppressed' })
  })

  test('after a try in doubt, the message says that it may have been sent', async () => {
    const { messages } = await suppressBetween(await make(), 'accept then reset', ada.email)
    expect(hook.requests).toHaveLength(1)
    expect(messages).toMatchObject([{ status: 'warning', errorId: 'delivery_unknown' }])
  })

  test('of a critical workflow: an unsubscribed address still gets it', async () => {
    const env = await make([emailStep], { critical: true })
    const { messages } = await suppressBetween(env, busy, ada.email)
    expect(messages).toMatchObject([{ status: 'sent' }])
  })

  test('as a copy is left out; a try in doubt before that counts, because the body is another one', async () => {
    const overrides = { email: { cc: ['boss@example.com', 'team@example.com'] } }
    const { messages } = await suppressBetween(await make(), 'accept then reset', 'boss@example.com', overrides)
    const bodies = hook.requests.map((request) => request.json as Json)
    expect(bodies.map((body) => body.cc)).toEqual([['boss@example.com', 'team@example.com'], ['team@example.com']])
    expect(messages).toMatchObject([{ status: 'warning', errorId: 'delivery_unknown' }])
    const variants =
      await sql<Json>`select variant from attempt where message_id = ${messages[0]._id} order by number`.execute(
        h.admin,
      )
    const [first, second] = variants.rows.map((row) => row.variant)
    expect([first, second]).toEqual([expect.stringMatching(/^[\w-]{8}$/), expect.stringMatching(/^[\w-]{8}$/)])
    expect(second).not.toBe(first)
  })
})

test('further recipients, cc and bcc are asked about at the first try too', async () => {
  const env = await make()
  for (const name of ['two', 'boss', 'audit']) await env.post('/v1/suppressions', listed(`${name}@example.com`))
  const email = {
    to: ['one@example.com', 'Two@example.com', 'three@example.com'],
    cc: 'The Boss <BOSS@example.com>',
    bcc: ['audit@example.com', 'log@example.com'],
  }
  const { transactionId } = await trigger(env, { to: ada, overrides: { email } })
  await h.settled()
  const [sent] = hook.requests.map((request) => request.json as Json)
  expect([sent.to, sent.cc, sent.bcc]).toEqual([['one@example.com', 'three@example.com'], [], ['log@example.com']])
  const { messages, jobs } = await storyOf(env, transactionId)
  expect(messages).toMatchObject([{ status: 'sent' }])
  expect(jobs[0].executionDetails.at(-1).detail).toBe('Message sent; 3 of its addresses are on the suppression list')
})

test('a redrive asks too', async () => {
  const env = await make()
  hook.answer = { status: 401 }
  const { transactionId } = await trigger(env, { to: ada })
  await h.settled()
  await env.post('/v1/suppressions', listed(ada.email))
  hook.answer = {}
  expect((await env.post('/v1/dead-letters/redrive', { all: true })).body).toMatchObject({ redriven: 1 })
  await h.settled()
  expect(hook.requests).toHaveLength(1)
  expect((await storyOf(env, transactionId)).messages).toMatchObject([{ status: 'warning', errorId: 'suppressed' }])
})

test('also where a trigger names people in the words of a vendor', async () => {
  const env = await make()
  for (const name of ['boss', 'audit']) await env.post('/v1/suppressions', listed(`${name}@example.com`))
  const vendor = {
    cc: [{ email: 'boss@example.com' }, { email: 'two@example.com' }],
    bcc: 'audit@example.com, Log <log@example.com>',
    copyTo: 'AUDIT@example.com',
    envelope: { deeper: [{ to: ['boss@example.com', 'three@example.com'] }] },
    replyTo: 'boss@example.com',
    note: 'ask boss@example.com, or not',
  }
  await trigger(env, { to: ada, overrides: { providers: { 'email-webhook': vendor } } })
  await h.settled()
  await trigger(env, { to: ada, overrides: { 'email-webhook': { cc: ['boss@example.com'] } } })
  await h.settled()
  const [first, second] = hook.requests.map((request) => request.json as Json)
  expect(first).toMatchObject({
    cc: [{ email: 'two@example.com' }],
    bcc: 'Log <log@example.com>',
    envelope: { deeper: [{ to: ['three@example.com'] }] },
    replyTo: 'boss@example.com',
    note: 'ask boss@example.com, or not',
  })
  expect(first).not.toHaveProperty('copyTo')
  expect(second?.cc).toEqual([])
})
