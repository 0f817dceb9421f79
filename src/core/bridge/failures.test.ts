import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { discovery } from '../../../test/bridge/discovery.ts'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { allowing, storyOf } from '../../../test/outside.ts'
import { type ReceivedRequest, type Scripted, startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { trigger } from '../../../test/pipeline.ts'

const [bridge, other] = [await startHttpReceiver(), await startHttpReceiver()]
const h = useHarness(allowing(bridge.port, other.port), { worker: true })
afterAll(() => Promise.all([bridge.close(), other.close()]))

const inbox = { json: { outputs: { body: 'From code' }, providers: {}, options: { skip: false } } }

let env: Client
beforeEach(async () => {
  // Those of the tests before would be asked again here.
  await sql`delete from bridge_call`.execute(h.admin)
  bridge.cut()
  for (const peer of [bridge, other]) {
    peer.answer = {}
    peer.requests.length = 0
  }
  env = await h.environment()
})

const executions = () => bridge.requests.filter((it) => it.url.includes('action=execute'))

async function sync() {
  bridge.answer = discovery()
  const reply = await env.post('/v1/bridge/sync', { bridgeUrl: `${bridge.url}/api/novu` })
  expect(reply.status, reply.text).toBe(201)
  bridge.requests.length = 0
}

async function run(answer: Scripted | ((request: ReceivedRequest) => Scripted), to = 'ann'): Promise<string> {
  bridge.answer = answer
  const { transactionId, status } = await trigger(env, { name: 'coded', to, payload: { order: 7 } })
  expect(status).toBe('processed')
  return transactionId
}

const jobsOf = async (transactionId: string): Promise<Json[]> => (await storyOf(env, transactionId)).jobs
const inState = (transactionId: string, ...statuses: string[]) =>
  expect
    .poll(async () => (await jobsOf(transactionId)).map(({ status }) => status), { timeout: 25_000 })
    .toEqual(statuses)
const wordsOf = async (transactionId: string, index = 0): Promise<string> => {
  const details: Json[] = (await jobsOf(transactionId))[index].executionDetails
  return details.map(({ detail, raw }) => `${detail} ${raw ?? ''}`).join('\n')
}
/** As if its pause were over. */
const makeDue = () => sql`update bridge_call set next_at = now() where next_at > now()`.execute(h.admin)

describe('the call', () => {
  test('is signed over exactly what was sent, names the step, and tells who it is about', async () => {
    await sync()
    const variable = {
      key: 'SHOP_URL',
      values: [{ _environmentId: env.environmentId, value: 'https://shop.example.com' }],
    }
    expect((await env.post('/v1/environment-variables', variable)).status).toBe(200)
    await env.post('/v2/subscribers', { subscriberId: 'ann', firstName: 'Ann', data: { 'a"b': 'ü\n', 2: 1, 1: 2 } })
    await inState(await run(inbox), 'completed')
    const [request] = executions() as [ReceivedRequest]
    const url = new URL(request.url, bridge.url)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      action: 'execute',
      workflowId: 'coded',
      stepId: 'inbox',
      environmentType: 'dev',
    })
    const [, at, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(request.headers['novu-signature'])) ?? []
    const text = JSON.stringify(JSON.parse(request.body.toString()))
    expect(text).toBe(request.body.toString())
    expect(createHmac('sha256', env.key).update(`${at}.${text}`).digest('hex')).toBe(signature)
    expect(Math.abs(Date.now() - Number(at))).toBeLessThan(60_000)
    expect(request.json).toMatchObject({
      payload: { order: 7 },
      controls: {},
      state: [],
      subscriber: { subscriberId: 'ann', firstName: 'Ann' },
      context: {},
      env: { name: 'test', type: 'dev', SHOP_URL: 'https://shop.example.com' },
    })
  })

  test('of a discovery signs an empty object; its reply may be some megabytes', async () => {
    bridge.answer = discovery({ more: { code: 'x'.repeat(3_000_000) } })
    expect((await env.post('/v1/bridge/validate', { bridgeUrl: bridge.url })).body).toEqual({
      isValid: true,
      workflows: 1,
      steps: 1,
    })
    const [, at, signature] = /^t=(\d+),v1=(.+)$/.exec(String(bridge.requests[0]?.headers['novu-signature'])) ?? []
    expect(createHmac('sha256', env.key).update(`${at}.{}`).digest('hex')).toBe(signature)
  })
})

describe('a bridge that refuses', () => {
  test.each<[number, string]>([
    [400, 'ExecutionStateInvalidError'],
    [401, 'SignatureMismatchError'],
    [404, 'WorkflowNotFoundError'],
    [502, 'StepExecutionFailedError'],
  ])('by %i: the step fails at once, with its code and message', async (status, code) => {
    await sync()
    const id = await run({ status, json: { code, message: 'Because I say so' } })
    await inState(id, 'failed')
    expect(await wordsOf(id)).toContain(`${status} ${code}: Because I say so`)
    expect(executions()).toHaveLength(1)
  })

  test.each<[string, Json, string]>([
    ['without outputs', { options: {} }, 'has no outputs'],
    ['of the wrong shape', { outputs: { body: 7 } }, 'body'],
    ['that cannot be stored', { outputs: { body: 'a\u0000b' } }, 'NUL'],
    ['that is too large', { outputs: { body: 'x'.repeat(600_000) } }, 'may have'],
    ['with outputs that are a list', { outputs: [] }, 'has no outputs'],
    ['nested without end', { outputs: JSON.parse(`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`) }, 'nested deeper'],
  ])('by an answer %s: the step fails, and says why', async (_what, json, words) => {
    await sync()
    const id = await run({ json })
    await inState(id, 'failed')
    expect(await wordsOf(id)).toContain(words)
  })

  test('a step that is skipped or not come to says so', async () => {
    await sync()
    const skipped = await run({ json: { outputs: {}, options: { skip: true } } })
    await inState(skipped, 'skipped')
    expect(await wordsOf(skipped)).toContain('skips this step')
    const absent = await run({ json: { outputs: {}, options: { skip: false } } })
    await inState(absent, 'skipped')
    expect(await wordsOf(absent)).toContain('does not come to this step')
  })
})

describe('a bridge that does not answer', () => {
  test.each<[string, Scripted, string]>([
    ['500', { status: 500, body: 'oh' }, '500'],
    ['503', { status: 503 }, '503'],
    ['408', { status: 408 }, '408'],
    ['429', { status: 429, headers: { 'retry-after': '1' } }, '429'],
    ['the 502 of a gateway before it', { status: 502, body: '<html>Bad gateway' }, '502'],
    ['a cut', 'accept then reset', 'connection'],
    ['no JSON', { body: 'hello' }, 'without JSON'],
    ['half a body', 'cut body', 'without JSON'],
    ['garbage', 'garbage', 'connection'],
    ['a body without end', 'endless', 'without JSON'],
  ])('%s: it is asked again, and then the step goes on', async (_what, answer, words) => {
    await sync()
    const id = await run(() => (executions().length < 2 ? answer : inbox))
    await expect.poll(() => wordsOf(id), { timeout: 20_000 }).toContain(words)
    expect(await wordsOf(id)).toContain('did not answer (try 1)')
    await makeDue()
    await inState(id, 'completed')
    const { messages } = await storyOf(env, id)
    expect(messages).toMatchObject([{ content: 'From code' }])
    await expect.poll(async () => (await env.get('/v1/bridge')).body).not.toHaveProperty('failingSince')
  })

  test('one that hangs or drips is left after ten seconds', { timeout: 40_000 }, async () => {
    await sync()
    const answers: Scripted[] = ['hang', 'drip']
    const slow = () => answers[executions().length - 1] ?? inbox
    const ids = [await run(slow), await run(slow, 'bob')]
    for (const id of ids) {
      await expect.poll(() => wordsOf(id), { timeout: 20_000 }).toContain('did not answer (try 1)')
    }
    await makeDue()
    for (const id of ids) await inState(id, 'completed')
  })

  test('after a day the step has failed', async () => {
    await sync()
    const id = await run({ status: 500 })
    await expect.poll(() => wordsOf(id), { timeout: 20_000 }).toContain('did not answer')
    await sql`update bridge_call set since = now() - interval '25 hours', next_at = now()`.execute(h.admin)
    await inState(id, 'failed')
    expect(await wordsOf(id)).toContain('no answer for 24 hours')
    const { rows } = await sql`select 1 from bridge_call`.execute(h.admin)
    expect(rows).toEqual([])
  })

  test.each<[string, Scripted]>([
    ['however long its next pause would be', { status: 500 }],
    ['also while it asks us to wait for an hour', { status: 429, headers: { 'retry-after': '3600' } }],
  ])('that day is over when it is over, %s', async (_what, answer) => {
    await sync()
    const id = await run({ status: 500 })
    await expect.poll(() => wordsOf(id), { timeout: 20_000 }).toContain('(try 1)')
    bridge.answer = answer
    await sql`update bridge_call set since = now() - interval '23 hours 59 minutes 57 seconds', failures = 50,
      next_at = now()`.execute(h.admin)
    await expect.poll(() => wordsOf(id), { timeout: 3_000 }).toContain('(try 2)')
    const { rows } = await sql<{ early: boolean }>`
      select next_at <= since + interval '24 hours 1 second' as early from bridge_call`.execute(h.admin)
    expect(rows).toEqual([{ early: true }])
    await inState(id, 'failed')
    expect(await wordsOf(id)).toContain('no answer for 24 hours')
    expect(executions()).toHaveLength(2)
  })

  test('a redirect is not followed', async () => {
    await sync()
    const id = await run({ status: 307, headers: { location: `${other.url}/api/novu` } })
    await inState(id, 'failed')
    expect(await wordsOf(id)).toContain('307')
    expect(other.requests).toEqual([])
  })

  test('one that came to a private address later is refused at every call', async () => {
    await sync()
    await sql`update bridge set url = 'http://10.0.0.1/api/novu'`.execute(h.admin)
    const id = await run(inbox)
    await inState(id, 'failed')
    expect(await wordsOf(id)).toContain('does not connect to')
  })

  test('an environment without a bridge says so', async () => {
    await sync()
    await sql`delete from bridge`.execute(h.admin)
    const id = await run(inbox)
    await inState(id, 'failed')
    expect(await wordsOf(id)).toContain('has no bridge')
  })
})

test('who is canceled, erased or does not want it is not asked about', async () => {
  await sync()
  await env.patch('/v2/subscribers/ann/preferences', { channels: { in_app: false } })
  await env.post('/v2/subscribers', { subscriberId: 'bob' })
  await env.patch('/v2/subscribers/bob/preferences', { channels: { in_app: false } })
  await inState(await run(inbox, 'bob'), 'skipped')
  expect(executions()).toEqual([])

  const id = await run({ status: 503 }, 'cid')
  await expect.poll(() => executions().length).toBe(1)
  expect((await env.delete(`/v1/events/trigger/${id}`)).status).toBe(200)
  await makeDue()
  await inState(id, 'canceled')
  await expect.poll(async () => (await sql`select 1 from bridge_call`.execute(h.admin)).rows).toEqual([])
  expect(executions()).toHaveLength(1)
})

test('a trigger that names another bridge is refused; the one that was told of goes on', async () => {
  await sync()
  const own = { name: 'coded', to: 'ann', bridgeUrl: `${bridge.url}/api/novu` }
  bridge.answer = inbox
  expect((await trigger(env, own)).status).toBe('processed')
  const refused = await trigger(env, { ...own, bridgeUrl: 'https://elsewhere.example.com/api/novu' })
  expect(refused).toMatchObject({ status: 'error', error: [expect.stringContaining('/v1/bridge/sync')] })
})
