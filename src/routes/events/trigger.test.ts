import { describe, expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { readSamples, sumOf } from '../../../test/metrics-text.ts'
import { makeSubscribers, makeWorkflow, messagesBySubscriber } from '../../../test/pipeline.ts'

const h = useHarness({}, { worker: true })
const countOf = async (result: string) =>
  sumOf(readSamples((await h.send('GET', '/metrics')).text), 'tidings_events_total', { result })
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

  test('a status of the list but `error` is a result like any other: 201', async () => {
    const env = await h.environment()
    await makeWorkflow(env)
    await makeWorkflow(env, 'off', { active: false })
    await makeWorkflow(env, 'empty', { steps: [] })
    const result = async (event: object) => {
      const reply = await env.post('/v1/events/trigger', event)
      return [reply.status, reply.body.status]
    }
    expect(await result({ name: 'hello' })).toEqual([201, 'invalid_recipients'])
    expect(await result({ name: 'hello', to: 'ada', tenant: 'x' })).toEqual([201, 'no_tenant_found'])
    expect(await result({ name: 'off', to: 'ada' })).toEqual([201, 'trigger_not_active'])
    expect(await result({ name: 'empty', to: 'ada' })).toEqual([201, 'no_workflow_steps_defined'])
  })

  describe.each(['/v1/events/trigger', '/v1/events/trigger/broadcast'])('status error at %s', (path) => {
    const refusal = (error: unknown[]) => ({
      acknowledged: true,
      status: 'error',
      error,
      path,
      message: expect.any(String),
      requestId: expect.any(String),
      timestamp: expect.any(String),
    })

    test('is 422 with the fields of the result and of an error, and of bulk the same result in a 201', async () => {
      const env = await h.environment()
      await makeWorkflow(env)
      const payloadSchema = { type: 'object', required: ['n'], properties: { n: { type: 'number' } } }
      await makeWorkflow(env, 'strict', { validatePayload: true, payloadSchema })
      const cases: [Record<string, unknown>, RegExp, string][] = [
        [{ name: 'helo' }, /^workflow_not_found$/, 'name'],
        [{ name: 'strict', payload: { n: 'x' } }, /^payload\.n /, 'payload.n'],
        [{ name: 'strict' }, /^payload must have/, 'payload'],
        [{ name: 'hello', context: { 'a:b': 'c' } }, /^context /, 'context'],
        [{ name: 'hello', actor: 7 }, /^actor /, 'actor'],
        [{ name: 'hello', payload: { attachments: [{ name: 'f', file: '%' }] } }, /base64/, 'body'],
      ]
      for (const [event, why, field] of cases) {
        const reply = await env.post(path, { to: 'ada', ...event })
        const error = [expect.stringMatching(why)]
        expect([reply.status, reply.body]).toEqual([
          422,
          {
            ...refusal(error),
            statusCode: 422,
            code: 'validation_failed',
            errors: { [field]: expect.objectContaining({ messages: [expect.any(String)] }) },
          },
        ])
        const bulk = await env.post('/v1/events/trigger/bulk', { events: [{ to: 'ada', ...event }] })
        expect([bulk.status, bulk.body]).toEqual([201, [{ acknowledged: true, status: 'error', error }]])
      }
      await h.drain()
      expect(await messagesBySubscriber(env)).toEqual({})
    })

    test('of a transactionId that is taken is 409; the same event again is not', async () => {
      const env = await h.environment()
      await makeWorkflow(env)
      const event = { name: 'hello', to: 'ada', transactionId: 't-1' }
      expect((await env.post(path, event)).status).toBe(201)
      expect((await env.post(path, event)).status).toBe(201)
      const reply = await env.post(path, { ...event, payload: { a: 1 } })
      expect([reply.status, reply.body]).toEqual([
        409,
        { ...refusal(['transaction_id_conflict']), statusCode: 409, code: 'transaction_id_conflict' },
      ])
    })

    test('is kept under its idempotency key, and counted', async () => {
      const env = await h.environment()
      const before = await countOf('workflow_not_found')
      const send = (key: string) =>
        env.post(path, { name: 'helo', to: 'ada' }, { 'idempotency-key': key, 'x-request-id': 'same' })
      const [one, two] = [await send('k'), await send('k')]
      expect([one.status, two.status]).toEqual([422, 422])
      expect(two.body).toEqual(one.body)
      await makeWorkflow(env, 'helo')
      const later = await send('k')
      expect([later.status, later.headers.get('idempotency-replay')]).toEqual([422, 'true'])
      expect((await send('k2')).status).toBe(201)
      expect(await countOf('workflow_not_found')).toBe(before + 1)
    })
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
