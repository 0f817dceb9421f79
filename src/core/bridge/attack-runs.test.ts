import { createHmac } from 'node:crypto'
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
const executions = () => bridge.requests.filter(({ url }) => url.includes('action=execute'))
const inbox = [{ stepId: 'inbox', type: 'in_app' }]

async function sync(steps: Json[] = inbox, workflowId = 'coded') {
  bridge.answer = discovery({ steps, workflowId })
  const reply = await env.post('/v1/bridge/sync', { bridgeUrl: bridge.url })
  expect(reply.status, reply.text).toBe(201)
  bridge.requests.length = 0
}

/** Answers that are given when the test says so, in the order of the calls. */
function inHand() {
  const given: ((answer: Scripted) => void)[] = []
  bridge.answer = ({ url }: ReceivedRequest) =>
    url.includes('action=execute') ? new Promise<Scripted>((resolve) => given.push(resolve)) : { status: 404 }
  const calls = (count: number) => expect.poll(() => given.length, { timeout: 10_000 }).toBe(count)
  return { calls, answer: (index: number, answer: Scripted) => given[index]?.(answer) }
}

const run = async (to = 'ann') => (await trigger(env, { name: 'coded', to, payload: {} })).transactionId
const statusesOf = async (id: string) => (await storyOf(env, id)).jobs.map(({ status }) => status)
const inState = (id: string, ...statuses: string[]) =>
  expect.poll(() => statusesOf(id), { timeout: 10_000 }).toEqual(statuses)
const noCalls = () =>
  expect.poll(async () => (await sql`select 1 from bridge_call`.execute(h.admin)).rows, { timeout: 10_000 }).toEqual([])
/** As if its worker were dead for long. */
const takeOver = async () => {
  await sql`update bridge set busy_by = null, busy_until = now()`.execute(h.admin)
  await sql`update bridge_call set next_at = now()`.execute(h.admin)
}

test('a secret of the environment and the key that signs are in no words of the activity', async () => {
  await sync()
  const values = [{ _environmentId: env.environmentId, value: 'sesame-open-2026' }]
  const made = await env.post('/v1/environment-variables', { key: 'DOOR', isSecret: true, values })
  expect(made.status, made.text).toBe(200)
  const error = { code: 'StepExecutionFailedError', message: `no door for sesame-open-2026`, data: { key: env.key } }
  const words: string[] = []
  for (const status of [400, 500]) {
    bridge.answer = { status, json: error }
    const id = await run()
    await expect
      .poll(async () => JSON.stringify((await storyOf(env, id)).jobs), { timeout: 10_000 })
      .toContain('no door for')
    words.push(JSON.stringify((await storyOf(env, id)).jobs))
  }
  words.push((await env.get('/v1/bridge')).text)
  for (const text of words) {
    expect(text).not.toContain('sesame-open-2026')
    expect(text).not.toContain(env.key)
  }
  expect(executions()[0]?.json).toMatchObject({ env: { DOOR: 'sesame-open-2026' } })
  const preview = await env.post('/v2/workflows/coded/step/inbox/preview', {})
  expect(preview.status).toBe(201)
  expect(JSON.stringify(bridge.requests.at(-1)?.json)).not.toContain('sesame-open-2026')
})

test('two that ask the same at once: what is answered first is decided, and nobody gets two', async () => {
  await sync()
  const hand = inHand()
  const id = await run()
  await hand.calls(1)
  await takeOver()
  await hand.calls(2)
  hand.answer(1, says({ body: 'Second' }))
  await inState(id, 'completed')
  hand.answer(0, says({ body: 'First' }))
  await h.drain()
  expect((await storyOf(env, id)).messages).toMatchObject([{ content: 'Second' }])
  await noCalls()
  const { rows } = await sql<{ busy_by: string | null }>`
    select busy_by from bridge where environment_id = ${env.environmentId}`.execute(h.admin)
  expect(rows).toHaveLength(1)
})

test('a late failure of one that was taken over changes nothing of the call that goes on', async () => {
  await sync()
  const hand = inHand()
  const id = await run()
  await hand.calls(1)
  await takeOver()
  await hand.calls(2)
  hand.answer(0, { status: 500 })
  await new Promise((resolve) => setTimeout(resolve, 400))
  const { rows } = await sql<{ number: number; failures: number }>`select number, failures from bridge_call`.execute(
    h.admin,
  )
  expect(rows).toEqual([{ number: 2, failures: 0 }])
  hand.answer(1, says({ body: 'B' }))
  await inState(id, 'completed')
})

test.each(['the person is deleted', 'the event is canceled'])(
  'during a call %s: nothing of the answer stays',
  async (what) => {
    await sync([...inbox, { stepId: 'more', type: 'custom' }])
    const hand = inHand()
    const id = await run()
    await hand.calls(1)
    if (what === 'the person is deleted') expect((await env.delete('/v2/subscribers/ann')).status).toBeLessThan(300)
    if (what === 'the event is canceled') await env.delete(`/v1/events/trigger/${id}`)
    hand.answer(0, says({ body: 'PERSONAL' }))
    await noCalls()
    await h.drain()
    const kept = async () =>
      (
        await sql<{ status: string; answer: Json }>`
        select status, answer from job where environment_id = ${env.environmentId} order by step_index`.execute(h.admin)
      ).rows
    const messages = await sql<{ content: string }>`
      select content from message where environment_id = ${env.environmentId}`.execute(h.admin)
    expect(JSON.stringify([await kept(), messages.rows])).not.toContain('PERSONAL')
  },
)

test('a workflow that is told of anew during a run goes on as it began; one that is gone does, too', async () => {
  await sync([{ stepId: 'first', type: 'custom' }, ...inbox])
  const hand = inHand()
  const id = await run()
  await hand.calls(1)
  const other = await env.post('/v1/bridge/validate', { bridgeUrl: bridge.url })
  expect(other.status).toBe(400)
  await sync([{ stepId: 'inbox', type: 'sms' }], 'coded')
  const next = inHand()
  hand.answer(0, says({ a: 1 }))
  await next.calls(1)
  await sync([{ stepId: 'x', type: 'sms' }], 'another')
  expect((await env.get('/v2/workflows/coded')).status).toBe(404)
  next.answer(0, says({ body: 'Still' }))
  await inState(id, 'completed', 'completed')
  expect((await storyOf(env, id)).messages).toMatchObject([{ content: 'Still' }])
})

test('a key that is revoked during a run signs no more; another one does', async () => {
  await sync()
  const hand = inHand()
  const id = await run()
  await hand.calls(1)
  const made = await env.post('/v1/api-keys', { name: 'second' })
  expect(made.status, made.text).toBeLessThan(300)
  await sql`update api_key set revoked_at = now() where environment_id = ${env.environmentId} and id <> ${made.body.id ?? made.body._id}::uuid`.execute(
    h.admin,
  )
  hand.answer(0, { status: 503 })
  await expect
    .poll(async () => (await sql`select 1 from bridge_call where failures = 1`.execute(h.admin)).rows.length)
    .toBe(1)
  await sql`update bridge_call set next_at = now()`.execute(h.admin)
  await hand.calls(2)
  const [, at, signature] = /^t=(\d+),v1=(.+)$/.exec(String(executions()[1]?.headers['novu-signature'])) ?? []
  const text = executions()[1]?.body.toString()
  const key = made.body.key ?? made.body.apiKey
  expect(createHmac('sha256', key).update(`${at}.${text}`).digest('hex')).toBe(signature)
  hand.answer(1, says({ body: 'B' }))
  expect(id).toBeTruthy()
})

test('an event that is paused during a call goes on when it is resumed, and is not asked again', async () => {
  await sync([...inbox, { stepId: 'more', type: 'in_app' }])
  const hand = inHand()
  const id = await run()
  await hand.calls(1)
  const paused = await env.post(`/v1/sends/${id}/pause`, {})
  expect(paused.status, paused.text).toBeLessThan(300)
  hand.answer(0, says({ body: 'One' }))
  await h.drain()
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  expect(executions()).toHaveLength(1)
  expect((await storyOf(env, id)).messages).toEqual([])
  const resumed = await env.post(`/v1/sends/${id}/resume`, {})
  expect(resumed.status, resumed.text).toBeLessThan(300)
  await hand.calls(2)
  hand.answer(1, says({ body: 'Two' }))
  await inState(id, 'completed', 'completed')
  expect(executions()).toHaveLength(2)
})

test('one that is paused before its step is asked about is asked when it is resumed', async () => {
  await sync()
  const hand = inHand()
  const id = await run()
  await hand.calls(1)
  hand.answer(0, { status: 503 })
  await expect
    .poll(async () => (await sql`select 1 from bridge_call where failures = 1`.execute(h.admin)).rows.length)
    .toBe(1)
  expect((await env.post(`/v1/sends/${id}/pause`, {})).status).toBeLessThan(300)
  await takeOver()
  await noCalls()
  expect(executions()).toHaveLength(1)
  expect((await env.post(`/v1/sends/${id}/resume`, {})).status).toBeLessThan(300)
  await hand.calls(2)
  hand.answer(1, says({ body: 'B' }))
  await inState(id, 'completed')
})

test('an environment that is deleted during a call: nobody is asked any more, and its rows go', async () => {
  const other = await h.environment({ organizationId: env.organizationId })
  await sync()
  const hand = inHand()
  await run()
  await run('bob')
  await hand.calls(2)
  await sql`update api_key set reach = 'organization' where environment_id = ${other.environmentId}`.execute(h.admin)
  const gone = await other.delete(`/v1/environments/${env.environmentId}`)
  expect(gone.status, gone.text).toBeLessThan(300)
  hand.answer(0, { status: 503 })
  hand.answer(1, says({ body: 'B' }))
  // Who waited for it to come back would also keep the process from stopping.
  await expect.poll(() => h.ctx.health.callsUnderWay()).toBe(0)
  await takeOver()
  await new Promise((resolve) => setTimeout(resolve, 1_200))
  expect(executions()).toHaveLength(2)
  const inHandStill = sql`select 1 from pgboss.job where name = 'ask-bridge' and state = 'active'`
  await expect.poll(async () => (await inHandStill.execute(h.admin)).rows, { timeout: 5_000 }).toEqual([])
})
