import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { discovery } from '../../../test/bridge/discovery.ts'
import { refusedAs, takenAs } from '../../../test/bridge/hostile-answers.ts'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { allowing, emailWebhook, makeIntegration, storyOf } from '../../../test/outside.ts'
import { type Scripted, startHttpReceiver } from '../../../test/peers/http-receiver.ts'

const [bridge, vendor] = [await startHttpReceiver(), await startHttpReceiver()]
const h = useHarness(allowing(bridge.port, vendor.port), { worker: true })
afterAll(() => Promise.all([bridge.close(), vendor.close()]))

const says = (outputs: Json, more: Json = {}): Scripted => ({ json: { outputs, options: { skip: false }, ...more } })
const ask = (path: string, headers = {}) => env.post(`/v1/bridge/${path}`, { bridgeUrl: bridge.url }, headers)
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

let env: Client
beforeEach(async () => {
  await sql`delete from bridge_call`.execute(h.admin)
  env = await h.environment()
})

const jobsOf = async (id: string): Promise<Json[]> => (await storyOf(env, id)).jobs
const statusesOf = async (id: string) => (await jobsOf(id)).map(({ status }) => status)
const inState = (id: string, ...statuses: string[]) =>
  expect.poll(() => statusesOf(id), { timeout: 8_000 }).toEqual(statuses)
const wordsOf = async (id: string): Promise<string> =>
  (await jobsOf(id))
    .flatMap(({ executionDetails }) => executionDetails.map(({ detail, raw }: Json) => `${detail} ${raw ?? ''}`))
    .join('\n')

const said = (message: unknown, more: Json = {}) =>
  JSON.stringify({ code: 'StepExecutionFailedError', message, ...more })

describe('an error that is told of badly is one of this step, and nobody else waits for it', () => {
  const cases: [string, string][] = [
    ['whose message is no text', said({ toString: 1, valueOf: null })],
    ['whose message is a list', said([[], { a: 1 }])],
    ['whose data is nested deeper than the stack', `{"code":"A","message":"m","data":${deep(300_000)}}`],
    ['with a NUL', said('a\u0000b', { data: { a: '\u0000' } })],
    ['with half a character', `{"code":"A","message":"\\ud83d","data":"\\udc00"}`],
    ...Array.from({ length: 2 }, (_, n): [string, string] => [
      `cut within a character ${n}`,
      said('x'.repeat(n) + '😀'.repeat(600)),
    ]),
    ['without end', said('x'.repeat(900_000), { data: 'y'.repeat(100_000) })],
    ['with a code that is a text of 1 MB', JSON.stringify({ code: '\u0000😀'.repeat(150_000) })],
  ]
  const headers = { 'content-type': 'application/json' }
  /** Each is the answer about the only step of a workflow of its own. */
  const answerWith = (status: number) => {
    bridge.answer = ({ url }) => {
      const name = new URL(url, bridge.url).searchParams.get('workflowId') ?? ''
      const body = cases[Number(name.slice(1))]?.[1]
      return body === undefined ? says({ body: 'Well' }) : { status, headers, body }
    }
  }

  test('the step fails, or is asked about again', { timeout: 60_000 }, async () => {
    const workflows = [...cases, 'good'].map((_, n) => ({
      workflowId: `w${n}`,
      steps: [{ stepId: 'it', type: 'in_app' }],
    }))
    bridge.answer = { json: { workflows } }
    expect((await ask('sync')).status).toBe(201)
    const start = async () => {
      const events = workflows.map(({ workflowId }) => ({ name: workflowId, to: 'ann', payload: {} }))
      const accepted = await env.post('/v1/events/trigger/bulk', { events })
      return accepted.body.map(({ transactionId }: Json) => transactionId) as string[]
    }
    answerWith(400)
    const ids = await start()
    await expect
      .poll(() => Promise.all(ids.map(statusesOf)), { timeout: 8_000 })
      .toEqual([...cases.map(() => ['failed']), ['completed']])
    answerWith(503)
    const later = await start()
    await inState(later.at(-1) ?? '', 'completed')
    const words = async () =>
      (await Promise.all(later.slice(0, -1).map(wordsOf))).filter((it) => !it.includes('did not answer'))
    await expect.poll(words, { timeout: 8_000 }).toEqual([])
  })

  test('a call that waits for it is told so', async () => {
    bridge.answer = discovery()
    expect((await ask('sync')).status).toBe(201)
    for (const [what, body] of cases) {
      bridge.answer = { status: 400, headers, body }
      const preview = await env.post('/v2/workflows/coded/step/inbox/preview', {})
      expect(preview.status, what).toBe(201)
      for (const path of ['sync', 'diff', 'validate']) {
        const reply = await ask(path, { 'idempotency-key': `${path} ${what}`.replaceAll(' ', '-') })
        expect([what, reply.status, reply.body.code]).toEqual([what, 400, 'bridge_failed'])
      }
    }
  })
})

const phone = '+4915112345678'

/** Somebody with an address in every channel, and an integration for each. */
async function reachable(): Promise<void> {
  const { url } = vendor
  await makeIntegration(env, emailWebhook(url))
  const sms = { baseUrl: url, apiKeyRequestHeader: 'k', apiKey: 'a-key', idPath: 'id' }
  await makeIntegration(env, { providerId: 'generic-sms', channel: 'sms', credentials: sms })
  await makeIntegration(env, { providerId: 'chat-webhook', channel: 'chat', credentials: {} })
  await makeIntegration(env, {
    providerId: 'push-webhook',
    channel: 'push',
    credentials: { webhookUrl: url, secretKey: 'whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQ=' },
  })
  await env.post('/v2/subscribers', { subscriberId: 'ann', email: 'ann@example.com', phone })
  const [chat, push] = [{ webhookUrl: url }, { deviceTokens: ['a-token'] }]
  for (const [providerId, credentials] of [
    ['chat-webhook', chat],
    ['push-webhook', push],
  ]) {
    const reply = await env.put('/v1/subscribers/ann/credentials', { providerId, credentials })
    expect(reply.status, reply.text).toBe(200)
  }
}

type Case = { type: string; outputs: Json; more?: Json; payload?: Json }
async function syncEach(cases: readonly Case[]): Promise<void> {
  const workflows = cases.map(({ type }, n) => ({ workflowId: `w${n}`, steps: [{ stepId: 'it', type }] }))
  bridge.answer = { json: { workflows } }
  const reply = await env.post('/v1/bridge/sync', { bridgeUrl: bridge.url })
  expect(reply.status, reply.text).toBe(201)
  bridge.answer = ({ url }) => {
    const name = new URL(url, bridge.url).searchParams.get('workflowId') ?? ''
    const it = cases[Number(name.slice(1))]
    return it ? says(it.outputs, it.more) : { status: 404 }
  }
}

/** Each answer is that of the only step of a workflow of its own; what became of them, in their order. */
async function runEach(cases: readonly Case[], to: Json) {
  await syncEach(cases)
  const events = cases.map(({ payload = {} }, n) => ({ name: `w${n}`, to, payload }))
  const accepted = await env.post('/v1/events/trigger/bulk', { events })
  const ids: string[] = accepted.body.map(({ transactionId }: Json) => transactionId)
  const left = async () =>
    (await Promise.all(ids.map(statusesOf))).filter(([it]) => it === undefined || it === 'pending')
  await expect
    .poll(async () => (await left()).length, { timeout: 8_000 })
    .toBe(0)
    .catch(() => {})
  return Promise.all(ids.map(async (id) => ({ id, status: (await statusesOf(id))[0], words: await wordsOf(id) })))
}

test('an answer that cannot be: each step fails, says why, and holds up nobody', { timeout: 60_000 }, async () => {
  await reachable()
  const cases = refusedAs.map(([, type, outputs, payload]) => ({ type, outputs, payload }))
  const odd = (await runEach(cases, 'ann')).flatMap(({ status, words }, n) => {
    const [what, , , , expected] = refusedAs[n] ?? []
    const isGood = status === 'failed' && words.includes(expected ?? '') && words.length < 1_500
    return isGood ? [] : `${what}: ${status} ${words.slice(0, 200)}`
  })
  expect(odd).toEqual([])
})

test('an answer that is odd is taken as far as it goes: each step comes to its end', { timeout: 60_000 }, async () => {
  await reachable()
  const ends = await runEach(
    takenAs.map(([, type, outputs, more]) => ({ type, outputs, more })),
    'ann',
  )
  const open = () => h.admin.selectFrom('message').select(['id']).where('delivery', '=', 'open').execute()
  await expect
    .poll(async () => (await open()).length, { timeout: 15_000 })
    .toBe(0)
    .catch(() => {})
  const statuses = await Promise.all(ends.map(async ({ id }) => (await statusesOf(id))[0]))
  const odd = takenAs.flatMap(([what], n) =>
    ['completed', 'failed'].includes(statuses[n] ?? '')
      ? []
      : `${what}: ${statuses[n]} ${ends[n]?.words.slice(0, 500)}`,
  )
  expect(odd).toEqual([])
})

test('each of these is shown by a preview and explained, and none is a fault of ours', {
  timeout: 60_000,
}, async () => {
  await reachable()
  const cases = [
    ...refusedAs.map(([what, type, outputs, payload]) => ({ what, type, outputs, payload, more: {} })),
    ...takenAs.map(([what, type, outputs, more]) => ({ what, type, outputs, payload: {}, more })),
  ]
  await syncEach(cases)
  const replies = await Promise.all(
    cases.flatMap(({ what, payload }, n) => [
      env
        .post(`/v2/workflows/w${n}/step/it/preview`, { previewPayload: { payload } })
        .then((reply) => ({ what, reply })),
      env.post('/v1/events/explain', { name: `w${n}`, to: 'ann', payload }).then((reply) => ({ what, reply })),
    ]),
  )
  const faults = replies.filter(({ reply }) => reply.status >= 300)
  expect(faults.map(({ what, reply }) => `${what}: ${reply.status} ${reply.text.slice(0, 200)}`)).toEqual([])
})
