import { expect, test } from 'vitest'
import { type Json, useHarness } from '../../../test/harness.ts'
import { makeWorkflow, subscribe, trigger } from '../../../test/pipeline.ts'

const h = useHarness({}, { worker: true })

test('the history comes page by page, each message and notification once, oldest first, nobody else in it', async () => {
  const env = await h.environment()
  const step = (name: string) => ({ name, type: 'in_app', controlValues: { body: `${name} {{payload.n}}` } })
  await makeWorkflow(env, 'hello', { steps: [step('first'), step('second')] })
  await env.post('/v2/subscribers', { subscriberId: 'ada' })
  await subscribe(env, 'news', ['ada'])
  for (let n = 0; n < 7; n++) {
    await trigger(env, { to: ['ada', 'eve'], payload: { n }, transactionId: `t${n}` })
    await h.drain()
  }
  const pages: Json[] = []
  for (let after: string | null = ''; after !== null; after = pages.at(-1).next) {
    const { status, body } = await env.get(`/v2/subscribers/ada/export?limit=3&after=${after}`)
    expect(status).toBe(200)
    expect(body.notifications.length).toBeLessThanOrEqual(3)
    expect(body.messages.length).toBeLessThanOrEqual(3)
    pages.push(body)
  }
  expect(pages.map((page) => page.topicSubscriptions.length)).toEqual([1, ...pages.slice(1).map(() => 0)])
  const notifications = pages.flatMap((page) => page.notifications)
  expect(notifications.map((it) => it.transactionId)).toEqual(['t0', 't1', 't2', 't3', 't4', 't5', 't6'])
  const messages = pages.flatMap((page) => page.messages)
  expect(new Set(messages.map((it) => it._id)).size).toBe(14)
  expect(messages).toHaveLength(14)
  expect(new Set(messages.map((it) => it.subscriber.subscriberId))).toEqual(new Set(['ada']))
  const whole = (await env.get('/v2/subscribers/ada/export')).body
  expect([whole.notifications.length, whole.messages.length, whole.next]).toEqual([7, 14, null])
})

test('a cursor that is none is refused', async () => {
  const env = await h.environment()
  await env.post('/v2/subscribers', { subscriberId: 'ada' })
  expect((await env.get('/v2/subscribers/ada/export?after=x')).body.code).toBe('invalid_cursor')
  expect((await env.get('/v2/subscribers/ada/export?limit=101')).status).toBe(422)
})
