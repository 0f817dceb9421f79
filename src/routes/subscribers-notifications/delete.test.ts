import { expect, test } from 'vitest'
import { feedEnvironment, feedOf, fillFeed } from '../../../test/feed.ts'
import { useHarness } from '../../../test/harness.ts'

const h = useHarness({}, { worker: true })

test('one is gone from the feed and the messages; the history of its event stays', async () => {
  const [env, foreign] = [await feedEnvironment(h), await feedEnvironment(h)]
  const [first = '', second = ''] = await fillFeed(h, env, 'ada', 2)
  const [bobs = ''] = await fillFeed(h, env, 'bob', 1)
  const [theirs = ''] = await fillFeed(h, foreign, 'ada', 1)
  const { _notificationId } = await feedOf(env).message(first)
  const path = '/v2/subscribers/ada/notifications'
  expect(await env.delete(`${path}/${first}`)).toMatchObject({ status: 204, text: '' })
  expect([await feedOf(env).ids(), await feedOf(env).counts()]).toEqual([[second], { unseen: 1, unread: 1 }])
  expect(await feedOf(env).message(first)).toBeUndefined()
  expect((await env.get(`/v1/notifications/${_notificationId}`)).body.jobs[0]).toMatchObject({ status: 'completed' })
  for (const id of [first, bobs, theirs, 'x']) {
    expect((await env.delete(`${path}/${id}`)).body.code, id).toBe('message_not_found')
  }
  expect(await feedOf(env, 'bob').ids()).toEqual([bobs])
  expect(await feedOf(foreign).ids()).toEqual([theirs])
})

test('all, archived and snoozed ones too, or what the filter finds', async () => {
  const env = await feedEnvironment(h)
  const feed = feedOf(env)
  const [archived = '', snoozed = ''] = await fillFeed(h, env, 'ada', 3)
  const [bobs = ''] = await fillFeed(h, env, 'bob', 1)
  await feed.patch(archived, 'archive')
  await feed.patch(snoozed, 'snooze', { snoozeUntil: '2126-01-01T00:00:00Z' })
  await feed.all('delete', { tags: ['offers'] })
  await feed.all('delete', { contextKeys: ['team:t1'] })
  expect((await env.get('/v1/messages?subscriberId=ada')).body.totalCount).toBe(3)
  expect((await feed.all('delete', { tags: ['news'] })).status).toBe(204)
  expect((await env.get('/v1/messages?subscriberId=ada')).body.totalCount).toBe(0)
  expect(await feedOf(env, 'bob').ids()).toEqual([bobs])
})
