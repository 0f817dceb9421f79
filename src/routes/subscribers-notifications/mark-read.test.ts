import { afterEach, expect, test } from 'vitest'
import { feedEnvironment, feedOf, fillFeed } from '../../../test/feed.ts'
import { useHarness } from '../../../test/harness.ts'

const h = useHarness({}, { worker: true })
afterEach(() => {
  h.ctx.clock = () => new Date()
})

test('one: read, unread and read again', async () => {
  const env = await feedEnvironment(h)
  const feed = feedOf(env)
  const [id = ''] = await fillFeed(h, env, 'ada', 1)
  const first = '2126-01-01T00:00:00.000Z'
  h.ctx.clock = () => new Date(first)
  const { status, body } = await feed.patch(id, 'read')
  expect([status, body]).toMatchObject([200, { id, isRead: true, isSeen: true, readAt: first, firstSeenAt: first }])
  expect(await feed.confirmations(id)).toHaveLength(1)
  h.ctx.clock = () => new Date('2126-01-02T00:00:00.000Z')
  expect((await feed.patch(id, 'unread')).body).toMatchObject({ isRead: false, isSeen: true, readAt: null })
  expect(await feed.counts()).toEqual({ unseen: 0, unread: 1 })
  expect((await feed.patch(id, 'read')).body).toMatchObject({
    readAt: '2126-01-02T00:00:00.000Z',
    firstSeenAt: first,
  })
  expect(await feed.confirmations(id)).toHaveLength(1)
})

const verbs = ['read', 'unread', 'archive', 'unarchive', 'snooze', 'unsnooze', 'actions/primary/complete']
test.each(verbs)(
  '404 to %s what is unknown, of somebody else, or of another context; nothing happens to it',
  async (verb) => {
    const [env, foreign] = [await feedEnvironment(h), await feedEnvironment(h)]
    const [bobs = ''] = await fillFeed(h, env, 'bob', 1)
    const [theirs = ''] = await fillFeed(h, foreign, 'ada', 1)
    const [mine = ''] = await fillFeed(h, env, 'ada', 1, { context: { team: 't1' } })
    const body = verb === 'snooze' ? { snoozeUntil: '2126-01-01T00:00:00Z' } : undefined
    const before = [await feedOf(env, 'bob').message(bobs), await feedOf(foreign).message(theirs)]
    for (const id of [bobs, theirs, 'x', crypto.randomUUID()]) {
      expect((await feedOf(env).patch(id, verb, body)).body.code, id).toBe('message_not_found')
    }
    expect((await feedOf(env).patch(mine, `${verb}?contextKeys=team:t2`, body)).body.code).toBe('message_not_found')
    expect((await feedOf(env).patch(mine, `${verb}?contextKeys=team:t1`, body)).status).toBe(200)
    expect((await feedOf(env, 'nobody').patch(mine, verb, body)).body.code).toBe('subscriber_not_found')
    expect([await feedOf(env, 'bob').message(bobs), await feedOf(foreign).message(theirs)]).toEqual(before)
  },
)

test('all: read, what the filter finds', async () => {
  const env = await feedEnvironment(h)
  const feed = feedOf(env)
  await fillFeed(h, env, 'ada', 2)
  const ids = await fillFeed(h, env, 'ada', 1, { context: { team: 't1' } })
  expect(await feed.all('read', { contextKeys: ['team:t1'] })).toMatchObject({ status: 204, text: '' })
  expect(await feed.ids('read=true')).toEqual([ids[2]])
  await feed.all('read', { data: '{"a":1}' })
  await feed.all('read', { tags: ['offers'] })
  expect(await feed.counts()).toEqual({ unseen: 2, unread: 2 })
  await feed.all('read', { tags: { and: [{ or: ['news'] }, { or: ['sport'] }] } })
  expect(await feed.counts()).toEqual({ unseen: 0, unread: 0 })
  for (const id of ids) expect(await feed.confirmations(id)).toHaveLength(1)
})

test('seen: those named, also archived ones; or the feed', async () => {
  const env = await feedEnvironment(h)
  const feed = feedOf(env)
  const ids = await fillFeed(h, env, 'ada', 4)
  const [bobs = ''] = await fillFeed(h, env, 'bob', 1)
  await feed.patch(ids[0] ?? '', 'archive')
  await feed.all('seen', { notificationIds: [] })
  expect(await feed.counts()).toEqual({ unseen: 3, unread: 3 })
  await feed.all('seen', { notificationIds: [ids[0], ids[1], bobs, 'x'] })
  expect([await feed.ids('seen=true'), await feed.ids('seen=true&archived=true')]).toEqual([[ids[1]], [ids[0]]])
  await feed.all('seen')
  expect(await feed.counts()).toEqual({ unseen: 0, unread: 3 })
  expect(await feedOf(env, 'bob').counts()).toEqual({ unseen: 1, unread: 1 })
})
