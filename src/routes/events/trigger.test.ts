import { describe, expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { makeSubscribers, makeWorkflow, messagesBySubscriber } from '../../../test/pipeline.ts'

const h = useHarness({}, { worker: true })
const processed = { acknowledged: true, status: 'processed', transactionId: expect.any(String) }

describe('POST /v1/events/trigger', () => {
  test('one event, one result', async () => {
    const env = await h.environment()
    await makeWorkflow(env)
    const reply = await env.post('/v1/events/trigger', { name: 'hello', to: ['ada', 'ada', { subscriberId: 'bob' }] })
    expect([reply.status, reply.body]).toEqual([201, processed])
    await h.drain()
    expect(await messagesBySubscriber(env)).toEqual({ ada: 1, bob: 1 })
  })

  test('what the event is refused for is its result', async () => {
    const env = await h.environment()
    await makeWorkflow(env)
    const result = async (event: object) => (await env.post('/v1/events/trigger', event)).body
    expect(await result({ name: 'unknown', to: 'ada' })).toMatchObject({
      status: 'error',
      error: ['workflow_not_found'],
    })
    expect(await result({ name: 'hello' })).toMatchObject({ status: 'invalid_recipients' })
    expect(await result({ name: 'hello', to: 'ada', tenant: 'x' })).toMatchObject({ status: 'no_tenant_found' })
  })

  test.each<[string, unknown, string]>([
    ['no name', { to: 'ada' }, 'name'],
    ['a name that is no text', { name: 7, to: 'ada' }, 'name'],
    ['an empty name', { name: '', to: 'ada' }, 'name'],
    ['a payload that is a list', { name: 'hello', to: 'ada', payload: [] }, 'payload'],
    [
      'a transactionId of 256 characters',
      { name: 'hello', to: 'ada', transactionId: 'x'.repeat(256) },
      'transactionId',
    ],
  ])('422 for %s', async (_name, event, field) => {
    const env = await h.environment()
    const reply = await env.post('/v1/events/trigger', event)
    expect(reply.status).toBe(422)
    expect(Object.keys(reply.body.errors)).toEqual([field])
  })
})

describe('POST /v1/events/trigger/broadcast', () => {
  test('reaches every subscriber of the environment once, over several pages, and nobody else', async () => {
    const [env, other] = [await h.environment(), await h.environment()]
    await makeWorkflow(env)
    const ids = Array.from({ length: 520 }, (_, n) => `s${n}`)
    await makeSubscribers(env, ids)
    await makeSubscribers(other, ['elsewhere'])
    await env.delete('/v2/subscribers/s7')
    // `to` is ignored: a broadcast is for everybody.
    const reply = await env.post('/v1/events/trigger/broadcast', { name: 'hello', to: 's1' })
    expect([reply.status, reply.body]).toEqual([201, processed])
    await h.drain()
    const counts = await messagesBySubscriber(env)
    expect(Object.keys(counts).toSorted()).toEqual(ids.filter((id) => id !== 's7').toSorted())
    expect(new Set(Object.values(counts))).toEqual(new Set([1]))
    expect(await messagesBySubscriber(other)).toEqual({})
  })

  test('an environment without subscribers: processed, and nothing comes of it', async () => {
    const env = await h.environment()
    await makeWorkflow(env)
    expect((await env.post('/v1/events/trigger/broadcast', { name: 'hello' })).body).toEqual(processed)
    await h.drain()
    expect((await env.get('/v1/notifications')).body.data).toEqual([])
  })
})
