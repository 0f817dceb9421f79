import { afterEach, expect, test } from 'vitest'
import { feedEnvironment, feedOf, fillFeed } from '../../../test/feed.ts'
import { useHarness } from '../../../test/harness.ts'

const h = useHarness({}, { worker: true })
afterEach(() => {
  h.ctx.clock = () => new Date()
})

test('archived: out of the feed and its counts, to be found when asked for; neither seen nor read by that', async () => {
  const env = await feedEnvironment(h)
  const feed = feedOf(env)
  const [id = '', other = ''] = await fillFeed(h, env, 'ada', 2)
  h.ctx.clock = () => new Date('2126-01-01T00:00:00.000Z')
  const archivedAt = '2126-01-01T00:00:00.000Z'
  const { status, body } = await feed.patch(id, 'archive')
  expect([status, body]).toMatchObject([200, { id, isArchived: true, archivedAt, isRead: false, isSeen: false }])
  expect([await feed.ids(), await feed.ids('archived=true')]).toEqual([[other], [id]])
  const [item] = (await env.get('/v1/subscribers/ada/notifications/feed?archived=true')).body.data
  expect(item).toMatchObject({ _id: id, archived: true })
  expect(await feed.counts()).toEqual({ unseen: 1, unread: 1 })
  h.ctx.clock = () => new Date('2126-01-02T00:00:00.000Z')
  expect((await feed.patch(id, 'archive')).body.archivedAt).toBe(archivedAt)
  expect((await feed.patch(id, 'unarchive')).body).toMatchObject({ isArchived: false, archivedAt: null })
  expect(await feed.ids()).toEqual([id, other])
  expect(await feed.counts()).toEqual({ unseen: 2, unread: 2 })
})

test('all of the feed, what is read of it, or what the filter finds', async () => {
  const env = await feedEnvironment(h)
  const feed = feedOf(env)
  const ids = await fillFeed(h, env, 'ada', 4)
  await fillFeed(h, env, 'bob', 1)
  await feed.markAs(ids.slice(0, 2), 'read')
  await feed.patch(ids[1] ?? '', 'snooze', { snoozeUntil: '2126-01-01T00:00:00Z' })
  expect((await feed.all('archive', { tags: ['offers'] })).status).toBe(204)
  expect((await feed.all('read-archive', { contextKeys: ['team:t1'] })).status).toBe(204)
  expect(await feed.ids('archived=true')).toEqual([])
  await feed.all('read-archive', { tags: ['news'] })
  expect(await feed.ids('archived=true')).toEqual([ids[0]])
  await feed.all('archive')
  expect(await feed.ids('archived=true')).toEqual([ids[0], ids[2], ids[3]])
  expect([await feed.ids(), await feed.ids('snoozed=true')]).toEqual([[], [ids[1]]])
  expect(await feedOf(env, 'bob').counts()).toEqual({ unseen: 1, unread: 1 })
})
