import { describe, expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { makeWorkflow, messagesBySubscriber, trigger } from '../../../test/pipeline.ts'

const h = useHarness({}, { worker: true })
const path = '/v1/events/trigger/bulk'
const processed = { acknowledged: true, status: 'processed', transactionId: expect.any(String) }

describe('POST /v1/events/trigger/bulk', () => {
  test('an inline subscriber is created and notified; feed, messages and activity tell the same story', async () => {
    const env = await h.environment()
    await makeWorkflow(env, 'hello', {
      steps: [
        {
          name: 'Inbox',
          type: 'in_app',
          controlValues: { subject: 'Hi', body: '{{subscriber.firstName}}: {{payload.message}}' },
        },
      ],
    })
    const result = await trigger(env, {
      to: [{ subscriberId: 'ada', firstName: 'Ada' }],
      payload: { message: 'welcome' },
    })
    expect(result).toEqual(processed)
    await h.drain()
    const feed = await env.get('/v1/subscribers/ada/notifications/feed')
    expect(feed.body).toMatchObject({ totalCount: 1, hasMore: false, page: 0, pageSize: 10 })
    expect(feed.body.data[0]).toMatchObject({
      content: 'Ada: welcome',
      subject: 'Hi',
      channel: 'in_app',
      status: 'sent',
    })
    const messages = await env.get('/v1/messages')
    expect(messages.body.data[0]).toMatchObject({
      _id: feed.body.data[0]._id,
      status: 'sent',
      templateIdentifier: 'hello',
    })
    const activity = await env.get('/v1/notifications')
    const one = await env.get(`/v1/notifications/${activity.body.data[0]._id}`)
    expect(one.body).toMatchObject({ transactionId: result.transactionId, payload: { message: 'welcome' } })
    expect(one.body.jobs).toHaveLength(1)
    expect(one.body.jobs[0]).toMatchObject({ status: 'completed', type: 'in_app', providerId: 'platform' })
    expect(one.body.jobs[0].executionDetails.map((it: { detail: string }) => it.detail)).toEqual([
      'Step queued',
      'Platform Inbox provider was selected',
      'Message created',
      'Message sent',
    ])
    expect(one.body.jobs[0].messages[0]._id).toBe(feed.body.data[0]._id)
  })

  test('a bulk of 100 with seven faults: 93 processed and seven right results, in order', async () => {
    const env = await h.environment()
    await makeWorkflow(env)
    await makeWorkflow(env, 'sleeping', { active: false })
    await makeWorkflow(env, 'empty', { steps: [] })
    await makeWorkflow(env, 'off', {
      steps: [{ name: 'Inbox', type: 'in_app', active: false, controlValues: { body: 'x' } }],
    })
    await makeWorkflow(env, 'strict', {
      validatePayload: true,
      payloadSchema: { type: 'object', required: ['n'], properties: { n: { type: 'number' } } },
    })
    const faults: Record<number, { event: Record<string, unknown>; result: object }> = {
      3: { event: { name: 'nobody', to: 'x' }, result: { status: 'error', error: ['workflow_not_found'] } },
      17: { event: { name: 'sleeping', to: 'x' }, result: { status: 'trigger_not_active' } },
      29: { event: { name: 'empty', to: 'x' }, result: { status: 'no_workflow_steps_defined' } },
      42: { event: { name: 'off', to: 'x' }, result: { status: 'no_workflow_active_steps_defined' } },
      55: { event: { name: 'hello', to: [] }, result: { status: 'invalid_recipients', error: expect.any(Array) } },
      68: { event: { name: 'hello', to: 'x', tenant: 'acme' }, result: { status: 'no_tenant_found' } },
      99: {
        event: { name: 'strict', to: 'x', payload: { n: 'one' } },
        result: { status: 'error', error: [expect.stringContaining('payload.n')] },
      },
    }
    const events = Array.from({ length: 100 }, (_, n) => faults[n]?.event ?? { name: 'hello', to: `user-${n}` })
    const reply = await env.post(path, { events })
    expect(reply.body).toEqual(
      Array.from({ length: 100 }, (_, n) => (faults[n] ? { acknowledged: true, ...faults[n].result } : processed)),
    )
    await h.drain()
    const counts = await messagesBySubscriber(env)
    expect(Object.values(counts)).toEqual(Array(93).fill(1))
  })

  test('not an array, empty, or more than 100: 422 for the request', async () => {
    const env = await h.environment()
    await makeWorkflow(env)
    const event = { name: 'hello', to: 'ada' }
    for (const events of [undefined, {}, [], Array(101).fill(event)]) {
      expect((await env.post(path, { events })).status).toBe(422)
    }
    expect((await env.post(path, { events: Array(100).fill(event) })).status).toBe(201)
  })

  test('what is never stored is the fault of its event alone', async () => {
    const env = await h.environment()
    await makeWorkflow(env)
    const raw = `{"events":[{"name":"hello","to":"ada","payload":{"__proto__":{}}},{"name":"hello","to":"a\\u0000"},
      {"name":"hello","to":"ada","payload":{"x":"\\ud800"}},7,null,{"name":"hello","to":"eve"}]}`
    const reply = await env.send('POST', path, { raw })
    expect(reply.body.map((it: { status: string }) => it.status)).toEqual([
      'error',
      'error',
      'error',
      'error',
      'error',
      'processed',
    ])
  })

  test('a transactionId seen before: the same event is processed once, another is a conflict', async () => {
    const env = await h.environment()
    await makeWorkflow(env)
    const event = { name: 'hello', to: 'ada', transactionId: 't-1', payload: { a: 1 } }
    const reply = await env.post(path, { events: [event, event, { ...event, payload: { a: 2 } }] })
    expect(reply.body).toEqual([
      { ...processed, transactionId: 't-1' },
      { ...processed, transactionId: 't-1' },
      { acknowledged: true, status: 'error', error: ['transaction_id_conflict'] },
    ])
    const again = await env.post(path, { events: [event, { ...event, to: 'eve' }] })
    expect(again.body.map((it: { status: string }) => it.status)).toEqual(['processed', 'error'])
    await h.drain()
    expect(await messagesBySubscriber(env)).toEqual({ ada: 1 })
  })

  test('fifty identical bulks at once with one transactionId make one event', async () => {
    const env = await h.environment()
    await makeWorkflow(env)
    const event = { name: 'hello', to: 'ada', transactionId: 'same' }
    const replies = await Promise.all(Array.from({ length: 50 }, () => env.post(path, { events: [event] })))
    expect(new Set(replies.map((reply) => reply.body[0].status))).toEqual(new Set(['processed']))
    await h.drain()
    expect(await messagesBySubscriber(env)).toEqual({ ada: 1 })
  })

  test('recipients that cannot be used are named, the others are notified', async () => {
    const env = await h.environment()
    await makeWorkflow(env)
    const result = await trigger(env, {
      to: ['ada', '', { email: 'x@example.com' }, { subscriberId: 'eve', email: 'nobody' }, 7],
    })
    expect(result).toEqual({
      ...processed,
      error: [
        expect.stringMatching(/^to\.1/),
        expect.stringMatching(/^to\.2/),
        expect.stringMatching(/^to\.3/),
        expect.stringMatching(/^to\.4/),
      ],
    })
    await h.drain()
    expect(await messagesBySubscriber(env)).toEqual({ ada: 1 })
  })

  test('payload up to 512 KB, context up to 5 entries; past it that event is refused', async () => {
    const env = await h.environment()
    await makeWorkflow(env)
    const text = (bytes: number) => ({ text: 'x'.repeat(bytes - '{"text":""}'.length) })
    expect(await trigger(env, { to: 'ada', payload: text(512 * 1024) })).toEqual(processed)
    expect((await trigger(env, { to: 'ada', payload: text(512 * 1024 + 1) })).status).toBe('error')
    const context = Object.fromEntries(
      ['a', 'b', 'c', 'd', 'e'].map((type) => [type, type === 'a' ? { id: '1', data: {} } : '1']),
    )
    expect(await trigger(env, { to: 'eve', context })).toEqual(processed)
    expect((await trigger(env, { to: 'eve', context: { ...context, f: '1' } })).status).toBe('error')
    await h.drain()
    const keys = ['a:1', 'b:1', 'c:1', 'd:1', 'e:1']
    const query = keys.map((key) => `contextKeys=${key}`).join('&')
    expect((await env.get(`/v1/messages?${query}`)).body.data[0].contextKeys).toEqual(keys)
    expect((await env.get(`/v1/notifications?${query}`)).body.data).toHaveLength(1)
    expect((await env.get('/v1/messages?contextKeys=a:1')).body.data).toHaveLength(0)
  })

  test('overrides up to 512 KB without the files in them, and 1,000 addresses; past it that event is refused', async () => {
    const env = await h.environment()
    await makeWorkflow(env)
    const single = (overrides: object) => env.post('/v1/events/trigger', { name: 'hello', to: 'ada', overrides })
    const html = (bytes: number) => ({ email: { html: 'x'.repeat(bytes - '{"email":{"html":""}}'.length) } })
    expect(await trigger(env, { to: 'ada', overrides: html(512 * 1024) })).toEqual(processed)
    const tooLarge = { overrides: { messages: ['is larger than 512 KB'] } }
    expect(await trigger(env, { to: 'ada', overrides: html(512 * 1024 + 1) })).toMatchObject({
      status: 'error',
      error: ['overrides is larger than 512 KB'],
    })
    expect(await single(html(24 * 1024 * 1024))).toMatchObject({ status: 422, body: { errors: tooLarge } })
    // Written as JSON these are larger than their text.
    expect(await single({ sms: { list: Array.from({ length: 300_000 }, () => 1) } })).toMatchObject({ status: 422 })
    const file = { name: 'a.txt', file: Buffer.alloc(1024 * 1024, 7).toString('base64'), mime: 'text/plain' }
    expect(await trigger(env, { to: 'ada', overrides: { email: { attachments: [file] } } })).toEqual(processed)

    const people = (count: number) => Array.from({ length: count }, (_, n) => `p${n}@example.org`)
    const email = { to: people(400), cc: people(400), bcc: people(200) }
    expect(await trigger(env, { to: 'ada', overrides: { email } })).toEqual(processed)
    const error = ['overrides has more than 1000 addresses in to, cc and bcc of an e-mail']
    for (const overrides of [
      { email: { ...email, bcc: people(201) } },
      { channels: { email: { to: people(1_001) } } },
      { email, steps: { mail: { email: { cc: people(401) } } } },
      { email, steps: { mail: { channels: { email: { to: people(401) } } } } },
    ]) {
      expect(await trigger(env, { to: 'ada', overrides })).toMatchObject({ status: 'error', error })
    }
    // A step's list replaces that of the event.
    const replaced = { email, steps: { mail: { email: { to: people(1), cc: people(700) } } } }
    expect(await trigger(env, { to: 'ada', overrides: replaced })).toEqual(processed)
  })
})
