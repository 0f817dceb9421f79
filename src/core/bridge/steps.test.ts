import { afterAll, beforeEach, expect, test } from 'vitest'
import { discovery } from '../../../test/bridge/discovery.ts'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { allowing, emailWebhook, makeIntegration, storyOf } from '../../../test/outside.ts'
import { type Scripted, startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { trigger } from '../../../test/pipeline.ts'

const [bridge, vendor] = [await startHttpReceiver(), await startHttpReceiver()]
const h = useHarness(allowing(bridge.port, vendor.port), { worker: true })
afterAll(() => Promise.all([bridge.close(), vendor.close()]))

let env: Client
beforeEach(async () => {
  vendor.requests.length = 0
  overrides = {}
  env = await h.environment()
})

/** What is answered for each step, by its stepId. */
async function sync(steps: Json[], answers: Record<string, Scripted>): Promise<void> {
  bridge.answer = discovery({ steps })
  expect((await env.post('/v1/bridge/sync', { bridgeUrl: bridge.url })).status).toBe(201)
  bridge.requests.length = 0
  bridge.answer = ({ url }) => answers[new URL(url, bridge.url).searchParams.get('stepId') ?? ''] ?? { status: 404 }
}

const says = (outputs: Json, more: Json = {}): Scripted => ({ json: { outputs, options: { skip: false }, ...more } })

let overrides: Json = {}
async function run(...statuses: string[]): Promise<string> {
  const { transactionId } = await trigger(env, { name: 'coded', to: 'ann', payload: { group: 'one' }, overrides })
  const read = async () => (await storyOf(env, transactionId)).jobs.map(({ status }) => status)
  await expect.poll(read, { timeout: 25_000 }).toEqual(statuses)
  return transactionId
}

const statesAskedWith = (stepId: string): Json => {
  const [body]: Json[] = bridge.requests.filter(({ url }) => url.includes(`stepId=${stepId}`)).map(({ json }) => json)
  return body.state
}

test('code or a wait that fails stops the rest; a message that fails does not, and the next step is told', async () => {
  const thrown = { status: 502, json: { code: 'StepExecutionFailedError', message: 'Oh' } }
  const mail = { stepId: 'mail', type: 'sms' }
  const inbox = { stepId: 'inbox', type: 'in_app' }
  const integration = { credentials: { baseUrl: vendor.url, apiKeyRequestHeader: 'k', apiKey: 'a-key', idPath: 'id' } }
  await makeIntegration(env, { providerId: 'generic-sms', channel: 'sms', ...integration })
  await env.post('/v2/subscribers', { subscriberId: 'ann', phone: '+4915112345678' })
  await sync([{ stepId: 'look', type: 'custom' }, inbox], { look: thrown, inbox: says({ body: 'B' }) })
  await run('failed', 'canceled')
  await sync([mail, inbox], { mail: thrown, inbox: says({ body: 'B' }) })
  await run('failed', 'completed')
  const error = expect.stringContaining('502 StepExecutionFailedError: Oh')
  expect(statesAskedWith('inbox')).toEqual([{ stepId: 'mail', outputs: {}, state: { status: 'failed', error } }])
})

test('results of earlier steps are told, of whatever became of them', async () => {
  const steps = [
    { stepId: 'look', type: 'custom' },
    { stepId: 'not', type: 'custom' },
    { stepId: 'bell', type: 'in_app' },
    { stepId: 'limit', type: 'throttle' },
    { stepId: 'gather', type: 'digest' },
    { stepId: 'pause', type: 'delay' },
    { stepId: 'last', type: 'in_app' },
  ]
  await sync(steps, {
    look: says({ found: [1, { two: 2 }] }),
    not: { json: { outputs: {}, options: { skip: true } } },
    bell: says({ body: 'Bell' }),
    limit: says({ type: 'fixed', amount: 1, unit: 'hours', threshold: 5, throttleKey: 'any text' }),
    gather: says({ amount: 1, unit: 'seconds', digestKey: 'payload.group' }),
    pause: says({ amount: 1, unit: 'seconds' }),
    last: says({ body: 'Last' }),
  })
  await run('completed', 'skipped', 'completed', 'completed', 'completed', 'completed', 'completed')
  const completed = { status: 'completed' }
  const event = { id: expect.any(String), time: expect.stringMatching(/^\d{4}-.*Z$/), payload: { group: 'one' } }
  expect(statesAskedWith('last')).toEqual([
    { stepId: 'look', outputs: { found: [1, { two: 2 }] }, state: completed },
    { stepId: 'not', outputs: {}, state: { status: 'skipped' } },
    { stepId: 'bell', outputs: { seen: false, read: false, lastSeenDate: null, lastReadDate: null }, state: completed },
    { stepId: 'limit', outputs: { throttled: false, threshold: 5 }, state: completed },
    { stepId: 'gather', outputs: { events: [event], eventCount: 1 }, state: completed },
    { stepId: 'pause', outputs: { duration: expect.any(Number) }, state: completed },
  ])
  expect(statesAskedWith('last')[5].outputs.duration).toBeGreaterThanOrEqual(1_000)
})

test('what it adds for a vendor arrives there; what the trigger says wins; nothing of ours is replaced by it', async () => {
  await makeIntegration(env, emailWebhook(vendor.url))
  await env.post('/v2/subscribers', { subscriberId: 'ann', email: 'ann@example.com' })
  const providers = {
    'email-webhook': { _passthrough: { body: { tag: 'code', kept: 1 } } },
    email: { to: 'eve@example.com' },
  }
  await sync([{ stepId: 'mail', type: 'email' }], {
    mail: says({ subject: 'S', body: '{{ not }} <b>B</b>' }, { providers }),
  })
  overrides = { 'email-webhook': { kept: 2 } }
  await run('completed')
  expect(vendor.requests[0]?.json).toMatchObject({ tag: 'code', kept: 2 })
  const text = JSON.stringify(vendor.requests[0]?.json)
  expect(text).toContain('{{ not }} <b>B</b>')
  expect(text).toContain('ann@example.com')
  expect(text).not.toContain('eve@example.com')
})

test('a throttle that is full skips the rest, and nobody is asked about it', async () => {
  const steps = [
    { stepId: 'limit', type: 'throttle' },
    { stepId: 'last', type: 'in_app' },
  ]
  await sync(steps, { limit: says({ type: 'fixed', amount: 1, unit: 'hours' }), last: says({ body: 'Last' }) })
  await run('completed', 'completed')
  bridge.requests.length = 0
  await run('skipped', 'skipped')
  expect(bridge.requests.map(({ url }) => new URL(url, bridge.url).searchParams.get('stepId'))).toEqual(['limit'])
})
