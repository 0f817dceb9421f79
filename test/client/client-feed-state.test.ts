import { describe, expect, test } from 'vitest'
import { feedEnvironment, fillFeed } from '../feed.ts'
import { useHarness } from '../harness.ts'
import { refused, time, versions } from './client-versions.ts'
import { notCalled } from './every-operation.ts'

/** What people do with their feed, through the published client: it judges every reply by schemas of its own. */
const h = useHarness({ VENDOR_NAMES: 'novu' }, { worker: true })

const subscriberId = 'ada'
const snoozeUntil = new Date('2126-01-01T00:00:00.000Z')

describe.each(versions)('@novu/api $version', ({ open, errors, operations }) => {
  const succeeded = new Set<string>()
  const onSuccess = (method: string, path: string) => succeeded.add(`${method} ${path}`)

  async function start(count: number) {
    const env = await feedEnvironment(h)
    const client = open({ serverURL: h.url, secretKey: env.key, onSuccess })
    const ids = await fillFeed(h, env, subscriberId, count)
    const unseen = async () => (await client.subscribers.notifications.unseenCount({ subscriberId })).result.count
    return { env, client, ids, unseen, id: ids[0] ?? '' }
  }

  test('markAllAs marks the named, markAll the whole feed; unseenCount', async () => {
    const { client, ids, id, unseen } = await start(3)
    expect(await unseen()).toBe(3)
    const marked = await client.subscribers.messages.markAllAs(
      { messageId: ids.slice(0, 2), markAs: 'read' },
      subscriberId,
    )
    expect(marked.result.map((it) => it.id).toSorted()).toEqual(ids.slice(0, 2).toSorted())
    expect(marked.result[0]).toMatchObject({ read: true, seen: true, lastReadDate: time, lastSeenDate: time })
    expect(await unseen()).toBe(1)
    const one = await client.subscribers.messages.markAllAs({ messageId: id, markAs: 'unseen' }, subscriberId)
    expect(one.result).toMatchObject([{ id, read: false, seen: false }])
    expect((await client.subscribers.messages.markAll({ markAs: 'seen' }, subscriberId)).result).toBe(2)
    expect(await unseen()).toBe(0)
    const seen = await client.subscribers.notifications.unseenCount({ subscriberId, seen: true, limit: 2 })
    expect(seen.result.count).toBe(2)

    const { result } = await client.notifications.list({ transactionId: marked.result[0]?.transactionId })
    const lines = result.data.flatMap((event) => event.jobs ?? []).flatMap((job) => job.executionDetails)
    expect(lines.map((line) => line.status)).toContain('ReadConfirmation')
    const nobody = client.subscribers.messages.markAll({ markAs: 'seen' }, 'nobody')
    await refused(nobody, errors.ErrorDto, 'subscriber_not_found')
  })

  test('updateAsSeen: the answer to a button', async () => {
    const { client, id } = await start(1)
    const { result } = await client.subscribers.messages.updateAsSeen({
      subscriberId,
      messageId: id,
      type: 'primary',
      markMessageActionAsSeenDto: { status: 'done', payload: {} },
    })
    expect(result).toMatchObject({ id, read: true, cta: { action: { status: 'done', result: { type: 'primary' } } } })
    const { result: feed } = await client.subscribers.notifications.feed({ subscriberId })
    expect(feed.data[0]?.cta.action).toMatchObject({ status: 'done', result: { type: 'primary', payload: {} } })
  })

  test('the newest: every change of one notification', async () => {
    const { client, id } = await start(1)
    const { notifications } = client.subscribers
    if (!('snooze' in notifications)) return
    const named = { subscriberId, notificationId: id }
    const read = await notifications.markAsRead(named)
    expect(read.result).toMatchObject({ id, isRead: true, isSeen: true, readAt: time, firstSeenAt: time })
    expect((await notifications.markAsUnread(named)).result).toMatchObject({ isRead: false, isSeen: true })
    expect((await notifications.archive(named)).result).toMatchObject({ isArchived: true, archivedAt: time })
    expect((await notifications.unarchive(named)).result).toMatchObject({ isArchived: false, archivedAt: null })
    const snoozed = await notifications.snooze({ ...named, snoozeSubscriberNotificationDto: { snoozeUntil } })
    expect(snoozed.result).toMatchObject({ isSnoozed: true, snoozedUntil: snoozeUntil.toISOString() })
    expect((await notifications.unsnooze(named)).result).toMatchObject({ isSnoozed: false, deliveredAt: [time, time] })
    const messages = await client.messages.retrieve({ subscriberId })
    expect(messages.result.data[0]?.deliveredAt).toHaveLength(2)
    const pressed = await notifications.completeAction({ ...named, actionType: 'primary' })
    expect(pressed.result.primaryAction).toEqual({
      label: 'Yes',
      isCompleted: true,
      redirect: { url: '/yes/0', target: '_blank' },
    })
    const back = await notifications.revertAction({ ...named, actionType: 'primary' })
    expect(back.result.primaryAction?.isCompleted).toBe(false)
    await notifications.delete(named)
    await refused(notifications.delete(named), errors.ErrorDto, 'message_not_found')
    const past = { snoozeUntil: new Date(0) }
    const late = notifications.snooze({ ...named, snoozeSubscriberNotificationDto: past })
    await refused(late, errors.ValidationErrorDto, 'validation_failed')
  })

  test('the newest: the list, the counts, and changes of many', async () => {
    const { client, ids, id } = await start(4)
    const { notifications } = client.subscribers
    if (!('snooze' in notifications)) return
    const filters = JSON.stringify([{ read: false }, { seen: false }, { archived: true }])
    const counts = async () => (await notifications.count(subscriberId, filters)).result.map((it) => it.count)
    expect(await counts()).toEqual([4, 4, 0])
    await notifications.markAsSeen({ notificationIds: ids.slice(0, 2) }, subscriberId)
    expect(await counts()).toEqual([4, 2, 0])
    await notifications.markAsRead({ subscriberId, notificationId: id })
    await notifications.archiveAllRead({}, subscriberId)
    expect(await counts()).toEqual([3, 2, 1])
    await notifications.markAllAsRead({ tags: {}, data: '{"a":1}' }, subscriberId)
    expect(await counts()).toEqual([3, 2, 1])
    await notifications.markAllAsRead({ tags: {}, data: '{}' }, subscriberId)
    expect(await counts()).toEqual([0, 0, 1])
    const { result: list } = await notifications.list({
      subscriberId,
      limit: 2,
      read: true,
      seen: true,
      archived: false,
      snoozed: false,
      severity: ['high'],
      createdGte: 0,
    })
    expect(list).toMatchObject({ hasMore: true, data: [{ isRead: true, severity: 'high' }, { channelType: 'in_app' }] })
    const rest = await notifications.list({ subscriberId, limit: 2, after: String(list.data[1]?.id) })
    expect(rest.result).toMatchObject({ hasMore: false, data: [{ to: { subscriberId } }] })
    await notifications.archiveAll({}, subscriberId)
    expect(await counts()).toEqual([0, 0, 4])
    await notifications.deleteAll({}, subscriberId)
    expect(await counts()).toEqual([0, 0, 0])
  })

  test('every operation of these was called above', () => {
    expect(notCalled('client-feed-state.test.ts', { operations, routes: h.routes, succeeded })).toEqual([])
  })
})
