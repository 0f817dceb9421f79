import { afterEach, describe, expect, test } from 'vitest'
import { type Client, type Json, useHarness } from '../harness.ts'
import { trigger } from '../pipeline.ts'
import { hashOf, identifierOf, makeOrderWorkflow } from './inbox-session.ts'

/**
 * The published browser clients against a running service, with only their addresses changed. Each version is a package
 * of its own, and its types are its own too: what it has is asked at run time.
 */
const versions = ['2.6.6', '3.0.0', '3.9.1', '3.13.0', '3.19.2']

const h = useHarness({ INBOX_HASH: 'required' }, { worker: true })
const open: Json[] = []
afterEach(async () => {
  for (const novu of open.splice(0)) await novu.socket?.disconnect?.()
})

async function connect(version: string, env: Client, subscriberId: string, url = h.url): Promise<Json> {
  const { Novu } = await import(`@novu/js-${version}`)
  const novu = new Novu({
    applicationIdentifier: await identifierOf(env),
    subscriberId,
    subscriberHash: hashOf(env.key, subscriberId),
    backendUrl: url,
    socketUrl: url,
    useCache: false,
  })
  open.push(novu)
  return novu
}

async function start(): Promise<Client> {
  const env = await h.environment()
  await makeOrderWorkflow(env)
  return env
}

const send = (env: Client, n: number, kind = 'order') =>
  trigger(env, { name: 'order', to: 'ada', payload: { n, kind } })

/** What a call of the client gives; an error is thrown, with what the service said. */
async function got(result: Promise<Json>): Promise<Json> {
  const { data, error } = await result
  if (error) throw error
  return data
}

describe.each(versions)('@novu/js %s', (version) => {
  test('session, list, count, every change of one, and of all', async () => {
    const env = await start()
    for (const n of [1, 2, 3]) await send(env, n, n === 3 ? 'refund' : 'order')
    await h.drain()
    const { notifications } = await connect(version, env, 'ada')
    const list = async (args: object = {}) => (await got(notifications.list(args))).notifications
    const unread = async () => (await got(notifications.count({ read: false }))).count

    expect((await list({ limit: 2 })).map((it: Json) => it.subject)).toEqual(['Order 3', 'Order 2'])
    const [third, second, first] = await list()
    expect(third).toMatchObject({
      body: 'It is on its way',
      isRead: false,
      channelType: 'in_app',
      to: { subscriberId: 'ada' },
    })
    expect((await list({ after: third.id })).map((it: Json) => it.subject)).toEqual(['Order 2', 'Order 1'])
    expect(await list({ tags: ['orders'] })).toHaveLength(3)
    expect(await list({ tags: ['other'] })).toEqual([])
    expect(await unread()).toBe(3)
    const { counts } = await got(notifications.count({ filters: [{ read: false }, { archived: true }] }))
    expect(counts.map((it: Json) => it.count)).toEqual([3, 0])

    const change = async (verb: string, args: object = {}) =>
      got(notifications[verb]({ notificationId: third.id, ...args }))
    expect(await change('read')).toMatchObject({ id: third.id, isRead: true })
    expect(await unread()).toBe(2)
    expect(await change('unread')).toMatchObject({ isRead: false })
    expect(await change('archive')).toMatchObject({ isArchived: true })
    expect(await change('unarchive')).toMatchObject({ isArchived: false })
    expect(await change('completePrimary')).toMatchObject({ primaryAction: { isCompleted: true } })
    expect(await change('revertPrimary')).toMatchObject({ primaryAction: { isCompleted: false } })
    expect(await change('completeSecondary')).toMatchObject({ secondaryAction: { isCompleted: true } })
    expect(await change('revertSecondary')).toMatchObject({ secondaryAction: { isCompleted: false } })
    if (notifications.snooze) {
      const snoozeUntil = new Date(Date.now() + 3_600_000).toISOString()
      expect(await change('snooze', { snoozeUntil })).toMatchObject({ isSnoozed: true })
      expect(await list()).toHaveLength(2)
      expect(await list({ snoozed: true })).toHaveLength(1)
      expect(await change('unsnooze')).toMatchObject({ isSnoozed: false })
    }
    if (notifications.seenAll) {
      await got(notifications.seenAll({ notificationIds: [first.id] }))
      expect((await list({ seen: true })).map((it: Json) => it.id)).toContain(first.id)
      await got(notifications.seenAll())
      expect(await list({ seen: false })).toEqual([])
    }
    if (notifications.delete) {
      await got(notifications.delete({ notificationId: first.id }))
      expect(await list()).toHaveLength(2)
    }
    await change('read')
    await got(notifications.archiveAllRead())
    expect((await list({ archived: true })).map((it: Json) => it.id)).toEqual([third.id])
    await got(notifications.readAll({ tags: ['orders'] }))
    expect(await unread()).toBe(0)
    await got(notifications.archiveAll())
    expect(await list({ archived: true })).toHaveLength(notifications.delete ? 2 : 3)
    expect(second.id).toBeDefined()
    if (notifications.deleteAll) {
      await got(notifications.deleteAll())
      expect(await list({ archived: true })).toEqual([])
    }
  })

  test('preferences, of all and of one workflow, and the schedule', async () => {
    const env = await start()
    const { preferences } = await connect(version, env, 'ada')
    const [global, order] = await got(preferences.list())
    expect(global).toMatchObject({ level: 'global', enabled: true, channels: { email: true } })
    expect(order).toMatchObject({
      level: 'template',
      channels: { email: true, in_app: true },
      workflow: { identifier: 'order', critical: false },
    })
    const choose = (preference: Json, channels: object) =>
      got(preference.update({ channels, channelPreferences: channels }))
    const changed = await choose(order, { email: false })
    expect(changed.channels).toEqual({ email: false, in_app: true })
    expect((await choose(global, { in_app: false })).channels).toMatchObject({ in_app: false })
    const again = await got(preferences.list())
    expect(again[1].channels).toEqual({ email: false, in_app: false })
    if (preferences.bulkUpdate) {
      const one = { workflowId: order.workflow.id, channels: { email: true } }
      expect((await got(preferences.bulkUpdate([one])))[0].channels.email).toBe(true)
    }
    if (preferences.schedule) {
      const weeklySchedule = { monday: { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] } }
      await got(preferences.schedule.update({ isEnabled: true, weeklySchedule }))
      expect(await got(preferences.schedule.get())).toMatchObject({ isEnabled: true, weeklySchedule })
    }
  })

  test.runIf(['3.13.0', '3.19.2'].includes(version))('subscriptions to topics, with a condition', async () => {
    const env = await start()
    const { subscriptions } = await connect(version, env, 'ada')
    const made = await got(subscriptions.create({ topicKey: 'orders', preferences: ['order'] }))
    expect(made).toMatchObject({ identifier: 'tk_orders:si_ada', preferences: [{ enabled: true }] })
    const [preference] = made.preferences
    expect(await got(preference.update({ value: false }))).toMatchObject({ enabled: false })
    const condition = { '==': [{ var: 'payload.n' }, 7] }
    await got(preference.update({ value: true }))
    expect(await got(preference.update({ value: condition }))).toMatchObject({ enabled: true, condition })
    for (const n of [6, 7]) {
      await trigger(env, { name: 'order', to: { type: 'Topic', topicKey: 'orders' }, payload: { n, kind: 'x' } })
    }
    await h.drain()
    const { notifications } = await connect(version, env, 'ada')
    expect((await got(notifications.list())).notifications.map((it: Json) => it.subject)).toEqual(['Order 7'])

    expect(await got(subscriptions.list({ topicKey: 'orders' }))).toHaveLength(1)
    const asked = { topicKey: 'orders', identifier: made.identifier, workflowIds: ['order'] }
    expect((await got(subscriptions.get(asked))).preferences).toMatchObject([{ condition }])
    expect(await got(subscriptions.get({ topicKey: 'orders', identifier: 'none' }))).toBeNull()
    await got(made.update({ name: 'Mine' }))
    expect((await env.get(`/v2/topics/orders/subscriptions/${made.identifier}`)).body).toMatchObject({ name: 'Mine' })
    await got(made.delete())
    expect(await got(subscriptions.list({ topicKey: 'orders' }))).toEqual([])
  })

  test('what is new comes by itself, with the counts', async () => {
    const env = await start()
    const novu = await connect(version, env, 'ada')
    const heard: Json[] = []
    const counts: Json[] = []
    novu.on('notifications.notification_received', ({ result }: Json) => heard.push(result))
    novu.on('notifications.unread_count_changed', ({ result }: Json) => counts.push(result))
    // It connects with its first listener; the counts come as soon as it is there.
    await expect.poll(() => counts.length, { timeout: 5_000 }).toBeGreaterThan(0)
    await send(env, 7)
    await expect.poll(() => heard.length, { timeout: 5_000 }).toBe(1)
    expect(heard[0]).toMatchObject({ subject: 'Order 7', body: 'It is on its way', isRead: false })
    expect(heard[0].primaryAction).toMatchObject({ label: 'Track', isCompleted: false })
    await expect.poll(() => JSON.stringify(counts.at(-1))).toMatch(/^1$|"total":1,/)
  })

  test('a wrong hash is told, with the words of the service', async () => {
    const env = await start()
    const { Novu } = await import(`@novu/js-${version}`)
    const wrong = new Novu({
      applicationIdentifier: await identifierOf(env),
      subscriberId: 'ada',
      subscriberHash: hashOf('another key', 'ada'),
      backendUrl: h.url,
      socketUrl: h.url,
    })
    const { error } = await wrong.notifications.list()
    expect(String(error?.originalError ?? error)).toMatch(/subscriberHash|list/i)
  })
})

let dialectUrl: string | undefined
test.each(versions)('@novu/js %s on a server that speaks the dialect: as ever', async (version) => {
  dialectUrl ??= (await h.node({ VENDOR_NAMES: 'novu' })).url
  const env = await start()
  for (const n of [1, 2]) await send(env, n)
  await h.drain()
  const { notifications, preferences } = await connect(version, env, 'ada', dialectUrl)
  const { notifications: listed } = await got(notifications.list({}))
  expect(listed.map((it: Json) => it.subject)).toEqual(['Order 2', 'Order 1'])
  expect((await got(notifications.read({ notificationId: listed[0].id }))).isRead).toBe(true)
  expect((await got(notifications.count({ read: false }))).count).toBe(1)
  expect((await got(preferences.list()))[0].level).toBe('global')
})
