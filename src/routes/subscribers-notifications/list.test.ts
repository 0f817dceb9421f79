import { beforeAll, describe, expect, test } from 'vitest'
import { feedEnvironment, feedOf, fillFeed } from '../../../test/feed.ts'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'

/** The list and the count take the same filters: what one shows, the other counts. */
const h = useHarness({}, { worker: true })
const path = '/v2/subscribers/ada/notifications'

let env: Client
/** Oldest first: 0 to 5 of the workflow `hello` (tags news and sport, high), 6 and 7 of `offer` (tag offers, none). */
let ids: string[]

beforeAll(async () => {
  env = await feedEnvironment(h)
  const data = { kind: '{{ payload.kind }}', fixed: { a: 1 } }
  const steps = [{ name: 'x', type: 'in_app', controlValues: { subject: 'Offer', body: 'Buy', data } }]
  await makeWorkflow(env, 'offer', { steps, tags: ['offers', 'news'] })
  await fillFeed(h, env, 'ada', 5)
  await fillFeed(h, env, 'ada', 1, { context: { team: 't1', project: 'p1' } })
  await trigger(env, { name: 'offer', to: 'ada', payload: { kind: 'book' } })
  await trigger(env, { name: 'offer', to: 'ada', payload: { kind: 'film' } })
  ids = await fillFeed(h, env, 'ada', 0)
  await fillFeed(h, env, 'bob', 1)
  const feed = feedOf(env)
  await feed.markAs([ids[0] ?? '', ids[1] ?? ''], 'read')
  await feed.markAs(ids[2] ?? '', 'seen')
  await feed.patch(ids[3] ?? '', 'archive')
  await feed.patch(ids[4] ?? '', 'snooze', { snoozeUntil: '2126-01-01T00:00:00Z' })
})

const places = (body: Json): number[] => body.data.map((it: Json) => ids.indexOf(it.id)).toReversed()
const query = (filter: Json) => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries<Json>(filter)) {
    for (const one of [value].flat())
      parameters.append(name, typeof one === 'object' ? JSON.stringify(one) : String(one))
  }
  return parameters.toString()
}
const counted = (filters: unknown) => env.get(`${path}/count?filters=${encodeURIComponent(JSON.stringify(filters))}`)

describe('GET /v2/subscribers/{subscriberId}/notifications, and the count', () => {
  const time = (n: number) => Number.parseInt((ids[n] ?? '').replace('-', '').slice(0, 12), 16)

  test.each<[Json | (() => Json), number[]]>([
    [{}, [0, 1, 2, 5, 6, 7]],
    [{ read: true }, [0, 1]],
    [{ read: false }, [2, 5, 6, 7]],
    [{ seen: true }, [0, 1, 2]],
    [{ seen: false }, [5, 6, 7]],
    [{ read: false, seen: true }, [2]],
    [{ read: true, seen: false }, []],
    [{ archived: true }, [3]],
    [{ snoozed: true }, [4]],
    [{ archived: true, snoozed: true }, []],
    [{ tags: ['offers'] }, [6, 7]],
    [{ tags: ['sport', 'offers'] }, [0, 1, 2, 5, 6, 7]],
    [{ tags: ['unknown'] }, []],
    [{ severity: ['high'] }, [0, 1, 2, 5]],
    [{ severity: ['none', 'low'] }, [6, 7]],
    [{ data: { kind: 'film' } }, [7]],
    [{ data: { fixed: { a: 1 } } }, [6, 7]],
    [{ data: { fixed: { a: 2 } } }, []],
    [{ contextKeys: ['team:t1', 'project:p1'] }, [5]],
    [{ contextKeys: ['team:t1'] }, []],
    [() => ({ createdGte: time(6) }), [6, 7]],
    [() => ({ createdGte: time(5), createdLte: time(6) }), [5, 6]],
    [() => ({ createdLte: time(0) - 1 }), []],
  ])('%j', async (given, expected) => {
    const filter = typeof given === 'function' ? given() : given
    const { status, body } = await env.get(`${path}?limit=100&${query(filter)}`)
    expect([status, places(body), body.hasMore]).toEqual([200, expected, false])
    expect((await counted([filter])).body).toEqual([{ count: expected.length, filter }])
  })

  test('each says what the person is shown', async () => {
    const { body } = await env.get(`${path}?limit=1`)
    expect(body).toMatchObject({ hasMore: true, filter: {} })
    expect(body.data[0]).toEqual({
      id: ids[7],
      transactionId: expect.any(String),
      subject: 'Offer',
      body: 'Buy',
      to: { id: expect.any(String), subscriberId: 'ada' },
      isRead: false,
      isSeen: false,
      isArchived: false,
      isSnoozed: false,
      snoozedUntil: null,
      deliveredAt: [body.data[0].createdAt],
      createdAt: expect.any(String),
      readAt: null,
      firstSeenAt: null,
      archivedAt: null,
      channelType: 'in_app',
      tags: ['offers', 'news'],
      data: { kind: 'film', fixed: { a: 1 } },
      workflow: {
        id: expect.any(String),
        identifier: 'offer',
        name: 'offer',
        critical: false,
        tags: ['offers', 'news'],
        severity: 'none',
      },
      severity: 'none',
    })
  })

  test('pages by offset and after the last one seen', async () => {
    const page = async (text: string) => {
      const { body } = await env.get(`${path}?${text}`)
      return [places(body), body.hasMore]
    }
    expect(await page('limit=2')).toEqual([[6, 7], true])
    expect(await page('limit=2&offset=2')).toEqual([[2, 5], true])
    expect(await page('limit=2&offset=4')).toEqual([[0, 1], false])
    expect(await page('limit=2&offset=9000000000000000000')).toEqual([[], false])
    expect(await page(`limit=2&after=${ids[6]}`)).toEqual([[2, 5], true])
    expect(await page(`limit=2&after=${ids[2]}`)).toEqual([[0, 1], false])
    expect((await env.get(`${path}?after=x`)).body.code).toBe('invalid_cursor')
  })

  test.each([
    'limit=0',
    'limit=101',
    'offset=-1',
    'read=maybe',
    'severity=worst',
    'createdGte=soon',
    'createdLte=281474976710656',
    'data=x',
    'data=[]',
    'data={"a":"%5Cu0000"}',
  ])('422: %s', async (text) => {
    const { status, body } = await env.get(`${path}?${text}`)
    expect([status, Object.keys(body.errors)]).toEqual([
      422,
      [text.split('=')[0] === 'severity' ? 'severity.0' : text.split('=')[0]],
    ])
  })

  test('many counts at once, in the order asked; tags also as groups of which each must hold', async () => {
    const filters = [
      { read: false },
      {},
      { tags: { and: [{ or: ['sport', 'offers'] }, { or: ['offers'] }] } },
      { tags: {} },
    ]
    expect((await counted(filters)).body.map((it: Json) => it.count)).toEqual([4, 6, 2, 6])
  })

  test.each<[string, string]>([
    ['absent', ''],
    ['no JSON', 'x'],
    ['no list', '{}'],
    ['an empty list', '[]'],
    ['31 filters', JSON.stringify(Array.from({ length: 31 }, () => ({})))],
    ['no filter', '[7]'],
    ['a wrong flag', '[{"read":"yes"}]'],
    ['no data', '[{"data":"x"}]'],
    ['a NUL', '[{"data":{"a":"\\u0000"}}]'],
    ['a prototype', '[{"__proto__":{"read":true}}]'],
  ])('422 for filters that are %s', async (_name, filters) => {
    const { status, body } = await env.get(`${path}/count?filters=${encodeURIComponent(filters)}`)
    expect(status).toBe(422)
    expect(Object.keys(body.errors)[0]).toMatch(/^filters/)
  })
})
