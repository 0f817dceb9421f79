import { expect, test } from 'vitest'
import { feedEnvironment, feedOf, fillFeed } from '../../../test/feed.ts'
import { useHarness } from '../../../test/harness.ts'

const h = useHarness({}, { worker: true })

test('marks everything in the feed, and says how many were not so before', async () => {
  const env = await feedEnvironment(h)
  const feed = feedOf(env)
  const ids = await fillFeed(h, env, 'ada', 5)
  await fillFeed(h, env, 'bob', 2)
  await feed.markAs(ids.slice(0, 2), 'read')
  const all = async (markAs: string) => {
    const { status, body } = await feed.markAll(markAs)
    return [status, body, await feed.counts()]
  }
  expect(await all('seen')).toEqual([201, 3, { unseen: 0, unread: 3 }])
  expect(await all('read')).toEqual([201, 3, { unseen: 0, unread: 0 }])
  expect(await all('read')).toEqual([201, 0, { unseen: 0, unread: 0 }])
  expect(await all('unread')).toEqual([201, 5, { unseen: 0, unread: 5 }])
  expect(await all('unseen')).toEqual([201, 5, { unseen: 5, unread: 5 }])
  for (const id of ids) expect(await feed.confirmations(id)).toHaveLength(1)
  expect(await feedOf(env, 'bob').counts()).toEqual({ unseen: 2, unread: 2 })
})

test('what is archived or snoozed is not in the feed and stays as it is', async () => {
  const env = await feedEnvironment(h)
  const feed = feedOf(env)
  const [archived = '', snoozed = '', shown = ''] = await fillFeed(h, env, 'ada', 3)
  await feed.patch(archived, 'archive')
  await feed.patch(snoozed, 'snooze', { snoozeUntil: '2126-01-01T00:00:00Z' })
  expect((await feed.markAll('read')).body).toBe(1)
  expect(await feed.message(shown)).toMatchObject({ read: true })
  for (const id of [archived, snoozed]) expect(await feed.message(id)).toMatchObject({ read: false, seen: false })
})

test('a feedIdentifier names a feed that no message is in', async () => {
  const env = await feedEnvironment(h)
  await fillFeed(h, env, 'ada', 1)
  for (const feedIdentifier of ['offers', ['offers', 'news']]) {
    expect((await feedOf(env).markAll('read', { feedIdentifier })).body).toBe(0)
  }
  expect((await feedOf(env).markAll('read', { feedIdentifier: [] })).body).toBe(1)
})

test('one environment never reaches into another, though the subscriberId is the same', async () => {
  const [env, other] = [await feedEnvironment(h), await feedEnvironment(h)]
  await fillFeed(h, env, 'ada', 2)
  await fillFeed(h, other, 'ada', 2)
  expect((await feedOf(env).markAll('read')).body).toBe(2)
  expect(await feedOf(other).counts()).toEqual({ unseen: 2, unread: 2 })
})

test('twenty at once: every message is marked by exactly one of them, and confirmed once', async () => {
  const env = await feedEnvironment(h)
  const feed = feedOf(env)
  const ids = await fillFeed(h, env, 'ada', 60)
  const replies = await Promise.all(Array.from({ length: 20 }, () => feed.markAll('read')))
  expect(replies.reduce((sum, { body }) => sum + body, 0)).toBe(60)
  expect(await feed.counts()).toEqual({ unseen: 0, unread: 0 })
  for (const id of ids.slice(0, 10)) expect(await feed.confirmations(id)).toHaveLength(1)
})
