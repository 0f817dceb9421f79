import { describe, expect, test } from 'vitest'
import { type Client, useHarness } from '../../../test/harness.ts'
import { allowing, emailStep, emailWebhook, makeIntegration, storyOf } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'
import { broadcast, makeMailing, makePeople, sendOf } from '../../../test/sends/make-sends.ts'

const receiver = await startHttpReceiver()
const h = useHarness(allowing(receiver.port), { worker: true })
const ada = { subscriberId: 'ada', firstName: 'Ada', email: 'ada@example.org' }
const inbox = { name: 'Inbox', type: 'in_app', controlValues: { body: 'after' } }

async function makeOpen(env: Client, steps: object[]): Promise<{ transactionId: string; messageId: string }> {
  await makeWorkflow(env, 'hello', { steps })
  await makeIntegration(env, emailWebhook(receiver.url))
  receiver.answer = { status: 503, headers: { 'retry-after': '3600' } }
  receiver.requests.length = 0
  const { transactionId } = await trigger(env, { to: ada })
  await expect.poll(() => receiver.requests.length, { timeout: 10_000 }).toBe(1)
  await h.drain()
  const { messages } = await storyOf(env, transactionId)
  return { transactionId, messageId: messages.find((it) => it.channel === 'email')._id }
}

describe('DELETE /v1/messages/{messageId}', () => {
  test.each([
    ['a step that stops the rest if it fails', [{ ...emailStep, shouldStopOnFail: true }, inbox]],
    ['a step that another waits for', [emailStep, { ...inbox, when: { stepId: 'mail', is: 'unseen' } }]],
  ])('of an open message: %s is canceled, and the steps behind it go on', async (_name, steps) => {
    const env = await h.environment()
    const { transactionId, messageId } = await makeOpen(env, steps)
    expect((await storyOf(env, transactionId)).jobs.map((job) => job.status)).toEqual(['queued', 'pending'])
    expect((await env.delete(`/v1/messages/${messageId}`)).status).toBe(200)
    await h.drain()
    const { messages, jobs } = await storyOf(env, transactionId)
    expect(jobs.map((job) => job.status)).toEqual(['canceled', 'completed'])
    expect(jobs[0].executionDetails.at(-1)).toMatchObject({ detail: 'The message was deleted before it was sent' })
    expect(messages.map((message) => message.channel)).toEqual(['in_app'])
    expect(receiver.requests).toHaveLength(1)
  })

  test('the same by its transactionId', async () => {
    const env = await h.environment()
    const { transactionId } = await makeOpen(env, [{ ...emailStep, shouldStopOnFail: true }, inbox])
    expect(await env.delete(`/v1/messages/transaction/${transactionId}?channel=email`)).toMatchObject({ status: 204 })
    await h.drain()
    const { messages, jobs } = await storyOf(env, transactionId)
    expect(jobs.map((job) => job.status)).toEqual(['canceled', 'completed'])
    expect(messages.map((message) => message.channel)).toEqual(['in_app'])
  })

  test('of one that was sent: its step stays completed', async () => {
    const env = await h.environment()
    await makeWorkflow(env)
    const { transactionId } = await trigger(env, { to: ada })
    await h.drain()
    const { messages } = await storyOf(env, transactionId)
    expect((await env.delete(`/v1/messages/${messages[0]._id}`)).status).toBe(200)
    const { jobs, ...left } = await storyOf(env, transactionId)
    expect([left.messages, jobs.map((job) => job.status)]).toEqual([[], ['completed']])
  })
})

test('of a counted send: messages that were to be sent leave its counts', async () => {
  const env = await h.environment()
  await makePeople(h, env, 320)
  receiver.answer = { status: 503, headers: { 'retry-after': '3600' } }
  await makeMailing(env, receiver.url, [emailStep])
  const transactionId = await broadcast(env)
  await h.drain()
  const waiting = async () => (await sendOf(env, transactionId)).messages.waiting
  expect(await waiting()).toBe(320)
  const { body } = await env.get(`/v1/messages?transactionId=${transactionId}&limit=1`)
  expect((await env.delete(`/v1/messages/${body.data[0]._id}`)).status).toBe(200)
  expect(await waiting()).toBe(319)
  expect((await env.delete(`/v1/messages/transaction/${transactionId}`)).status).toBe(204)
  await h.drain()
  expect(await waiting()).toBe(0)
})
