import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { feedEnvironment, feedOf, fillFeed } from '../../../test/feed.ts'
import { type Json, useHarness } from '../../../test/harness.ts'
import { makeSubscribers } from '../../../test/pipeline.ts'

const h = useHarness({}, { worker: true })
const realClock = () => new Date()
afterEach(() => {
  h.ctx.clock = realClock
})
const at = (time: string) => {
  h.ctx.clock = () => new Date(time)
  return time
}

describe('POST /v1/subscribers/{subscriberId}/messages/mark-as', () => {
  test('read is seen too; unread stays seen; unseen is unread; each with its dates', async () => {
    const env = await feedEnvironment(h)
    const feed = feedOf(env)
    const [id = ''] = await fillFeed(h, env, 'ada', 1)
    expect(await feed.counts()).toEqual({ unseen: 1, unread: 1 })
    expect(await feed.message(id)).not.toHaveProperty('lastSeenDate')

    const seen = at('2126-01-01T00:00:00.000Z')
    const { status, body } = await feed.markAs(id, 'seen')
    expect(status).toBe(201)
    expect(body).toMatchObject([{ _id: id, seen: true, read: false, lastSeenDate: seen }])
    expect(body[0]).not.toHaveProperty('lastReadDate')
    expect(await feed.counts()).toEqual({ unseen: 0, unread: 1 })

    const read = at('2126-01-02T00:00:00.000Z')
    expect((await feed.markAs([id], 'read')).body).toMatchObject([
      { seen: true, read: true, lastSeenDate: seen, lastReadDate: read },
    ])
    expect(await feed.counts()).toEqual({ unseen: 0, unread: 0 })

    at('2126-01-03T00:00:00.000Z')
    expect((await feed.markAs(id, 'unread')).body).toMatchObject([{ seen: true, read: false, lastReadDate: read }])
    expect(await feed.counts()).toEqual({ unseen: 0, unread: 1 })
    await feed.markAs(id, 'read')
    expect((await feed.markAs(id, 'unseen')).body).toMatchObject([{ seen: false, read: false, lastSeenDate: seen }])
    expect(await feed.counts()).toEqual({ unseen: 1, unread: 1 })

    const again = at('2126-01-04T00:00:00.000Z')
    expect((await feed.markAs(id, 'read')).body).toMatchObject([{ lastSeenDate: again, lastReadDate: again }])
    expect(await feed.ids('read=true&seen=true')).toEqual([id])
  })

  test('what is so already is left as it is', async () => {
    const env = await feedEnvironment(h)
    const feed = feedOf(env)
    const [id = ''] = await fillFeed(h, env, 'ada', 1)
    at('2126-01-01T00:00:00.000Z')
    await feed.markAs(id, 'read')
    const [before] = (await env.get('/v1/subscribers/ada/notifications/feed')).body.data
    expect(before.updatedAt).toBe('2126-01-01T00:00:00.000Z')
    at('2126-01-02T00:00:00.000Z')
    for (const markAs of ['read', 'seen']) {
      expect((await feed.markAs(id, markAs)).body).toMatchObject([{ lastReadDate: '2126-01-01T00:00:00.000Z' }])
    }
    expect((await env.get('/v1/subscribers/ada/notifications/feed')).body.data).toEqual([before])
  })

  test('the first reading is confirmed once in the history of its event, whatever is marked afterwards', async () => {
    const env = await feedEnvironment(h)
    const feed = feedOf(env)
    const ids = await fillFeed(h, env, 'ada', 3)
    const [first = '', second = '', third = ''] = ids
    await feed.markAs(ids, 'seen')
    expect(await feed.confirmations(first)).toEqual([])
    const time = at('2126-01-01T00:00:00.000Z')
    await feed.markAs([first, second], 'read')
    at('2126-01-02T00:00:00.000Z')
    await feed.markAs([first, second], 'unread')
    await feed.markAs([first, second], 'read')
    for (const id of [first, second]) {
      expect(await feed.confirmations(id)).toEqual([
        {
          _id: expect.any(String),
          createdAt: time,
          status: 'ReadConfirmation',
          detail: 'Message read',
          isRetry: false,
          isTest: false,
          providerId: 'platform',
          source: 'Internal',
        },
      ])
    }
    expect(await feed.confirmations(third)).toEqual([])
    const { body } = await env.get(`/v1/notifications/${(await feed.message(first))._notificationId}`)
    expect(body.jobs[0].executionDetails.at(-2).detail).toBe('Message sent')
    expect([body.jobs[0].status, body.updatedAt]).toEqual(['completed', time])
  })

  test('ids that are unknown, malformed, of somebody else or of another environment are passed over', async () => {
    const [env, other] = [await feedEnvironment(h), await feedEnvironment(h)]
    const [mine = ''] = await fillFeed(h, env, 'ada', 1)
    const [bobs = ''] = await fillFeed(h, env, 'bob', 1)
    const [foreign = ''] = await fillFeed(h, other, 'ada', 1)
    const unknown = `${mine.slice(0, -4)}${mine.endsWith('0000') ? '1111' : '0000'}`
    const { status, body } = await feedOf(env).markAs([bobs, foreign, unknown, 'x', mine.toUpperCase(), mine], 'read')
    expect([status, body.map((it: Json) => it._id)]).toEqual([201, [mine]])
    expect((await feedOf(env).markAs(bobs, 'read')).body).toEqual([])
    expect((await feedOf(env).markAs('x', 'read')).body).toEqual([])
    for (const feed of [feedOf(env, 'bob'), feedOf(other)]) {
      expect(await feed.counts()).toEqual({ unseen: 1, unread: 1 })
    }
    expect(await feedOf(env, 'bob').confirmations(bobs)).toEqual([])
    expect(await feedOf(other).confirmations(foreign)).toEqual([])
  })

  test('404 for a subscriber that is unknown or deleted', async () => {
    const env = await h.environment()
    await makeSubscribers(env, ['eve'])
    await env.delete('/v2/subscribers/eve')
    for (const id of ['nobody', 'eve']) {
      expect((await feedOf(env, id).markAs('x', 'read')).body.code).toBe('subscriber_not_found')
    }
  })

  test('messages of other channels are not in the feed and cannot be marked', async () => {
    const env = await feedEnvironment(h)
    const [id = ''] = await fillFeed(h, env, 'ada', 1)
    await sql`update message set channel = 'email' where id = ${id}`.execute(h.admin)
    expect((await feedOf(env).markAs(id, 'read')).body).toEqual([])
    expect(await feedOf(env).message(id)).toMatchObject({ read: false })
  })

  test('fifty at once over the same messages, in any order: every count is exact, every reading confirmed once', async () => {
    const env = await feedEnvironment(h)
    const feed = feedOf(env)
    const ids = await fillFeed(h, env, 'ada', 40)
    // Each call marks 25 of the same 30 messages; the other 10 stay as they are.
    const calls = Array.from({ length: 50 }, (_, call) => {
      const named = Array.from({ length: 25 }, (_, n) => ids[(call * 7 + n * 11) % 30] ?? '')
      return feed.markAs(call % 2 ? named : named.toReversed(), call % 5 === 0 ? 'seen' : 'read')
    })
    for (const { status, body } of await Promise.all(calls)) {
      expect(status).toBe(201)
      expect(body.every((it: Json) => it.seen)).toBe(true)
    }
    expect(await feed.counts()).toEqual({ unseen: 10, unread: 10 })
    expect(await feed.ids('read=false')).toEqual(ids.slice(30))
    for (const id of ids.slice(0, 30)) expect(await feed.confirmations(id)).toHaveLength(1)
    for (const id of ids.slice(30)) expect(await feed.confirmations(id)).toEqual([])
  })

  test('read and unread against each other: the counts say what the messages say', async () => {
    const env = await feedEnvironment(h)
    const feed = feedOf(env)
    const ids = await fillFeed(h, env, 'ada', 20)
    const marks = ['read', 'unread', 'seen', 'unseen']
    const calls = Array.from({ length: 48 }, (_, call) =>
      feed.markAs(call % 2 ? ids : ids.toReversed(), marks[call % 4] ?? ''),
    )
    expect(new Set((await Promise.all(calls)).map((reply) => reply.status))).toEqual(new Set([201]))
    const { body } = await env.get('/v1/messages?subscriberId=ada&limit=100')
    const unread = body.data.filter((it: Json) => !it.read).length
    const unseen = body.data.filter((it: Json) => !it.seen).length
    expect(await feed.counts()).toEqual({ unseen, unread })
    expect(body.data.filter((it: Json) => it.read && !it.seen)).toEqual([])
    for (const id of ids.slice(0, 5)) expect(await feed.confirmations(id)).toHaveLength(1)
  })
})
