import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { discovery } from '../../../test/bridge/discovery.ts'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { allowing, emailWebhook, makeIntegration, storyOf } from '../../../test/outside.ts'
import { type Scripted, startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { trigger } from '../../../test/pipeline.ts'

const [bridge, vendor] = [await startHttpReceiver(), await startHttpReceiver()]
const h = useHarness(allowing(bridge.port, vendor.port), { worker: true })
afterAll(() => Promise.all([bridge.close(), vendor.close()]))

const says = (outputs: Json, more: Json = {}): Scripted => ({ json: { outputs, options: { skip: false }, ...more } })
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

let env: Client
beforeEach(async () => {
  await sql`delete from bridge_call`.execute(h.admin)
  env = await h.environment()
})

async function sync(steps: Json[]): Promise<void> {
  bridge.answer = discovery({ steps })
  const reply = await env.post('/v1/bridge/sync', { bridgeUrl: bridge.url })
  expect(reply.status, reply.text).toBe(201)
}

async function run(answers: Record<string, Scripted>, to: Json = 'ann', payload: Json = {}): Promise<string> {
  bridge.answer = ({ url }) => answers[new URL(url, bridge.url).searchParams.get('stepId') ?? ''] ?? { status: 404 }
  return (await trigger(env, { name: 'coded', to, payload })).transactionId
}

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
  test.each(cases)('%s', async (_what, body) => {
    await sync([{ stepId: 'inbox', type: 'in_app' }])
    const headers = { 'content-type': 'application/json' }
    const id = await run({ inbox: { status: 400, headers, body } })
    await inState(id, 'failed')
    const later = await run({ inbox: { status: 503, headers, body } })
    await expect.poll(() => wordsOf(later), { timeout: 8_000 }).toContain('did not answer')
    bridge.answer = { body: body }
    const preview = await env.post('/v2/workflows/coded/step/inbox/preview', {})
    expect(preview.status, preview.text).toBeLessThan(500)
    bridge.answer = { status: 400, headers, body }
    for (const path of ['sync', 'diff', 'validate']) {
      const key = { 'idempotency-key': path }
      const reply = await env.post(`/v1/bridge/${path}`, { bridgeUrl: bridge.url }, key)
      expect([reply.status, reply.body.code]).toEqual([400, 'bridge_failed'])
    }
    const ok = await run({ inbox: says({ body: 'Well' }) }, 'bob')
    await inState(ok, 'completed')
  })
})

const refusedAs: [string, string, Json, Json, string][] = [
  ['a subject that is no text', 'email', { subject: { toString: 1 }, body: 'b' }, {}, 'subject'],
  ['a long key cut within a character', 'push', { body: 'b', data: { ['😀'.repeat(900)]: 7 } }, {}, 'data'],
  ['a long key cut within a character, 1', 'push', { body: 'b', data: { [`x${'😀'.repeat(900)}`]: 7 } }, {}, 'data'],
  [
    'a way of 100 KB to what cannot be stored',
    'in_app',
    { body: 'b', data: { ['k'.repeat(1e5)]: { a: '\0' } } },
    {},
    'stored',
  ],
  ['a key of the prototype', 'in_app', JSON.parse('{"body":"b","data":{"__proto__":{"a":1}}}'), {}, 'stored'],
  ['a delay of ten years', 'delay', { type: 'regular', amount: 120, unit: 'months' }, {}, '366 days'],
  ['a delay without end', 'delay', { type: 'regular', amount: 1e300, unit: 'months' }, {}, 'amount'],
  ['a delay that is negative', 'delay', { type: 'regular', amount: -5, unit: 'minutes' }, {}, 'amount'],
  ['a delay of a part', 'delay', { type: 'regular', amount: 1.5, unit: 'minutes' }, {}, 'amount'],
  ['a delay of a text', 'delay', { type: 'regular', amount: '5', unit: 'minutes' }, {}, 'amount'],
  ['a delay of another unit', 'delay', { type: 'regular', amount: 5, unit: 'eons' }, {}, 'unit'],
  ['a delay of another type', 'delay', { type: 'constructor', amount: 5, unit: 'hours' }, {}, 'type'],
  ['a delay by a path that is none', 'delay', { type: 'dynamic', dynamicKey: { a: 1 } }, {}, 'delayPath'],
  ['a delay by a path to nothing', 'delay', { type: 'dynamic', dynamicKey: '__proto__.x' }, {}, 'no time'],
  ['a delay by a path of 100 KB', 'delay', { type: 'dynamic', dynamicKey: `${'😀'.repeat(50_000)}` }, {}, 'no time'],
  [
    'a delay until a time past all',
    'delay',
    { type: 'dynamic', dynamicKey: 'payload.at' },
    { at: '9999-12-31' },
    '366',
  ],
  ['a delay until a number past all', 'delay', { type: 'dynamic', dynamicKey: 'payload.at' }, { at: 1e300 }, 'no time'],
  [
    'a delay of a payload without bound',
    'delay',
    { type: 'dynamic', dynamicKey: 'payload.at' },
    { at: { amount: 1e300, unit: 'months' } },
    'no time',
  ],
  ['a delay by a cron that never comes', 'delay', { type: 'timed', cron: '0 0 31 2 *' }, {}, 'cron'],
  ['a delay by no cron', 'delay', { type: 'timed', cron: 'x'.repeat(1e5) }, {}, 'cron'],
  ['a digest by a cron that never comes', 'digest', { cron: '0 0 30 2 *' }, {}, 'cron'],
  ['a digest by a list of crons', 'digest', { cron: ['* * * * *'] }, {}, 'cron'],
  ['a digest without end', 'digest', { amount: 1e308, unit: 'weeks' }, {}, 'amount'],
  [
    'a digest that looks back without end',
    'digest',
    { amount: 1, unit: 'seconds', lookBackWindow: { amount: 1e308, unit: 'months' } },
    {},
    'lookBackWindow',
  ],
  [
    'a digest that looks back by a text',
    'digest',
    { amount: 1, unit: 'seconds', lookBackWindow: 'x' },
    {},
    'lookBackWindow',
  ],
  ['a digest by a key that is none', 'digest', { amount: 1, unit: 'seconds', digestKey: { a: 1 } }, {}, 'digestKey'],
  ['a throttle of none', 'throttle', { type: 'fixed', amount: 1, unit: 'hours', threshold: 0 }, {}, 'threshold'],
  [
    'a throttle without bound',
    'throttle',
    { type: 'fixed', amount: 1, unit: 'hours', threshold: 1e300 },
    {},
    'threshold',
  ],
  ['a throttle for ever', 'throttle', { type: 'fixed', amount: 1e15, unit: 'days', threshold: 1 }, {}, ''],
  [
    'a throttle by a path to nothing',
    'throttle',
    { type: 'dynamic', dynamicKey: 'constructor', threshold: 1 },
    {},
    'neither',
  ],
  ['a chat of 1,000 lists', 'chat', { card: JSON.parse('[[[[[[[]]]]]]]') }, {}, ''],
]

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

const huge = (n: number) => `x${'😀'.repeat(n)}`
const takenAs: [string, string, Json, Json][] = [
  [
    'a sender whose name is cut within a character',
    'email',
    { subject: 's', body: 'b', from: { email: 'a@example.com', name: huge(150) } },
    {},
  ],
  ['a sender as one text, as long', 'email', { subject: 's', body: 'b', from: `${huge(150)} <a@example.com>` }, {}],
  [
    'a subject of 400,000 characters on many lines',
    'email',
    { subject: `${huge(9)}\r\nBcc: eve@example.com\n`.repeat(10_000), body: 'b' },
    {},
  ],
  ['a subject without spaces', 'email', { subject: 'x'.repeat(400_000), body: 'b' }, {}],
  ['a reply address that is none', 'email', { subject: 's', body: 'b', replyTo: 'x\r\nBcc: eve@example.com' }, {}],
  ['a page nested without end', 'email', { subject: 's', body: '<div>'.repeat(90_000) }, {}],
  ['a page of marks', 'email', { subject: 's', body: '<'.repeat(400_000) }, {}],
  ['a text of 400,000 characters', 'sms', { body: huge(200_000) }, {}],
  ['a push of 400,000 characters', 'push', { subject: huge(100_000), body: huge(100_000) }, {}],
  ['a chat of 400,000 characters', 'chat', { body: huge(200_000) }, {}],
  ['a subject in the feed', 'in_app', { subject: huge(200_000), body: 'x' }, {}],
  [
    'an avatar and links',
    'in_app',
    { body: 'x', avatar: huge(50_000), redirect: { url: `javascript:${huge(50_000)}` } },
    {},
  ],
  ['data in the feed', 'in_app', { body: 'x', data: { a: { b: [1e308, -0, null, { c: huge(90_000) }] } } }, {}],
  ['vendors that are lists', 'email', { subject: 's', body: 'b' }, { providers: [1, { a: 2 }] }],
  [
    'vendors that are none',
    'email',
    { subject: 's', body: 'b' },
    { providers: { sendgrid: null, 'email-webhook': 7, a: [], b: { _passthrough: { body: [] } } } },
  ],
  ['options that are none', 'in_app', { body: 'x' }, { options: 'skip', providers: 'x' }],
  ['a result of anything', 'custom', { a: [null, 1e308, huge(10), { b: {} }] }, {}],
]
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
