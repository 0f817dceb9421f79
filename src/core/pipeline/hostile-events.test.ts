import { expect, test } from 'vitest'
import { longestBlock } from '../../../test/event-loop.ts'
import { bestOfFive } from '../../../test/fastest.ts'
import { useHarness } from '../../../test/harness.ts'
import { makeSubscribers, makeWorkflow, messagesBySubscriber, subscribe } from '../../../test/pipeline.ts'

const h = useHarness({}, { worker: true })

/** The most that a tenant may hold up everybody else on the node. */
const mostMs = 250
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)
const inApp = (controlValues: object, more: object = {}) => [{ name: 'Inbox', type: 'in_app', controlValues, ...more }]

test('a large attachment', bestOfFive, async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  const file = Buffer.alloc(14 * 1024 * 1024, 7).toString('base64')
  const event = {
    name: 'hello',
    to: 'ada',
    payload: { attachments: [{ file, name: 'a.pdf', mime: 'application/pdf' }] },
  }
  const body = JSON.stringify(event)
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'a' }
  const { blockedMs, result } = await longestBlock(() => env.send('POST', '/v1/events/trigger', { raw: body, headers }))
  expect(result.body.status).toBe('processed')
  expect(blockedMs).toBeLessThan(mostMs)
})

test('a body of millions of values is refused before it is read', bestOfFive, async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  const fields = Object.fromEntries(numbers(20_000).map((n) => [`k${n}`, []]))
  const event = JSON.stringify({ name: 'hello', to: 'ada', payload: fields })
  const body = `{"events":[${numbers(90)
    .map(() => event)
    .join()}]}`
  const headers = { 'content-type': 'application/json' }
  const { blockedMs, result } = await longestBlock(() =>
    env.send('POST', '/v1/events/trigger/bulk', { raw: body, headers }),
  )
  expect([result.status, result.body.code]).toEqual([413, 'body_too_large'])
  expect(blockedMs).toBeLessThan(mostMs)
})

test('a bulk of a hundred large payloads', bestOfFive, async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  const payload = Object.fromEntries(numbers(1_900).map((n) => [`k${n}`, 'some text of a payload '.repeat(5)]))
  const event = JSON.stringify({ name: 'hello', to: 'ada', payload })
  const body = `{"events":[${numbers(100)
    .map(() => event)
    .join()}]}`
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'b' }
  const { blockedMs, result } = await longestBlock(() =>
    env.send('POST', '/v1/events/trigger/bulk', { raw: body, headers }),
  )
  expect(result.body[99]).toMatchObject({ status: 'processed' })
  expect(blockedMs).toBeLessThan(mostMs)
})

test.each([
  ['too large for everybody', '{{payload.x}}'.repeat(200), 'output_too_large'],
  ['as large as allowed', '{{payload.x}}', null],
])('a page of people with a text %s', { timeout: 60_000, ...bestOfFive }, async (_size, body, errorId) => {
  const env = await h.environment()
  const people = numbers(60).map((n) => `p${n}`)
  await makeSubscribers(env, people)
  await subscribe(env, 'all', people)
  await makeWorkflow(env, 'hello', { steps: inApp({ subject: 'Hi', body }) })
  const event = { name: 'hello', to: { type: 'Topic', topicKey: 'all' }, payload: { x: 'y'.repeat(500 * 1024) } }
  const { blockedMs } = await longestBlock(async () => {
    expect((await env.post('/v1/events/trigger', event)).body.status).toBe('processed')
    await h.drain()
  })
  expect(Object.keys(await messagesBySubscriber(env))).toHaveLength(60)
  const [message] = await h.admin
    .selectFrom('message')
    .select(['error_id'])
    .where('environment_id', '=', env.environmentId)
    .limit(1)
    .execute()
  expect(message?.error_id).toBe(errorId)
  expect(blockedMs).toBeLessThan(mostMs)
})

test('conditions over long lists and texts', { timeout: 60_000, ...bestOfFive }, async () => {
  const env = await h.environment()
  const child = (operator: string, field: string, value: string) => ({ field, value, operator, on: 'payload' })
  const filters = numbers(10).flatMap(() => [
    { type: 'DATE', children: numbers(100).map(() => child('IN', 'list', 'none')) },
    { type: 'TEXT', children: numbers(100).map(() => child('LIKE', 'text', `${'a'.repeat(100)}b`)) },
  ])
  await makeWorkflow(env, 'hello', { steps: inApp({ subject: 'Hi', body: 'Hi' }, { filters }) })
  const payload = { list: numbers(40_000).map((n) => `v${n}`), text: 'a'.repeat(100_000) }
  const { blockedMs } = await longestBlock(async () => {
    expect((await env.post('/v1/events/trigger', { name: 'hello', to: 'ada', payload })).body.status).toBe('processed')
    await h.drain()
  })
  const jobs = await h.admin
    .selectFrom('job')
    .select(['status', 'details'])
    .where('environment_id', '=', env.environmentId)
    .execute()
  expect(jobs[0]?.status).toBe('skipped')
  expect(JSON.stringify(jobs[0]?.details)).toContain('too long')
  expect(blockedMs).toBeLessThan(mostMs)
})

test('a file whose letters stand apart', bestOfFive, async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  const file = Buffer.alloc(5 * 1024 * 1024, 7)
    .toString('base64')
    .replaceAll(/./g, '$& ')
  const body = JSON.stringify({
    name: 'hello',
    to: 'ada',
    payload: { attachments: [{ file, name: '/'.repeat(1000) }] },
  })
  const headers = { 'content-type': 'application/json' }
  const { blockedMs, result } = await longestBlock(() => env.send('POST', '/v1/events/trigger', { raw: body, headers }))
  expect(result.body.status).toBe('processed')
  expect(blockedMs).toBeLessThan(mostMs)
})

test('conditions for a hundred people, explained', { timeout: 60_000, ...bestOfFive }, async () => {
  const env = await h.environment()
  const dates = '2026-01-02,'.repeat(200)
  const children = numbers(100).map(() => ({ field: 'x', value: dates, operator: 'ALL_IN', on: 'payload' }))
  await makeWorkflow(env, 'hello', { steps: inApp({ body: 'Hi' }, { filters: [{ type: 'DATE', children }] }) })
  const event = { name: 'hello', to: numbers(100).map((n) => `p${n}`), payload: { x: ['2026-01-02'] } }
  const { blockedMs, result } = await longestBlock(() => env.post('/v1/events/explain', event))
  expect(result.body.recipients).toHaveLength(100)
  expect(blockedMs).toBeLessThan(mostMs)
})

const named = (steps: object[]) => steps.map((step, n) => ({ name: `Step ${n}`, ...step }))
const cron = (n: number) => ({ type: 'delay', controlValues: { type: 'timed', cron: `${n} 0 31W 2,4,6,9,11 +1#1` } })

test.each([
  ['days that never come', numbers(50).map(cron), 422],
  ['templates', numbers(50).map(() => inApp({ body: '{{a}}'.repeat(3_500) })[0] ?? {}), 201],
  ['more conditions than allowed', inApp({ body: 'x' }, { filters: numbers(60_000).map(() => ({})) }), 422],
])('a workflow of %s', { timeout: 60_000, ...bestOfFive }, async (_what, steps, status) => {
  const env = await h.environment()
  const body = { workflowId: 'hello', name: 'Hello', steps: named(steps) }
  const { blockedMs, result } = await longestBlock(() => env.post('/v2/workflows', body))
  expect(result.status).toBe(status)
  expect(blockedMs).toBeLessThan(mostMs)
})

test('names of zones and languages', bestOfFive, async () => {
  const env = await h.environment()
  // Every spelling of a zone is another text.
  const spelt = (n: number) =>
    [...'america/argentina/buenos_aires'].map((c, at) => ((n >> at) & 1 ? c.toUpperCase() : c))
  const subscribers = numbers(500).map((n) => ({ subscriberId: `s${n}`, timezone: spelt(n).join('') }))
  const variants = numbers(20_000).map((n) => `a${String(n).padStart(5, '0')}`)
  const { blockedMs, result } = await longestBlock(async () => [
    await env.post('/v1/subscribers/bulk', { subscribers }),
    await env.post('/v2/subscribers', { subscriberId: 'x', locale: `en-${variants.join('-')}` }),
  ])
  expect(result.map(({ status }) => status)).toEqual([201, 422])
  expect(blockedMs).toBeLessThan(mostMs)
})
