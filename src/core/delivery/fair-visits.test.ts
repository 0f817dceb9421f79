import { expect, test } from 'vitest'
import { type Client, useHarness } from '../../../test/harness.ts'
import { allowing, makeIntegration } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { makeWorkflow, subscribe, trigger } from '../../../test/pipeline.ts'

const slow = await startHttpReceiver()
const good = await startHttpReceiver()
const h = useHarness(allowing(slow.port, good.port), { worker: true })

async function prepare(env: Client, url: string) {
  await makeWorkflow(env, 'hello', { steps: [{ name: 'Text', type: 'sms', controlValues: { body: 'Hi' } }] })
  const credentials = { baseUrl: url, apiKeyRequestHeader: 'x-api-key', apiKey: 'key-key', from: '4711' }
  await makeIntegration(env, { providerId: 'generic-sms', channel: 'sms', credentials })
  const subscribers = [{ subscriberId: 'ada', phone: '+493010001000' }]
  expect((await env.post('/v1/subscribers/bulk', { subscribers })).body.failed).toEqual([])
  await subscribe(env, 'crowd', ['ada'])
}
const toTopic = { to: [{ type: 'Topic', topicKey: 'crowd' }] }

test('small crowds of an integration that refuses slowly do not keep the bulk messages of others waiting', async () => {
  const [a, b] = [await h.environment(), await h.environment()]
  await prepare(a, slow.url)
  await prepare(b, good.url)
  slow.answer = async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_800))
    return { status: 422, json: { error: 'no such route' } }
  }
  good.answer = async () => ({ json: { id: 'x' } })
  // By itself it goes out.
  await trigger(b, toTopic)
  await expect.poll(() => good.requests.length, { timeout: 15_000 }).toBe(1)
  for (let n = 0; n < 200; n++) await trigger(a, toTopic)
  const began = performance.now()
  await trigger(b, toTopic)
  await expect.poll(() => good.requests.length, { timeout: 45_000, interval: 50 }).toBe(2)
  const tookMs = Math.round(performance.now() - began)
  // In turn behind the slow one it would be twenty seconds.
  expect(tookMs).toBeLessThan(8_000)
}, 120_000)
