import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { discovery } from '../../../test/bridge/discovery.ts'
import { longestBlock } from '../../../test/event-loop.ts'
import { bestOfFive } from '../../../test/fastest.ts'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { allowing } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'

const bridge = await startHttpReceiver()
const h = useHarness(allowing(bridge.port))
afterAll(() => bridge.close())

let env: Client
beforeEach(async () => {
  bridge.cut()
  env = await h.environment()
})

const asJson = (body: Buffer) => ({ headers: { 'content-type': 'application/json' }, body })
const ask = (path: string) => env.post(`/v1/bridge/${path}`, { bridgeUrl: bridge.url })

describe('a reply of 8 MB holds up nobody', bestOfFive, () => {
  const inside = (text: string) => Buffer.from(`{"workflows":[],"x":${text}}`)
  test.each<[string, Buffer]>([
    ['of lists', inside(`[${'[],'.repeat(2_700_000)}1]`)],
    ['of one list in another', inside(`${'['.repeat(4_000_000)}${']'.repeat(4_000_000)}`)],
    [
      'of workflows that hold too much each',
      Buffer.from(
        `{"workflows":[${Array(3)
          .fill(`{"x":[${'[],'.repeat(900_000)}1]}`)
          .join()}]}`,
      ),
    ],
    ['of keys', inside(`{${Array.from({ length: 500_000 }, (_, n) => `"k${n}":1`).join()}}`)],
  ])('%s', async (_what, body) => {
    bridge.answer = asJson(body)
    const { blockedMs, result } = await longestBlock(() => ask('validate'))
    expect(blockedMs).toBeLessThan(250)
    expect([result.status, result.body.code]).toEqual([400, 'bridge_failed'])
  })
})

const many = (name: string) => {
  const workflows = Array.from({ length: 500 }, (_, n) => ({
    workflowId: `w${n}`,
    name: `${name} ${n}`,
    // As the framework tells of a step: with the schemas of what it takes and gives.
    steps: Array.from({ length: 50 }, (_, at) => ({
      stepId: `step-${at}`,
      type: 'email',
      outputs: [1, 2, 3, [], {}, 4],
    })),
    payload: { schema: { type: 'object', properties: { a: { type: 'string', description: 'x'.repeat(10_000) } } } },
  }))
  return Buffer.from(JSON.stringify({ workflows }))
}
test('500 workflows of 50 steps are told of, told of anew and again, and hold up nobody', {
  ...bestOfFive,
  timeout: 120_000,
}, async () => {
  for (const [name, path] of [
    ['First', 'sync'],
    ['Second', 'diff'],
    ['Second', 'sync'],
    ['Second', 'sync'],
  ] as const) {
    const body = many(name)
    bridge.answer = asJson(body)
    const { blockedMs, result } = await longestBlock(() => ask(path))
    expect(result.status, result.text.slice(0, 300)).toBeLessThan(300)
    expect(blockedMs).toBeLessThan(250)
  }
})

test('however many calls of one environment ask its bridge at once, it is asked by two, and others are answered', {
  timeout: 60_000,
}, async () => {
  const other = await h.environment()
  bridge.answer = 'hang'
  const before = bridge.connections.open
  const all = ['sync', 'diff', 'validate'].flatMap((path) => Array.from({ length: 30 }, () => ask(path)))
  await expect.poll(() => bridge.connections.open - before).toBeGreaterThan(0)
  const began = performance.now()
  expect((await other.post('/v2/subscribers', { subscriberId: 'ann' })).status).toBeLessThan(300)
  expect((await env.get('/v1/bridge')).status).toBe(200)
  expect((await env.post('/v2/subscribers', { subscriberId: 'ann' })).status).toBeLessThan(300)
  expect(performance.now() - began).toBeLessThan(2_000)
  await new Promise((resolve) => setTimeout(resolve, 300))
  const most = bridge.connections.open - before
  bridge.answer = discovery()
  bridge.cut()
  const replies = await Promise.all(all)
  expect(new Set(replies.map(({ status }) => status).filter((it) => it >= 500))).toEqual(new Set())
  expect(most).toBeLessThanOrEqual(2)
})

test.each([
  ['/v1/events/explain', { name: 'coded', to: 'ann' }],
  ['/v2/workflows/coded/step/inbox/preview', {}],
])('many that look at what a bridge that hangs would do: %s', { timeout: 60_000 }, async (path, body) => {
  const other = await h.environment()
  bridge.answer = discovery()
  expect((await ask('sync')).status).toBe(201)
  bridge.requests.length = 0
  bridge.answer = 'hang'
  const all = Array.from({ length: 60 }, () => env.post(path, body))
  await expect.poll(() => bridge.requests.length).toBe(10)
  const began = performance.now()
  for (const one of [other, env])
    expect((await one.post('/v2/subscribers', { subscriberId: 'bob' })).status).toBeLessThan(300)
  expect((await env.post('/v1/events/trigger', { name: 'coded', to: 'bob' })).status).toBe(201)
  expect(performance.now() - began).toBeLessThan(2_000)
  expect(bridge.requests).toHaveLength(10)
  bridge.answer = { status: 404 }
  bridge.cut()
  for (const reply of await Promise.all(all)) expect(reply.status).toBeLessThan(300)
})

test('a workflow made here at the same moment as a sync: one of them is refused, and neither by a 5xx', {
  timeout: 60_000,
}, async () => {
  const seen: Json[] = []
  for (let round = 0; round < 12; round++) {
    const workflowId = `both-${round}`
    bridge.answer = { ...discovery({ workflowId }), delayMs: round % 4 }
    const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
    const [made, ...synced] = await Promise.all([
      pause(3 * (round % 6)).then(() => env.post('/v2/workflows', { workflowId, name: 'x', steps: [] })),
      ask('sync'),
      ask('sync'),
    ])
    seen.push([made.status, ...synced.map(({ status }) => status).sort()])
    await env.delete(`/v2/workflows/${workflowId}`)
  }
  expect(seen.flat().filter((it: number) => it >= 500)).toEqual([])
})
