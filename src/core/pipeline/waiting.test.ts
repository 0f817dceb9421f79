import { afterEach, describe, expect, test } from 'vitest'
import { type Client, useHarness } from '../../../test/harness.ts'
import { storyOf } from '../../../test/outside.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'

const h = useHarness({}, { worker: true })
const real = () => new Date()
afterEach(() => {
  h.ctx.clock = real
})
/** Moves every clock forward by this much. */
const later = (ms: number) => {
  h.ctx.clock = () => new Date(Date.now() + ms)
}
const [minute, day] = [60_000, 86_400_000]

const inbox = (body: string) => ({ name: 'Inbox', type: 'in_app', controlValues: { body } })
const delay = (controlValues: object) => ({ name: 'Wait', type: 'delay', controlValues })
const digest = (controlValues: object) => ({ name: 'Gather', type: 'digest', controlValues })

async function feedOf(env: Client, subscriberId = 'ada'): Promise<string[]> {
  const { body } = await env.get(`/v1/subscribers/${subscriberId}/notifications/feed`)
  return body.data.map((item: { content: string }) => item.content).reverse()
}
const until = async (check: () => Promise<boolean>) => {
  for (let n = 0; n < 400; n++) {
    await h.drain()
    if (await check()) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error('it did not come')
}

describe('a delay', () => {
  test('holds back what comes after it, and nothing before', async () => {
    const env = await h.environment()
    const steps = [inbox('now'), delay({ amount: 10, unit: 'minutes' }), inbox('then')]
    await makeWorkflow(env, 'hello', { steps })
    const { transactionId } = await trigger(env, { to: 'ada' })
    await h.drain()
    expect(await feedOf(env)).toEqual(['now'])
    expect((await storyOf(env, transactionId)).jobs.map((job) => job.status)).toEqual([
      'completed',
      'delayed',
      'pending',
    ])
    later(9 * minute)
    await new Promise((resolve) => setTimeout(resolve, 600))
    expect(await feedOf(env)).toEqual(['now'])
    later(11 * minute)
    await until(async () => (await feedOf(env)).length === 2)
    expect((await storyOf(env, transactionId)).jobs.map((job) => job.status)).toEqual(Array(3).fill('completed'))
  })

  test('until a time in the payload; one that has passed does not wait, one that is none fails', async () => {
    const env = await h.environment()
    await makeWorkflow(env, 'hello', { steps: [delay({ type: 'scheduled', delayPath: 'payload.at' }), inbox('then')] })
    const soon = await trigger(env, { to: 'ada', payload: { at: new Date(Date.now() + 5 * minute).toISOString() } })
    await trigger(env, { to: 'bob', payload: { at: '2020-01-01T00:00:00Z' } })
    const bad = await trigger(env, { to: 'eve', payload: { at: 'tomorrow' } })
    await until(async () => (await feedOf(env, 'bob')).length === 1)
    expect((await storyOf(env, soon.transactionId)).jobs[0].status).toBe('delayed')
    expect((await storyOf(env, bad.transactionId)).jobs[0]).toMatchObject({ status: 'failed' })
  })

  test('of a year is there a year later', async () => {
    const env = await h.environment()
    await makeWorkflow(env, 'hello', { steps: [delay({ amount: 366, unit: 'days' }), inbox('at last')] })
    await trigger(env, { to: 'ada' })
    await h.drain()
    later(367 * day)
    await until(async () => (await feedOf(env)).length === 1)
  })

  test('that is canceled never ends, and the cancel counts it', async () => {
    const env = await h.environment()
    await makeWorkflow(env, 'hello', { steps: [delay({ amount: 1, unit: 'hours' }), inbox('never')] })
    const { transactionId } = await trigger(env, { to: 'ada' })
    await h.drain()
    expect((await env.delete(`/v1/events/trigger/${transactionId}`)).body.canceled).toBe(2)
    later(2 * 60 * minute)
    await new Promise((resolve) => setTimeout(resolve, 700))
    await h.drain()
    expect(await feedOf(env)).toEqual([])
  })
})

describe('a digest', () => {
  test('gathers what comes in its time into one message, and begins anew after', async () => {
    const env = await h.environment()
    const body = '{{step.eventCount}}: {% for e in step.events %}{{e.n}} {% endfor %}'
    await makeWorkflow(env, 'hello', { steps: [digest({ amount: 10, unit: 'minutes' }), inbox(body)] })
    const stories = []
    for (let n = 1; n <= 3; n++) {
      stories.push(await trigger(env, { to: ['ada', 'bob'], payload: { n } }))
      await h.drain()
    }
    expect(await feedOf(env)).toEqual([])
    const { jobs } = await storyOf(env, stories[1].transactionId)
    expect(jobs.map((job) => job.status)).toEqual(['merged', 'merged'])
    later(11 * minute)
    await until(async () => (await feedOf(env)).length === 1 && (await feedOf(env, 'bob')).length === 1)
    expect(await feedOf(env)).toEqual(['3: 1 2 3 '])
    await trigger(env, { to: 'ada', payload: { n: 4 } })
    await h.drain()
    later(22 * minute)
    await until(async () => (await feedOf(env)).length === 2)
    expect((await feedOf(env))[1]).toBe('1: 4 ')
  })

  test('keeps apart what its key keeps apart', async () => {
    const env = await h.environment()
    const steps = [digest({ amount: 10, unit: 'minutes', digestKey: 'payload.post' }), inbox('{{step.eventCount}}')]
    await makeWorkflow(env, 'hello', { steps })
    for (const post of ['a', 'b', 'a', 'a']) await trigger(env, { to: 'ada', payload: { post } })
    await h.drain()
    later(11 * minute)
    await until(async () => (await feedOf(env)).length === 2)
    expect((await feedOf(env)).sort()).toEqual(['1', '3'])
  })

  test('with backoff lets the first through and gathers the next', async () => {
    const env = await h.environment()
    const values = { amount: 10, unit: 'minutes', lookBackWindow: { amount: 5, unit: 'minutes' } }
    await makeWorkflow(env, 'hello', { steps: [digest(values), inbox('{{payload.n}} of {{step.eventCount}}')] })
    await trigger(env, { to: 'ada', payload: { n: 1 } })
    await until(async () => (await feedOf(env)).length === 1)
    for (const n of [2, 3]) await trigger(env, { to: 'ada', payload: { n } })
    await h.drain()
    expect(await feedOf(env)).toHaveLength(1)
    later(11 * minute)
    await until(async () => (await feedOf(env)).length === 2)
    expect((await feedOf(env))[1]).toBe('2 of 2')
  })

  test('goes on without an event that is canceled, also when that one had begun it', async () => {
    const env = await h.environment()
    const body = '{% for e in step.events %}{{e.n}} {% endfor %}'
    await makeWorkflow(env, 'hello', { steps: [digest({ amount: 10, unit: 'minutes' }), inbox(body)] })
    const made = []
    for (const n of [1, 2, 3]) {
      made.push(await trigger(env, { to: 'ada', payload: { n } }))
      await h.drain()
    }
    expect((await env.delete(`/v1/events/trigger/${made[0].transactionId}`)).body.canceled).toBe(2)
    expect((await env.delete(`/v1/events/trigger/${made[2].transactionId}`)).body.canceled).toBe(2)
    later(11 * minute)
    await until(async () => (await feedOf(env)).length === 1)
    expect(await feedOf(env)).toEqual(['2 '])
  })
})

test('a throttle lets through what its window holds, and skips the rest with all that follows', async () => {
  const env = await h.environment()
  const throttle = { name: 'Limit', type: 'throttle', controlValues: { amount: 10, unit: 'minutes', threshold: 2 } }
  await makeWorkflow(env, 'hello', { steps: [throttle, inbox('{{payload.n}}')] })
  const made = []
  for (const n of [1, 2, 3, 4]) made.push(await trigger(env, { to: ['ada', 'bob'], payload: { n } }))
  await h.drain()
  expect(await feedOf(env)).toHaveLength(2)
  expect(await feedOf(env, 'bob')).toHaveLength(2)
  const statuses = []
  for (const { transactionId } of made) statuses.push((await storyOf(env, transactionId)).jobs.map((job) => job.status))
  expect(statuses.flat().sort()).toEqual([
    'completed',
    'completed',
    'completed',
    'completed',
    ...Array(4).fill('skipped'),
  ])
  later(11 * minute)
  await trigger(env, { to: 'ada', payload: { n: 5 } })
  await h.drain()
  expect(await feedOf(env)).toHaveLength(3)
})
