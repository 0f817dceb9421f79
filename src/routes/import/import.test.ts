import { describe, expect, test } from 'vitest'
import { makeWorkflow, workflowBody } from '../../../test/fixture-makers.ts'
import { type Client, useHarness } from '../../../test/harness.ts'

const h = useHarness()

async function send(env: Client, subscribers: object[], dryRun = false) {
  const { status, body } = await env.post('/v1/import/subscribers', { subscribers, dryRun })
  expect(status).toBe(200)
  return body.subscribers
}

const ada = {
  subscriberId: 'ada',
  firstName: 'Ada',
  email: 'ada@example.com',
  locale: 'de-AT',
  timezone: 'Europe/Vienna',
  data: { plan: 'pro' },
  channels: [
    { providerId: 'fcm', credentials: { deviceTokens: ['t1', 't2'] } },
    { providerId: 'slack', credentials: { webhookUrl: 'https://hooks.example.com/a' } },
  ],
  schedule: {
    isEnabled: true,
    weeklySchedule: { monday: { isEnabled: true, hours: [{ start: '09:00', end: '17:00' }] } },
  },
}

describe('people', () => {
  test('are made as given, with everything; again nothing changes, and a dry run says so before', async () => {
    const env = await h.environment()
    const workflowId = await makeWorkflow(env)
    const person = { ...ada, preferences: [{ channels: { sms: false } }, { workflowId, channels: { in_app: false } }] }
    const planned = await send(env, [person], true)
    expect((await env.get('/v2/subscribers/ada')).status).toBe(404)
    const [made] = await send(env, [person])
    const told = [{ channels: { sms: false } }, { workflowId, channels: { in_app: false } }]
    expect(made).toEqual({
      subscriberId: 'ada',
      action: 'created',
      changes: expect.arrayContaining(['email', 'data', 'schedule', 'preferences.*.sms']),
      left: [],
      chosen: told,
    })
    expect([planned[0].action, planned[0].changes.length]).toEqual(['created', made.changes.length])
    expect(planned[0].chosen).toEqual(told)
    const { body } = await env.get('/v2/subscribers/ada')
    expect(body).toMatchObject({
      email: 'ada@example.com',
      data: { plan: 'pro' },
      channels: [{ providerId: 'fcm' }, { providerId: 'slack' }],
    })
    const chosen = (await env.get('/v2/subscribers/ada/preferences')).body
    expect(chosen.global).toMatchObject({ channels: { sms: false, email: true }, schedule: ada.schedule })
    expect(chosen.workflows[0].channels.in_app).toBe(false)
    const { updatedAt } = body
    for (const dryRun of [true, false]) {
      expect(await send(env, [person], dryRun)).toEqual([
        { subscriberId: 'ada', action: 'unchanged', changes: [], left: [], chosen: told },
      ])
    }
    expect((await env.get('/v2/subscribers/ada')).body.updatedAt).toBe(updatedAt)
  })

  test('what is other now is changed, and only that; device tokens of here stay', async () => {
    const env = await h.environment()
    await send(env, [ada, { subscriberId: 'bob' }])
    await env.put('/v1/subscribers/ada/credentials', { providerId: 'fcm', credentials: { deviceTokens: ['own'] } })
    const changed = { ...ada, email: null, channels: [{ providerId: 'fcm', credentials: { deviceTokens: ['t3'] } }] }
    expect(await send(env, [changed, { subscriberId: 'bob', firstName: null }])).toMatchObject([
      { action: 'updated', changes: ['email', 'channels.fcm'] },
      { action: 'unchanged', changes: [] },
    ])
    const { body } = await env.get('/v2/subscribers/ada')
    const tokens = body.channels.find((it: { providerId: string }) => it.providerId === 'fcm').credentials.deviceTokens
    expect([body.email, tokens]).toEqual([null, ['t1', 't2', 'own', 't3']])
  })

  test('a bad field costs that field, and is named without its value', async () => {
    const env = await h.environment()
    const results = await send(env, [
      {
        subscriberId: 'eve',
        firstName: 'Eve',
        email: 'secret-no-address',
        timezone: 'Mars/Base',
        data: { text: 'x'.repeat(70_000) },
        lastName: 'a\u0000b',
        channels: [
          { providerId: 'none', credentials: {} },
          7,
          { providerId: 'slack', credentials: { webhookUrl: 'x' } },
        ],
        preferences: [{ workflowId: 'none', channels: { email: false } }, { channels: { email: 'no' } }],
        schedule: {
          isEnabled: true,
          weeklySchedule: { monday: { isEnabled: true, hours: [{ start: '9', end: '10' }] } },
        },
      },
      { firstName: 'nobody' },
      { subscriberId: ' ' },
    ])
    expect(results.map((it: { action: string }) => it.action)).toEqual(['created', 'failed', 'failed'])
    expect(results[0].left.map((it: { field: string }) => it.field).sort()).toEqual([
      'channels.0.none',
      'channels.1',
      'channels.2.slack',
      'data',
      'email',
      'lastName',
      'preferences.0',
      'preferences.1.channels.email',
      'schedule',
      'timezone',
    ])
    expect(JSON.stringify(results)).not.toContain('secret-no-address')
    expect((await env.get('/v2/subscribers/eve')).body).toMatchObject({ firstName: 'Eve', email: null, channels: [] })
  })

  test('a critical workflow takes no choice; the same people at the same time are made once', async () => {
    const env = await h.environment()
    const workflowId = 'must'
    await env.post('/v2/workflows', { workflowId, ...workflowBody, critical: true })
    const many = Array.from({ length: 100 }, (_, n) => ({ ...ada, subscriberId: `s${n}` }))
    const all = await Promise.all([many, many.toReversed(), many].map((it) => send(env, it)))
    expect(all.flat().filter((it) => it.action === 'created')).toHaveLength(100)
    const [refused] = await send(env, [{ ...ada, preferences: [{ workflowId, enabled: false }] }])
    expect(refused.left).toEqual([{ field: 'preferences.0', why: expect.stringContaining('no choice') }])
  })
})

describe('topics and members', () => {
  const sendTopics = async (env: Client, topics: object[], dryRun = false) => {
    const { status, body } = await env.post('/v1/import/topics', { topics, dryRun })
    expect(status).toBe(200)
    return body.topics
  }
  const actions = (topics: { action: string; members: { action: string }[] }[]) =>
    topics.map((it) => [it.action, ...it.members.map(({ action }) => action)])

  test('are made as given; again nothing changes; a new name is taken over', async () => {
    const env = await h.environment()
    const workflowId = await makeWorkflow(env)
    await send(env, [{ subscriberId: 'ada' }, { subscriberId: 'bob' }])
    const rule = { '==': [{ var: 'payload.a' }, 1] }
    const topics = [
      {
        key: 'news',
        name: 'News',
        members: [
          { subscriberId: 'ada', identifier: 'tk_news:si_ada' },
          { subscriberId: 'ada', identifier: 'weekly', name: 'Weekly' },
          { subscriberId: 'bob', identifier: 'own', preferences: [{ workflowId, enabled: true, condition: rule }] },
        ],
      },
      { key: 'empty' },
    ]
    expect(actions(await sendTopics(env, topics, true))).toEqual([
      ['created', 'created', 'created', 'created'],
      ['created'],
    ])
    expect((await env.get('/v2/topics/news')).status).toBe(404)
    expect(actions(await sendTopics(env, topics))).toEqual([['created', 'created', 'created', 'created'], ['created']])
    expect((await env.get('/v2/topics/news/subscriptions')).body.totalCount).toBe(2)
    expect((await env.get('/v2/topics/news/subscriptions/weekly')).body).toMatchObject({ name: 'Weekly' })
    expect((await env.get('/v2/topics/news/subscriptions/own')).body.preferences).toMatchObject([{ condition: rule }])
    expect((await env.get('/v2/topics/news/subscriptions/tk_news:si_ada')).body.identifier).toBe('tk_news:si_ada')
    const same = [['unchanged', 'unchanged', 'unchanged', 'unchanged'], ['unchanged']]
    for (const dryRun of [true, false]) expect(actions(await sendTopics(env, topics, dryRun))).toEqual(same)
    expect(actions(await sendTopics(env, [{ key: 'news', name: 'All news' }]))).toEqual([['updated']])
    expect((await env.get('/v2/topics/news')).body.name).toBe('All news')
  })

  test('a member who has a plain subscription keeps it beside a named one that comes later', async () => {
    const env = await h.environment()
    await send(env, [{ subscriberId: 'ada' }])
    await sendTopics(env, [{ key: 'news', members: [{ subscriberId: 'ada' }] }])
    await sendTopics(env, [{ key: 'news', members: [{ subscriberId: 'ada', identifier: 'weekly' }] }])
    expect((await env.get('/v2/topics/news/subscriptions/weekly')).status).toBe(200)
    expect((await env.get('/v2/topics/news/subscriptions/tk_news:si_ada')).body.identifier).toBe('tk_news:si_ada')
  })

  test('what cannot be: each with its reason, and the others are taken', async () => {
    const env = await h.environment()
    await send(env, [{ subscriberId: 'ada' }])
    const members = [
      { subscriberId: 'nobody' },
      { subscriberId: 'ada', identifier: 'tk_news:si_other' },
      { subscriberId: 'ada', preferences: [{ workflowId: 'none', enabled: true }] },
      {},
    ]
    const [news, bad] = await sendTopics(env, [{ key: 'news', members }, { key: 'no key' }])
    expect(news.members.map((it: { left: { why: string }[] }) => it.left[0]?.why)).toEqual([
      'there is no such subscriber here',
      'is the default name of another subscription',
      'there is no such workflow here',
      expect.stringContaining('subscriberId'),
    ])
    expect(bad).toMatchObject({ key: 'no key', action: 'failed' })
    expect((await env.get('/v2/topics/news/subscriptions')).body.totalCount).toBe(1)
  })
})
