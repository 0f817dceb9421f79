import { afterAll, expect, test } from 'vitest'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { allowing } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { makeSubscribers, makeWorkflow, subscribe, trigger } from '../../../test/pipeline.ts'

const [hanging, well] = [await startHttpReceiver(), await startHttpReceiver()]
const h = useHarness(allowing(hanging.port, well.port), { worker: true })
afterAll(async () => {
  hanging.cut()
  await Promise.all([hanging.close(), well.close()])
})

const discovery = {
  json: { workflows: [{ workflowId: 'coded', steps: [{ stepId: 'inbox', type: 'in_app' }] }], agents: [] },
}
const inbox = { json: { outputs: { body: 'From code' }, options: { skip: false } } }

async function withBridge(receiver: typeof well): Promise<Client> {
  const env = await h.environment()
  receiver.answer = discovery
  expect((await env.post('/v1/bridge/sync', { bridgeUrl: receiver.url })).status).toBe(201)
  return env
}

/** How long the message of one trigger takes until it is in the feed. */
async function msUntilSent(env: Client, name: string, n: number): Promise<number> {
  const began = performance.now()
  const { transactionId } = await trigger(env, { name, to: `person-${n}` })
  const messages = async (): Promise<Json[]> => (await env.get(`/v1/messages?transactionId=${transactionId}`)).body.data
  await expect.poll(async () => (await messages()).length, { timeout: 20_000, interval: 10 }).toBe(1)
  return performance.now() - began
}

test('beside bridges that hang, the messages of others flow: with a bridge and without one', {
  timeout: 90_000,
}, async () => {
  const ours = await withBridge(well)
  await makeWorkflow(ours, 'slow', {
    steps: [
      { name: 'Wait', type: 'delay', controlValues: { amount: 1, unit: 'seconds' } },
      { name: 'Inbox', type: 'in_app', controlValues: { body: 'Ours' } },
    ],
  })
  well.answer = inbox
  const alone: number[] = []
  for (let n = 0; n < 5; n++) alone.push(await msUntilSent(ours, 'coded', n))

  // More tenants than workers, each with more people than calls at a time.
  const people = Array.from({ length: 100 }, (_, n) => `p${n}`)
  for (let tenant = 0; tenant < 6; tenant++) {
    const env = await withBridge(hanging)
    await makeSubscribers(env, people)
    await subscribe(env, 'all', people)
    hanging.answer = 'hang'
    await trigger(env, { name: 'coded', to: { type: 'Topic', topicKey: 'all' } })
  }
  await expect.poll(() => hanging.requests.length, { timeout: 20_000 }).toBeGreaterThan(60)

  const beside: number[] = []
  for (let n = 0; n < 10; n++) beside.push(await msUntilSent(ours, 'coded', 100 + n))
  const waited = await msUntilSent(ours, 'slow', 200)
  const median = (of: number[]) => of.toSorted((a, b) => a - b)[Math.floor(of.length / 2)] ?? 0
  console.info(
    `alone ${Math.round(median(alone))} ms, beside six that hang ${Math.round(median(beside))} ms, at most ${Math.round(Math.max(...beside))} ms`,
  )
  // A hanging call lasts ten seconds: nobody waited for one.
  expect(Math.max(...beside)).toBeLessThan(4_000)
  expect(waited).toBeLessThan(6_000)
  expect(hanging.connections.most).toBeLessThanOrEqual(6 * 40)
})
