import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { discovery } from '../../../test/bridge/discovery.ts'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { allowing, storyOf } from '../../../test/outside.ts'
import { type ReceivedRequest, type Scripted, startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { trigger } from '../../../test/pipeline.ts'

const bridge = await startHttpReceiver()
const h = useHarness(allowing(bridge.port), { worker: true })
afterAll(() => bridge.close())

let env: Client
beforeEach(async () => {
  await sql`delete from bridge_call`.execute(h.admin)
  env = await h.environment()
})

const says = (outputs: Json, more: Json = {}): Scripted => ({ json: { outputs, options: { skip: false }, ...more } })
const stepOf = ({ url }: ReceivedRequest) => new URL(url, bridge.url).searchParams.get('stepId') ?? ''

async function sync(steps: Json[], answers: Record<string, Scripted | (() => Scripted | Promise<Scripted>)>) {
  bridge.answer = discovery({ steps })
  const reply = await env.post('/v1/bridge/sync', { bridgeUrl: bridge.url })
  expect(reply.status, reply.text).toBe(201)
  bridge.requests.length = 0
  bridge.answer = (request) => {
    const answer = answers[stepOf(request)] ?? { status: 404 }
    return typeof answer === 'function' ? answer() : answer
  }
}

const statusesOf = async (id: string) => (await storyOf(env, id)).jobs.map(({ status }) => status)
const asked = (stepId: string): Json[] => bridge.requests.filter((it) => stepOf(it) === stepId).map(({ json }) => json)

test('of a digest all payloads are told, up to a megabyte; the count is exact', { timeout: 60_000 }, async () => {
  await sync(
    [
      { stepId: 'gather', type: 'digest' },
      { stepId: 'bell', type: 'in_app' },
    ],
    { gather: says({ amount: 3, unit: 'seconds' }), bell: says({ body: 'B' }) },
  )
  const events = Array.from({ length: 250 }, (_, n) => ({ name: 'coded', to: 'ann', payload: { n } }))
  for (let from = 0; from < 250; from += 50)
    await env.post('/v1/events/trigger/bulk', { events: events.slice(from, from + 50) })
  await expect.poll(() => asked('bell').length, { timeout: 40_000 }).toBe(1)
  const [{ state }] = asked('bell')
  expect(state[0].outputs.eventCount).toBe(250)
  expect(state[0].outputs.events.length).toBe(250)
})

test('two digests: each is told of with what it gathered', { timeout: 60_000 }, async () => {
  const wait = says({ amount: 1, unit: 'seconds' })
  await sync(
    [
      { stepId: 'one', type: 'digest' },
      { stepId: 'between', type: 'in_app' },
      { stepId: 'two', type: 'digest' },
      { stepId: 'bell', type: 'in_app' },
    ],
    { one: wait, between: says({ body: 'B' }), two: says({ amount: 3, unit: 'seconds' }), bell: says({ body: 'B' }) },
  )
  const first = await trigger(env, { name: 'coded', to: 'ann', payload: { n: 1 } })
  await expect.poll(() => asked('two').length, { timeout: 20_000 }).toBe(1)
  const second = await trigger(env, { name: 'coded', to: 'ann', payload: { n: 2 } })
  await expect.poll(() => asked('bell').length, { timeout: 20_000 }).toBe(1)
  const counts = (of: Json) =>
    of.state.filter(({ outputs }: Json) => 'eventCount' in outputs).map((it: Json) => it.outputs.eventCount)
  expect(asked('two').map(counts)).toEqual([[1], [1]])
  expect(asked('bell').map(counts)).toEqual([[1, 2]])
  await expect.poll(() => statusesOf(first.transactionId)).toEqual(Array(4).fill('completed'))
  expect(await statusesOf(second.transactionId)).toEqual(['completed', 'completed', 'merged', 'merged'])
})
