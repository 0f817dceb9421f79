import {
  ButtonTypeEnum,
  ChannelTypeEnum,
  MessageActionStatusEnum,
  MessagesStatusEnum,
  Novu,
  PreferenceLevelEnum,
} from '@novu/node'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { olderMethods } from '../../scripts/generated/client-operations.ts'
import { missingMethods, reasonFor } from '../../scripts/generated/client-reasons.ts'
import { type Json, useHarness } from '../harness.ts'
import { makeWorkflow } from '../pipeline.ts'
import { time } from './client-versions.ts'

/** `@novu/node`, the client before `@novu/api`: it has no schemas of its own, so every reply is looked at here. */
const h = useHarness({ VENDOR_NAMES: 'novu' }, { worker: true })

const steps = [
  { name: 'Inbox', type: 'in_app', controlValues: { body: 'Hello', primaryAction: { label: 'Go' } } },
  { name: 'Mail', type: 'email', controlValues: { subject: 'Hi', body: 'Hi' } },
]

const called = new Set<string>()

/** Notes the calls that succeed. */
function watched<T extends object>(resource: T, name: string): T {
  return new Proxy(resource, {
    get(target, method) {
      const value: unknown = Reflect.get(target, method)
      if (typeof value !== 'function' || typeof method !== 'string') return value
      return async (...given: unknown[]) => {
        const reply: unknown = await Reflect.apply(value, target, given)
        called.add(`${name}.${method}`)
        return reply
      }
    },
  })
}

async function start() {
  const env = await h.environment()
  const novu = new Novu(env.key, { backendUrl: h.url })
  const of = {
    subscribers: watched(novu.subscribers, 'subscribers'),
    topics: watched(novu.topics, 'topics'),
    events: watched(novu.events, 'events'),
    messages: watched(novu.messages, 'messages'),
    tenants: watched(novu.tenants, 'tenants'),
    integrations: watched(novu.integrations, 'integrations'),
    environments: watched(novu.environments, 'environments'),
    organizations: watched(novu.organizations, 'organizations'),
  }
  return { env, novu, ...of }
}

/** As its users read it: what the service answers is in `data` of what axios answers. */
async function dataOf(call: Promise<{ data: Json }>): Promise<Json> {
  return (await call).data.data
}

async function refusalOf(call: Promise<unknown>): Promise<Json> {
  const reason: unknown = await call.then(
    () => null,
    (error: unknown) => error,
  )
  const response = typeof reason === 'object' && reason && 'response' in reason ? (reason.response as Json) : null
  return { status: response?.status, code: response?.data?.code }
}

describe('subscribers', () => {
  test('identify, get, update, list, bulk and delete', async () => {
    const { subscribers } = await start()
    const profile = { firstName: 'Ann', email: 'ann@example.com', data: { plan: 'pro' } }
    const made = await dataOf(subscribers.identify('ann', profile))
    expect(made).toMatchObject({ _id: expect.any(String), subscriberId: 'ann', ...profile, createdAt: time })
    expect(await dataOf(subscribers.get('ann'))).toEqual(made)
    const changed = await dataOf(subscribers.update('ann', { lastName: 'Lee' }))
    expect(changed).toMatchObject({ _id: made._id, firstName: 'Ann', lastName: 'Lee', data: { plan: 'pro' } })
    const bulk = await dataOf(subscribers.bulkCreate([{ subscriberId: 'bob' }, { subscriberId: 'cleo' }]))
    expect(bulk).toEqual({ created: [{ subscriberId: 'bob' }, { subscriberId: 'cleo' }], updated: [], failed: [] })
    const pages = [(await subscribers.list(0, 2)).data, (await subscribers.list(1, 2)).data]
    expect(pages.map(({ data, ...page }: Json) => [data.map((row: Json) => row.subscriberId), page])).toEqual([
      [['ann', 'bob'], { page: 0, pageSize: 2, hasMore: true }],
      [['cleo'], { page: 1, pageSize: 2, hasMore: false }],
    ])
    expect(await dataOf(subscribers.delete('ann'))).toEqual({ acknowledged: true, status: 'deleted' })
    expect(await refusalOf(subscribers.get('ann'))).toEqual({ status: 404, code: 'subscriber_not_found' })
    expect(await refusalOf(subscribers.update('ann', {}))).toEqual({ status: 404, code: 'subscriber_not_found' })
  })

  test('credentials and being online', async () => {
    const { subscribers, env } = await start()
    await subscribers.identify('ann', {})
    const set = await dataOf(
      subscribers.setCredentials('ann', 'novu-slack', { webhookUrl: 'https://hooks.example.com/a' }),
    )
    expect(set.channels).toMatchObject([{ providerId: 'novu-slack', credentials: { webhookUrl: expect.any(String) } }])
    await subscribers.setCredentials('ann', 'fcm', { deviceTokens: ['t1'] })
    // Device tokens are only added (see missingMethods).
    await env.put('/v1/subscribers/ann/credentials', { providerId: 'fcm', credentials: { deviceTokens: [] } })
    expect((await dataOf(subscribers.get('ann'))).channels).toContainEqual(
      expect.objectContaining({ providerId: 'fcm', credentials: { deviceTokens: ['t1'] } }),
    )
    expect((await subscribers.deleteCredentials('ann', 'novu-slack')).status).toBe(204)
    expect(await dataOf(subscribers.updateOnlineStatus('ann', true))).toMatchObject({ isOnline: true })
    expect(await dataOf(subscribers.updateOnlineStatus('ann', false))).toMatchObject({
      isOnline: false,
      lastOnlineAt: time,
    })
  })

  test('preferences: of all workflows, of one, by level', async () => {
    const { subscribers, env } = await start()
    await subscribers.identify('ann', {})
    await makeWorkflow(env, 'shipped', { steps })
    await makeWorkflow(env, 'outage', { steps, critical: true })
    const { _id } = (await env.get('/v2/workflows/shipped')).body
    const template = { _id: 'shipped', name: 'shipped', critical: false }
    const triggers = [{ type: 'event', identifier: 'shipped', variables: [] }]
    const all = await dataOf(subscribers.getPreference('ann'))
    expect(all).toHaveLength(2)
    expect(all).toContainEqual({
      template: { ...template, triggers },
      preference: expect.objectContaining({ enabled: true, channels: { in_app: true, email: true } }),
    })
    expect(all.find((it: Json) => it.template._id === 'outage').template.critical).toBe(true)
    const inactive = await dataOf(subscribers.getPreference('ann', { includeInactiveChannels: true }))
    const wide = { in_app: true, email: true, sms: false, chat: false, push: false }
    expect(inactive[0].preference.channels).toEqual(wide)
    expect(await dataOf(subscribers.getPreferenceByLevel('ann', PreferenceLevelEnum.TEMPLATE))).toEqual(all)
    const wrong = await env.get('/v1/subscribers/ann/preferences/other')
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['level']])

    // By the id that a list shows, and by the real one.
    for (const [id, enabled] of [
      ['shipped', false],
      [_id, true],
    ] as const) {
      const channel = { type: ChannelTypeEnum.EMAIL, enabled }
      const changed = await dataOf(subscribers.updatePreference('ann', id, { channel }))
      expect(changed).toMatchObject({ template: { ...template, _id, triggers }, preference: { enabled: true } })
      expect(changed.preference.channels).toEqual({ in_app: true, email: enabled })
    }
    const off = await dataOf(subscribers.updatePreference('ann', 'shipped', { enabled: false }))
    expect(off.preference.enabled).toBe(false)
    expect(await refusalOf(subscribers.updatePreference('ann', 'outage', { enabled: false }))).toMatchObject({
      code: 'preference_read_only',
    })

    const [global] = await dataOf(subscribers.getGlobalPreference('ann'))
    expect(global).toEqual({
      preference: { enabled: true, channels: { in_app: true, email: true, sms: true, chat: true, push: true } },
    })
    const preferences = [{ type: ChannelTypeEnum.SMS, enabled: false }]
    const changed = await dataOf(subscribers.updateGlobalPreference('ann', { enabled: true, preferences }))
    expect(changed.preference.channels).toMatchObject({ sms: false, email: true })
    expect(await dataOf(subscribers.getGlobalPreference('ann'))).toEqual([changed])
  })
})

test('topics: create, list, members, rename and delete', async () => {
  const { topics, subscribers, env } = await start()
  await subscribers.bulkCreate([{ subscriberId: 'ann' }, { subscriberId: 'bob' }])
  const made = await topics.create({ key: 'news', name: 'News' })
  expect([made.status, made.data]).toEqual([201, { data: { _id: expect.any(String), key: 'news' } }])
  expect(await refusalOf(topics.create({ key: 'news', name: 'News' }))).toEqual({ status: 409, code: 'topic_exists' })
  await topics.create({ key: 'sport', name: 'Sport' })
  const added = await dataOf(topics.addSubscribers('news', { subscribers: ['ann', 'nobody', 'bob'] }))
  expect(added).toEqual({ succeeded: ['ann', 'bob'], failed: { notFound: ['nobody'] } })
  expect(await dataOf(topics.addSubscribers('news', { subscribers: ['ann'] }))).toEqual({ succeeded: ['ann'] })
  const place = { _organizationId: env.organizationId, _environmentId: env.environmentId }
  const news = { _id: made.data.data._id, ...place, key: 'news', name: 'News' }
  expect(await dataOf(topics.get('news'))).toEqual({ ...news, subscribers: ['ann', 'bob'] })
  const member = { externalSubscriberId: 'ann', topicKey: 'news', _topicId: news._id, ...place }
  expect(await dataOf(topics.getSubscriber('news', 'ann'))).toMatchObject(member)
  expect(await dataOf(topics.checkSubscriber('news', 'bob'))).toMatchObject({ externalSubscriberId: 'bob' })
  const { data: list } = await topics.list({ page: 0, pageSize: 1 })
  expect(list).toEqual({ page: 0, pageSize: 1, totalCount: 2, data: [news] })
  expect((await topics.list({ page: 1, pageSize: 1 })).data.data).toMatchObject([{ key: 'sport' }])
  expect((await topics.list({ key: 'sport' })).data).toMatchObject({ totalCount: 1, data: [{ key: 'sport' }] })
  expect((await topics.removeSubscribers('news', { subscribers: ['ann'] })).status).toBe(204)
  expect((await dataOf(topics.get('news'))).subscribers).toEqual(['bob'])
  expect(await refusalOf(topics.checkSubscriber('news', 'ann'))).toMatchObject({ status: 404 })
  expect(await dataOf(topics.rename('news', 'Daily'))).toEqual({ ...news, name: 'Daily' })
  expect((await topics.delete('news')).status).toBe(204)
  expect(await refusalOf(topics.get('news'))).toEqual({ status: 404, code: 'topic_not_found' })
})

test('trigger, bulk, broadcast and cancel', async () => {
  const { events, subscribers, novu, env } = await start()
  await makeWorkflow(env, 'shipped', { steps })
  const delay = { name: 'Wait', type: 'delay', controlValues: { type: 'regular', amount: 1, unit: 'days' } }
  await makeWorkflow(env, 'later', { steps: [delay, ...steps] })
  await subscribers.identify('ann', {})
  const accepted = { acknowledged: true, status: 'processed', transactionId: expect.any(String) }
  const sent = { to: { subscriberId: 'ann' }, payload: { n: 1 }, overrides: { email: { customData: { a: 1 } } } }
  expect(await dataOf(events.trigger('shipped', sent))).toEqual(accepted)
  expect(await dataOf(novu.trigger('shipped', sent))).toEqual(accepted)
  const many = [
    { name: 'shipped', to: 'ann', payload: {} },
    { name: 'shipped', to: 'ann', payload: {} },
  ]
  expect(await dataOf(events.bulkTrigger(many))).toEqual([accepted, accepted])
  expect(await dataOf(events.broadcast('shipped', { payload: {} }))).toEqual(accepted)
  await events.trigger('later', { to: 'ann', payload: {}, transactionId: 'later-1' })
  await h.drain()
  expect(await dataOf(events.cancel('later-1'))).toBe(true)
  expect(await dataOf(events.cancel('later-1'))).toBe(false)
})

test('the feed, and marking it', async () => {
  const { events, subscribers, messages, env } = await start()
  await makeWorkflow(env, 'shipped', { steps })
  for (const n of [1, 2, 3]) await events.trigger('shipped', { to: 'ann', payload: { n }, transactionId: `t-${n}` })
  await h.drain()
  const feed = (await subscribers.getNotificationsFeed('ann', { limit: 2 })).data
  expect(feed).toMatchObject({ totalCount: 3, hasMore: true, page: 0, pageSize: 2 })
  const one = (await subscribers.getNotificationsFeed('ann', { payload: { n: 2 } })).data
  expect(one.data).toMatchObject([{ payload: { n: 2 }, seen: false, read: false }])
  expect(await dataOf(subscribers.getUnseenCount('ann', false))).toEqual({ count: 3 })
  const [first, second] = feed.data
  expect(await dataOf(subscribers.markMessageSeen('ann', first._id))).toMatchObject([{ seen: true, read: false }])
  expect(await dataOf(subscribers.markMessageRead('ann', first._id))).toMatchObject([{ seen: true, read: true }])
  const both = await dataOf(subscribers.markMessageAs('ann', second._id, { seen: true, read: false }))
  expect(both).toMatchObject([{ _id: second._id, seen: true, read: false }])
  expect(await refusalOf(subscribers.markMessageAs('ann', second._id, {}))).toMatchObject({ status: 422 })
  expect(await dataOf(subscribers.markAllMessagesAs('ann', MessagesStatusEnum.READ))).toBe(2)
  const pressed = subscribers.markMessageActionSeen('ann', first._id, ButtonTypeEnum.PRIMARY, {
    status: MessageActionStatusEnum.DONE,
  })
  expect(await dataOf(pressed)).toMatchObject({ _id: first._id, cta: { action: { status: 'done' } } })

  const { data: listed } = await messages.list({
    transactionIds: ['t-1', 't-2'],
    channel: ChannelTypeEnum.IN_APP,
    limit: 5,
  })
  expect(listed.data.map((it: Json) => it.transactionId).sort()).toEqual(['t-1', 't-2'])
  expect(await dataOf(messages.deleteById(first._id))).toMatchObject({ acknowledged: true })
  expect((await messages.list({ subscriberId: 'ann', channel: ChannelTypeEnum.IN_APP })).data.totalCount).toBe(2)
  expect((await messages.deleteByTransactionId('t-2')).status).toBe(204)
  expect((await messages.list({ transactionIds: ['t-2'] })).data.data).toEqual([])
})

test('tenants', async () => {
  const { tenants } = await start()
  const acme = { identifier: 'acme', name: 'Acme', data: { plan: 'pro' } }
  expect(await dataOf(tenants.create('acme', acme))).toMatchObject(acme)
  expect(await dataOf(tenants.get('acme'))).toMatchObject(acme)
  expect(await dataOf(tenants.update('acme', { name: 'ACME' }))).toMatchObject({ ...acme, name: 'ACME' })
  expect((await tenants.list({ page: 0, limit: 5 })).data).toMatchObject({
    data: [{ identifier: 'acme' }],
    hasMore: false,
  })
  expect((await tenants.delete('acme')).status).toBe(204)
})

test('integrations', async () => {
  const { integrations } = await start()
  const made = await dataOf(integrations.create('novu-email', { channel: ChannelTypeEnum.EMAIL, active: true }))
  expect(made).toMatchObject({ providerId: 'novu-email', channel: 'email', active: true })
  expect(await dataOf(integrations.getAll())).toMatchObject([{ _id: made._id }])
  expect(await dataOf(integrations.getActive())).toMatchObject([{ _id: made._id }])
  expect(await dataOf(integrations.update(made._id, { name: 'Mail' }))).toMatchObject({ name: 'Mail' })
  expect(await dataOf(integrations.setIntegrationAsPrimary(made._id))).toMatchObject({ primary: true })
  expect(await dataOf(integrations.delete(made._id))).toEqual([])
})

test('environments', async () => {
  const { environments, organizations, env } = await start()
  await sql`update api_key set reach = 'organization' where environment_id = ${env.environmentId}`.execute(h.admin)
  const made = await dataOf(environments.create({ name: 'Staging' }))
  expect(made).toMatchObject({ name: 'Staging', _organizationId: env.organizationId })
  expect(await dataOf(environments.updateOne(made._id, { name: 'Stage' }))).toMatchObject({ name: 'Stage' })
  expect((await dataOf(environments.getAll())).map((it: Json) => it.name)).toEqual(['test', 'Stage'])
  expect(await dataOf(environments.getCurrent())).toMatchObject({ _id: env.environmentId, name: 'test' })
  expect(await dataOf(organizations.getCurrent())).toEqual({ _id: env.organizationId, name: expect.any(String) })
})

afterAll(() => {
  const all = olderMethods(new Novu('key'))
  expect(all.length).toBeGreaterThan(80)
  const wrong = all.filter((method) => called.has(method) === (reasonFor(missingMethods, method) !== null))
  // Every method is called above, or has a reason why not (scripts/generated/client-reasons.ts); none is both.
  expect(wrong).toEqual([])
})
