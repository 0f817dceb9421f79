import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { allowing, emailWebhook, makeIntegration, storyOf } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'

const peer = await startHttpReceiver()
const h = useHarness(allowing(peer.port), { worker: true })
const real = () => new Date()
beforeEach(() => {
  peer.answer = () => ({ status: 200 })
})
afterEach(() => {
  h.ctx.clock = real
})
const later = (ms: number) => {
  h.ctx.clock = () => new Date(Date.now() + ms)
}
const minute = 60_000

const ada = { subscriberId: 'ada', email: 'ada@example.org', data: { plan: 'pro' } }
const inbox = (stepId: string, more: object = {}) => ({
  stepId,
  name: stepId,
  type: 'in_app',
  controlValues: { body: stepId },
  ...more,
})
const mail = (stepId: string, more: object = {}) => ({
  stepId,
  name: stepId,
  type: 'email',
  controlValues: { subject: stepId, body: stepId },
  ...more,
})
const wait = (stepId = 'wait') => ({
  stepId,
  name: stepId,
  type: 'delay',
  controlValues: { amount: 10, unit: 'minutes' },
})
const when = (stepId: string, is: string) => ({ when: { stepId, is } })

async function withMail(): Promise<Client> {
  const env = await h.environment()
  await makeIntegration(env, emailWebhook(peer.url))
  return env
}
const statusesOf = async (env: Client, transactionId: string): Promise<string[]> =>
  (await storyOf(env, transactionId)).jobs.map((job) => job.status)
const linesOf = (job: Json): string[] => job.executionDetails.map((line: Json) => line.detail)

/** Drains until the steps have these states. */
async function become(env: Client, transactionId: string, wanted: string[]): Promise<void> {
  let found: string[] = []
  for (let n = 0; n < 300; n++) {
    await h.drain()
    found = await statusesOf(env, transactionId)
    if (found.join() === wanted.join()) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  expect(found).toEqual(wanted)
}

describe('when', () => {
  const steps = [inbox('bell'), wait(), mail('mail', when('bell', 'unread'))]

  test('an e-mail only for who has not read it after a delay', async () => {
    const env = await withMail()
    await makeWorkflow(env, 'hello', { steps })
    const reader = await trigger(env, { to: ada })
    const other = await trigger(env, { to: { subscriberId: 'bob', email: 'bob@example.org' } })
    for (const { transactionId } of [reader, other]) {
      await become(env, transactionId, ['completed', 'delayed', 'pending'])
    }
    const { messages } = await storyOf(env, reader.transactionId)
    const marked = { messageId: messages[0]?._id, markAs: 'read' }
    expect((await env.post('/v1/subscribers/ada/messages/mark-as', marked)).status).toBe(201)
    later(11 * minute)
    await become(env, reader.transactionId, ['completed', 'completed', 'skipped'])
    await become(env, other.transactionId, ['completed', 'completed', 'completed'])
    const { jobs } = await storyOf(env, reader.transactionId)
    expect(linesOf(jobs[2])).toEqual(['Step bell is not unread'])
    expect((await storyOf(env, other.transactionId)).messages.map((it) => it.channel).sort()).toEqual([
      'email',
      'in_app',
    ])
  })

  test.each([
    ['seen', 'seen', 'completed'],
    ['seen', 'read', 'skipped'],
    ['seen', 'unseen', 'skipped'],
    ['read', 'seen', 'completed'],
    ['read', 'read', 'completed'],
    ['none', 'unseen', 'completed'],
    ['none', 'unread', 'completed'],
    ['none', 'seen', 'skipped'],
    ['none', 'sent', 'completed'],
    ['none', 'failed', 'skipped'],
  ])('a message that was marked as %s: a step for who has it %s is %s', async (mark, is, status) => {
    const env = await h.environment()
    await makeWorkflow(env, 'hello', { steps: [inbox('bell'), wait(), inbox('again', when('bell', is))] })
    const { transactionId } = await trigger(env, { to: 'ada' })
    await become(env, transactionId, ['completed', 'delayed', 'pending'])
    const { messages } = await storyOf(env, transactionId)
    if (mark !== 'none') {
      await env.post('/v1/subscribers/ada/messages/mark-as', { messageId: messages[0]?._id, markAs: mark })
    }
    later(11 * minute)
    await become(env, transactionId, ['completed', 'completed', status])
  })

  test('an outcome that is known at once is acted on at once, through a whole chain', async () => {
    const env = await h.environment()
    const broken = { controlValues: { body: '{{ "now" | date: "%1000000000Y" }}' } }
    await makeWorkflow(env, 'hello', {
      steps: [
        inbox('a', broken),
        inbox('b', when('a', 'failed')),
        inbox('c', when('b', 'sent')),
        inbox('d', when('c', 'failed')),
        inbox('e', when('d', 'unread')),
      ],
    })
    const { transactionId } = await trigger(env, { to: 'ada' })
    await become(env, transactionId, ['failed', 'completed', 'completed', 'skipped', 'completed'])
  })

  test.each([
    [200, ['completed', 'skipped', 'completed']],
    [400, ['failed', 'completed', 'completed']],
  ])('waits for what a provider answers (%d), and nobody else waits with it', async (status, ends) => {
    const env = await withMail()
    peer.answer = () => ({ status: 503 })
    const steps = [mail('mail'), inbox('instead', when('mail', 'failed')), inbox('anyway')]
    await makeWorkflow(env, 'hello', { steps })
    const { transactionId } = await trigger(env, { to: ada })
    await become(env, transactionId, ['queued', 'pending', 'completed'])
    peer.answer = () => ({ status })
    later(minute)
    await become(env, transactionId, ends)
  })

  test('a delay that waits for an outcome holds up what comes after it', async () => {
    const env = await h.environment()
    const steps = [inbox('bell'), { ...wait(), ...when('bell', 'unread') }, inbox('then')]
    await makeWorkflow(env, 'hello', { steps })
    const { transactionId } = await trigger(env, { to: 'ada' })
    await become(env, transactionId, ['completed', 'delayed', 'pending'])
    later(11 * minute)
    await become(env, transactionId, ['completed', 'completed', 'completed'])
  })

  test('a step that is canceled while it waits for an outcome stays canceled', async () => {
    const env = await withMail()
    peer.answer = () => ({ status: 503 })
    await makeWorkflow(env, 'hello', { steps: [mail('mail'), inbox('instead', when('mail', 'failed'))] })
    const { transactionId } = await trigger(env, { to: ada })
    await become(env, transactionId, ['queued', 'pending'])
    expect((await env.delete(`/v1/events/trigger/${transactionId}`)).body.canceled).toBeGreaterThan(0)
    await become(env, transactionId, ['canceled', 'canceled'])
  })
})

describe('variants', () => {
  const on = (field: string, value: string, from: 'subscriber' | 'payload') => ({
    filters: [{ children: [{ field, value, operator: 'EQUAL', on: from }] }],
  })
  const variants = [
    {
      name: 'Germans',
      ...on('language', 'de', 'payload'),
      controlValues: { body: 'Hallo {{subscriber.subscriberId}}' },
    },
    { ...on('data.plan', 'pro', 'subscriber'), controlValues: { body: 'Dear customer' } },
  ]

  test.each([
    ['the first whose filters pass', { language: 'de' }, 'Hallo ada', 'Variant Germans applies'],
    ['the next one else', { language: 'fr' }, 'Dear customer', 'Variant 2 applies'],
  ])('%s gives the content', async (_name, payload, content, line) => {
    const env = await h.environment()
    await makeWorkflow(env, 'hello', { steps: [inbox('bell', { variants })] })
    const { transactionId } = await trigger(env, { to: ada, payload })
    await become(env, transactionId, ['completed'])
    const { messages, jobs } = await storyOf(env, transactionId)
    expect(messages).toMatchObject([{ content }])
    expect(linesOf(jobs[0])[0]).toBe(line)
  })

  test('links open where the variant says', async () => {
    const env = await h.environment()
    const link = (target: string) => ({
      body: 'B',
      redirect: { url: '/a', target },
      primaryAction: { label: 'Go', redirect: { url: '/b', target } },
    })
    const blank = [{ ...on('language', 'de', 'payload'), controlValues: link('_blank') }]
    await makeWorkflow(env, 'hello', { steps: [inbox('bell', { controlValues: link('_self'), variants: blank })] })
    for (const language of ['fr', 'de']) {
      const { transactionId } = await trigger(env, { to: 'ada', payload: { language } })
      await become(env, transactionId, ['completed'])
    }
    const { data } = (await env.get('/v2/subscribers/ada/notifications')).body
    const targets = data.map((it: Json) => [it.redirect.target, it.primaryAction.redirect.target])
    expect(targets).toEqual([Array(2).fill('_blank'), Array(2).fill('_self')])
  })

  test('none passes: the step says it itself', async () => {
    const env = await h.environment()
    await makeWorkflow(env, 'hello', { steps: [inbox('bell', { variants })] })
    const { transactionId } = await trigger(env, { to: 'bob' })
    await become(env, transactionId, ['completed'])
    const { messages, jobs } = await storyOf(env, transactionId)
    expect(messages).toMatchObject([{ content: 'bell' }])
    expect(linesOf(jobs[0]).join()).not.toContain('Variant')
  })

  test('a variant waits for its own time', async () => {
    const env = await h.environment()
    const soon = [{ ...on('urgent', 'true', 'payload'), controlValues: { amount: 1, unit: 'minutes' } }]
    await makeWorkflow(env, 'hello', { steps: [{ ...wait(), variants: soon }, inbox('then')] })
    const urgent = await trigger(env, { to: 'ada', payload: { urgent: true } })
    const plain = await trigger(env, { to: 'ada' })
    for (const { transactionId } of [urgent, plain]) await become(env, transactionId, ['delayed', 'pending'])
    later(2 * minute)
    await become(env, urgent.transactionId, ['completed', 'completed'])
    expect(await statusesOf(env, plain.transactionId)).toEqual(['delayed', 'pending'])
  })
})

describe('ttl', () => {
  test.each([
    [{ amount: 3, unit: 'minutes' }, { status: 'error', errorId: 'delivery_expired' }, 'failed'],
    [undefined, { status: 'sent' }, 'completed'],
  ])('%o: what a provider does not take in that time is given up', async (ttl, message, status) => {
    const env = await withMail()
    // Else the next try may come within a moment, before the clock is put forward.
    peer.answer = () => ({ status: 503, headers: { 'retry-after': '120' } })
    await makeWorkflow(env, 'hello', { steps: [mail('mail')], ...(ttl && { ttl }) })
    const { transactionId } = await trigger(env, { to: ada })
    await become(env, transactionId, ['queued'])
    // After this time the next try is due, and the short time to live is over.
    peer.answer = () => ({ status: 200 })
    later(4 * minute)
    await become(env, transactionId, [status])
    expect((await storyOf(env, transactionId)).messages).toMatchObject([message])
  })

  test('counts from the end of a wait, not from the event', async () => {
    const env = await withMail()
    await makeWorkflow(env, 'hello', { steps: [wait(), mail('mail')], ttl: { amount: 3, unit: 'minutes' } })
    const { transactionId } = await trigger(env, { to: ada })
    await become(env, transactionId, ['delayed', 'pending'])
    later(11 * minute)
    await become(env, transactionId, ['completed', 'completed'])
    expect((await storyOf(env, transactionId)).messages).toMatchObject([{ status: 'sent' }])
  })
})
