import { beforeAll, describe, expect, test } from 'vitest'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { makeWorkflow, messagesBySubscriber, subscribe, trigger } from '../../../test/pipeline.ts'

/** What each field of an event takes, and what it is refused for: never read as something else in silence. */
const h = useHarness({}, { worker: true })
const processed = { acknowledged: true, status: 'processed', transactionId: expect.any(String) }

let env: Client
beforeAll(async () => {
  env = await arrange()
})

async function arrange(): Promise<Client> {
  const env = await h.environment()
  await makeWorkflow(env)
  await env.post('/v2/subscribers', { subscriberId: 'ada' })
  await env.post('/v2/topics', { key: 'crowd' })
  await subscribe(env, 'crowd', ['ada'])
  await env.post('/v2/topics', { key: 'empty' })
  await env.post('/v2/topics', { key: 'gone' })
  await env.delete('/v2/topics/gone')
  return env
}

describe('to', () => {
  const unknownTopic = { type: 'Topic', topicKey: 'nope' }

  test.each<[string, unknown, RegExp]>([
    ['an unknown topic', unknownTopic, /^to .*nope/],
    ['an unknown topic in a list', [unknownTopic], /^to\.0 .*nope/],
    ['a topicKey alone that no topic has', { topicKey: 'nope' }, /nope/],
    ['a topicKey that no topic can have', { type: 'Topic', topicKey: 'ü !' }, /ü !/],
    ['a deleted topic', { type: 'Topic', topicKey: 'gone' }, /gone/],
    ['an unknown type', { type: 'Group', topicKey: 'crowd' }, /type/],
    ['an unknown type of a subscriber', { type: 'Person', subscriberId: 'ada' }, /type/],
    ['a type in another case', { type: 'topic', topicKey: 'crowd' }, /type/],
    ['a type that is no text', { type: 7, subscriberId: 'ada' }, /type/],
    ['type Subscriber without a subscriberId', { type: 'Subscriber', topicKey: 'crowd' }, /subscriberId/],
    ['type Topic without a topicKey', { type: 'Topic', subscriberId: 'ada' }, /topicKey/],
  ])('%s reaches nobody and is named', async (_name, to, named) => {
    const result = await trigger(env, { to })
    expect(result).toEqual({ acknowledged: true, status: 'invalid_recipients', error: [expect.stringMatching(named)] })
    expect((await env.post('/v1/events/explain', { name: 'hello', to })).body.result.status).toBe('invalid_recipients')
  })

  test('beside somebody it reaches, an unknown topic is named, and the others are notified', async () => {
    const env = await arrange()
    const to = [unknownTopic, { type: 'Topic', topicKey: 'crowd' }, { type: 'Subscriber', subscriberId: 'bob' }]
    expect(await trigger(env, { to })).toEqual({ ...processed, error: [expect.stringMatching(/^to\.0 .*nope/)] })
    await h.drain()
    expect(await messagesBySubscriber(env)).toEqual({ ada: 1, bob: 1 })
  })

  test('a topic without members, and one of another environment', async () => {
    const other = await h.environment()
    await other.post('/v2/topics', { key: 'theirs' })
    expect(await trigger(env, { to: { type: 'Topic', topicKey: 'empty' } })).toEqual(processed)
    expect((await trigger(env, { to: { type: 'Topic', topicKey: 'theirs' } })).status).toBe('invalid_recipients')
  })
})

test('null of an optional field counts as absent, also for the transactionId', async () => {
  for (const field of ['payload', 'overrides', 'transactionId', 'actor', 'tenant', 'context']) {
    expect(await trigger(env, { to: 'ada', [field]: null }), field).toEqual(processed)
    const single = await env.post('/v1/events/trigger', { name: 'hello', to: 'ada', [field]: null })
    expect([single.status, single.body], field).toEqual([201, processed])
  }
  const nothing = { payload: null, overrides: null, actor: null, tenant: null, context: null }
  expect((await trigger(env, { to: 'ada', transactionId: 't-1', ...nothing })).status).toBe('processed')
  expect((await trigger(env, { to: 'ada', transactionId: 't-1' })).status).toBe('processed')
})

test('a context type is not empty and holds no colon, so that type:id can be read back; an id may', async () => {
  for (const context of [{ '': 'x' }, { 'a:b': 'c' }, { ':': 'c' }, { ok: '1', 'a:b': { id: 'c' } }]) {
    expect(await trigger(env, { to: 'ada', context }), JSON.stringify(context)).toMatchObject({ status: 'error' })
  }
  expect(await trigger(env, { to: 'ada', context: { a: 'b:c' } })).toEqual(processed)
})

describe('attachments', () => {
  const withFile = (file: string) => ({ attachments: [{ name: 'f', mime: 'text/plain', file }] })

  test.each(['%%%', 'QUJD!', 'QUJ=D', 'QUJDR', '=', '====', 'QUJD===', 'report.pdf', 'data:text/plain;base64,QUJD'])(
    '%s is not base64: the error of that event',
    async (file) => {
      const events = [
        { payload: withFile(file) },
        { overrides: { email: withFile(file) } },
        { payload: withFile('QUJD') },
      ]
      const reply = await env.post('/v1/events/trigger/bulk', {
        events: events.map((event) => ({ name: 'hello', to: 'ada', ...event })),
      })
      const fault = { acknowledged: true, status: 'error', error: [expect.stringMatching(/base64/)] }
      expect(reply.body).toEqual([fault, fault, processed])
    },
  )

  test.each(['', 'QQ==', 'QQ', 'QUI=', '-_-_', 'QUJD\r\nQUJD\r\n', 'QUJD '])('%j is base64', async (file) => {
    expect(await trigger(env, { to: 'ada', payload: withFile(file) })).toEqual(processed)
  })
})

test('a number past what a double holds is the error of that event, never a null', async () => {
  const event = (payload: string) => `{"name":"hello","to":"ada","payload":${payload}}`
  const raw = `{"events":[${['{"n":1e400}', '{"a":[{"n":-1e999}]}', '{"n":1e308}'].map(event).join()}]}`
  const reply = await env.send('POST', '/v1/events/trigger/bulk', { raw })
  expect(reply.body).toMatchObject([
    { status: 'error', error: [expect.stringContaining('payload.n')] },
    { status: 'error', error: [expect.stringContaining('payload.a.0.n')] },
    { status: 'processed' },
  ])
  const single = await env.send('POST', '/v1/events/trigger', { raw: event('{"n":1e400}') })
  expect([single.status, Object.keys(single.body.errors)]).toEqual([422, ['payload.n']])
})

test('events of one bulk call lie in the feed and among the messages in their order, the last one first', async () => {
  const env = await arrange()
  const ids = Array.from({ length: 100 }, (_, n) => `t-${n}`)
  await env.post('/v1/events/trigger/bulk', {
    events: ids.map((transactionId) => ({ name: 'hello', to: 'ada', transactionId })),
  })
  await h.drain()
  const of = async (path: string) => (await env.get(path)).body.data.map((it: Json) => it.transactionId)
  expect(await of('/v1/subscribers/ada/notifications/feed?limit=100')).toEqual(ids.toReversed())
  expect(await of('/v1/messages?limit=100')).toEqual(ids.toReversed())
})
