import { afterEach, expect, test } from 'vitest'
import { feedEnvironment, feedOf, fillFeed } from '../../../test/feed.ts'
import { type Client, useHarness } from '../../../test/harness.ts'

const h = useHarness({}, { worker: true })
afterEach(() => {
  h.ctx.clock = () => new Date()
})

const minute = 60_000
/** Minutes from the start of this file. */
const start = Date.now()
const at = (minutes: number) => new Date(start + minutes * minute)
const iso = (minutes: number) => at(minutes).toISOString()
const goTo = (minutes: number) => {
  h.ctx.clock = () => at(minutes)
}

async function oneMessage(): Promise<{ env: Client; id: string; feed: ReturnType<typeof feedOf>; created: string }> {
  const env = await feedEnvironment(h)
  const [id = ''] = await fillFeed(h, env, 'ada', 1)
  const feed = feedOf(env)
  return { env, id, feed, created: (await feed.message(id)).createdAt }
}

test('out of the feed until the very moment, without anything running in between; then it is delivered again', async () => {
  const { env, id, feed, created } = await oneMessage()
  const show = async () =>
    (await env.get(`/v2/subscribers/ada/notifications?${(await feed.ids()).length ? '' : 'snoozed=true'}`)).body.data[0]
  goTo(10)
  const { status, body } = await feed.patch(id, 'snooze', { snoozeUntil: iso(60) })
  expect(status).toBe(200)
  expect(body).toMatchObject({ id, isSnoozed: true, snoozedUntil: iso(60), deliveredAt: [created], isRead: false })

  goTo(60 - 1 / minute)
  expect([await feed.ids(), await feed.ids('snoozed=true')]).toEqual([[], [id]])
  expect(await feed.counts()).toEqual({ unseen: 0, unread: 0 })
  expect(await feed.message(id)).toMatchObject({ snoozedUntil: iso(60), deliveredAt: [created] })
  expect(await show()).toMatchObject({ isSnoozed: true, snoozedUntil: iso(60) })

  goTo(60)
  expect([await feed.ids(), await feed.ids('snoozed=true')]).toEqual([[id], []])
  expect(await feed.counts()).toEqual({ unseen: 1, unread: 1 })
  const message = await feed.message(id)
  expect(message.deliveredAt).toEqual([created, iso(60)])
  expect(message).not.toHaveProperty('snoozedUntil')
  expect(await show()).toMatchObject({ isSnoozed: false, snoozedUntil: null, deliveredAt: [created, iso(60)] })
})

test('unsnoozed before its time: delivered at that moment, and not once more when the time comes', async () => {
  const { id, feed, created } = await oneMessage()
  goTo(10)
  await feed.patch(id, 'snooze', { snoozeUntil: iso(60) })
  goTo(20)
  const { body } = await feed.patch(id, 'unsnooze')
  expect(body).toMatchObject({ isSnoozed: false, snoozedUntil: null, deliveredAt: [created, iso(20)] })
  expect(await feed.ids()).toEqual([id])
  goTo(61)
  expect((await feed.patch(id, 'unsnooze')).body.deliveredAt).toEqual([created, iso(20)])
})

test('again and again: every delivery is kept, in order', async () => {
  const { id, feed, created } = await oneMessage()
  const snooze = (until: number) => feed.patch(id, 'snooze', { snoozeUntil: iso(until) })
  goTo(10)
  await snooze(20)
  // Moved before minute 20 came, so nothing is delivered then.
  await snooze(30)
  goTo(40)
  // It was delivered at minute 30; unsnoozing changes nothing.
  expect((await feed.patch(id, 'unsnooze')).body.deliveredAt).toEqual([created, iso(30)])
  await snooze(50)
  expect((await feed.message(id)).deliveredAt).toEqual([created, iso(30)])
  goTo(45)
  await feed.patch(id, 'unsnooze')
  await snooze(60)
  goTo(60)
  expect((await feed.message(id)).deliveredAt).toEqual([created, iso(30), iso(45), iso(60)])
  await snooze(70)
  expect(await feed.message(id)).toMatchObject({
    snoozedUntil: iso(70),
    deliveredAt: [created, iso(30), iso(45), iso(60)],
  })
})

test('unsnoozed by twenty at once: one delivery', async () => {
  const { id, feed } = await oneMessage()
  goTo(10)
  await feed.patch(id, 'snooze', { snoozeUntil: iso(60) })
  const replies = await Promise.all(Array.from({ length: 20 }, () => feed.patch(id, 'unsnooze')))
  expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200]))
  expect((await feed.message(id)).deliveredAt).toHaveLength(2)
})

test('seen, read and archived stay as they are', async () => {
  const { id, feed } = await oneMessage()
  await feed.markAs(id, 'read')
  await feed.patch(id, 'archive')
  goTo(10)
  const flags = { isRead: true, isSeen: true, isArchived: true }
  expect((await feed.patch(id, 'snooze', { snoozeUntil: iso(60) })).body).toMatchObject({ ...flags, isSnoozed: true })
  expect((await feed.patch(id, 'unsnooze')).body).toMatchObject({ ...flags, isSnoozed: false })
})

test('422 for a time that is now or past, or no time', async () => {
  const { id, feed } = await oneMessage()
  goTo(10)
  for (const snoozeUntil of [iso(10), iso(9), '2026-13-01T00:00:00Z', '', '10000-01-01T00:00:00Z']) {
    const { status, body } = await feed.patch(id, 'snooze', { snoozeUntil })
    expect([status, Object.keys(body.errors ?? {})], snoozeUntil).toEqual([422, ['snoozeUntil']])
  }
  expect((await feed.patch(id, 'snooze', { snoozeUntil: '9999-12-31T23:59:59Z' })).status).toBe(200)
})
