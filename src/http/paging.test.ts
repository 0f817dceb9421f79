import { describe, expect, test } from 'vitest'
import { type Client, client, type Json, type Reply, sender, useHarness } from '../../test/harness.ts'
import { uuid7 } from '../lib/uuid7.ts'

const h = useHarness()

/** Every cursor list, with seven items in it. */
const lists = [
  {
    name: 'subscribers',
    orders: ['_id', 'createdAt', 'updatedAt', 'subscriberId'],
    filter: 'email=example',
    path: async (env: Client) => {
      await env.post('/v1/subscribers/bulk', { subscribers: people })
      return '/v2/subscribers'
    },
    remove: (env: Client, item: Json) => env.delete(`/v2/subscribers/${item.subscriberId}`),
  },
  {
    name: 'topics',
    orders: ['_id', 'createdAt', 'updatedAt', 'key', 'name'],
    filter: 'key=topic',
    path: async (env: Client) => {
      for (const n of numbers) await env.post('/v2/topics', { key: `topic-${n}`, name: `Name ${n % 3}` })
      return '/v2/topics'
    },
    remove: (env: Client, item: Json) => env.delete(`/v2/topics/${item.key}`),
  },
  {
    name: 'subscriptions of a topic',
    orders: ['_id', 'createdAt'],
    filter: 'subscriberId=person-3',
    path: async (env: Client) => {
      await env.post('/v1/subscribers/bulk', { subscribers: people })
      await env.post('/v2/topics/news/subscriptions', { subscriptions: people.map((person) => person.subscriberId) })
      return '/v2/topics/news/subscriptions'
    },
    remove: (env: Client, item: Json) =>
      env.delete('/v2/topics/news/subscriptions', { subscriptions: [item.subscriber.subscriberId] }),
  },
  {
    name: 'subscriptions of a subscriber',
    orders: ['_id', 'createdAt'],
    filter: 'key=topic-3',
    path: async (env: Client) => {
      await env.post('/v2/subscribers', { subscriberId: 'ada' })
      for (const n of numbers) await env.post(`/v2/topics/topic-${n}/subscriptions`, { subscriptions: ['ada'] })
      return '/v2/subscribers/ada/subscriptions'
    },
    remove: (env: Client, item: Json) =>
      env.delete(`/v2/topics/${item.topic.key}/subscriptions`, { subscriptions: ['ada'] }),
  },
]
const numbers = [3, 1, 7, 5, 2, 6, 4]
const people = numbers.map((n) => ({ subscriberId: `person-${n}`, email: `p${n}@example.com` }))

const idsOf = (reply: Reply): string[] => reply.body.data.map((item: Json) => item._id)

function expectInvalid(reply: Reply, what: string): void {
  expect([reply.status, reply.body.code], what).toEqual([400, 'invalid_cursor'])
}

async function all(env: Client, path: string, query = ''): Promise<string[]> {
  return idsOf(await env.get(`${path}?limit=100${query}`))
}

describe.each(lists)('the list of $name', ({ orders, filter, path: arrange, remove }) => {
  test('next leads through every item once, previous back over the same pages, in every order', async () => {
    const env = await h.environment()
    const path = await arrange(env)
    for (const orderBy of orders) {
      for (const direction of ['ASC', 'DESC']) {
        const query = `limit=3&orderBy=${orderBy}&orderDirection=${direction}`
        const pages = [await env.get(`${path}?${query}`)]
        for (let last = pages.at(-1); last?.body.next; last = pages.at(-1)) {
          pages.push(await env.get(`${path}?${query}&after=${last.body.next}`))
        }
        expect(pages.map((page) => page.body.data.length)).toEqual([3, 3, 1])
        expect(pages.flatMap(idsOf)).toEqual(await all(env, path, `&orderBy=${orderBy}&orderDirection=${direction}`))
        expect(pages.map((page) => page.body.totalCount)).toEqual([7, 7, 7])
        expect(pages[0]?.body.previous).toBeNull()
        let page = pages.pop()
        for (let before = pages.pop(); before; before = pages.pop()) {
          page = await env.get(`${path}?${query}&before=${page?.body.previous}`)
          expect(page.body).toEqual({ ...before.body, next: expect.any(String) })
        }
        expect(page?.body.previous).toBeNull()
      }
    }
  })

  test('newest first, ten at a time, unless asked otherwise', async () => {
    const env = await h.environment()
    const path = await arrange(env)
    const ids = idsOf(await env.get(path))
    expect(ids).toEqual(ids.toSorted().toReversed())
    expect(ids).toEqual(await all(env, path, '&orderBy=_id&orderDirection=DESC'))
    expect(await all(env, path, '&orderDirection=ASC')).toEqual(ids.toReversed())
    expect(await all(env, path, '&orderBy=createdAt')).toEqual(ids)
  })

  test('the _id of an item is a cursor; one that is not in the list is not', async () => {
    const env = await h.environment()
    const path = await arrange(env)
    const ids = await all(env, path)
    const [, second = '', third = ''] = ids
    for (const orderBy of orders) {
      const ordered = await all(env, path, `&orderBy=${orderBy}`)
      const at = ordered.indexOf(third)
      const query = `limit=100&orderBy=${orderBy}`
      expect(idsOf(await env.get(`${path}?${query}&after=${third}`))).toEqual(ordered.slice(at + 1))
      expect(idsOf(await env.get(`${path}?${query}&before=${third.toUpperCase()}`))).toEqual(ordered.slice(0, at))
    }
    const stranger = await h.environment()
    await arrange(stranger)
    expectInvalid(await stranger.get(`${path}?after=${third}`), "another environment's")
    expectInvalid(await env.get(`${path}?after=${uuid7(new Date())}`), "nobody's")
    const [, item] = (await env.get(path)).body.data
    expect((await remove(env, item)).status).toBe(200)
    expectInvalid(await env.get(`${path}?after=${second}`), 'a deleted one')
  })

  test('a cursor outlives the item it was made at', async () => {
    const env = await h.environment()
    const path = await arrange(env)
    const ids = await all(env, path)
    const page = await env.get(`${path}?limit=2`)
    await remove(env, page.body.data[1])
    expect(idsOf(await env.get(`${path}?limit=2&after=${page.body.next}`))).toEqual(ids.slice(2, 4))
    expect(idsOf(await env.get(`${path}?limit=2&after=${page.body.next}&includeCursor=true`))).toEqual(ids.slice(2, 4))
  })

  test('includeCursor shows the item the cursor stands on, on either side', async () => {
    const env = await h.environment()
    const path = await arrange(env)
    const ids = await all(env, path)
    const [, , third] = ids
    const first = await env.get(`${path}?limit=3`)
    const second = await env.get(`${path}?limit=3&after=${first.body.next}`)
    const ask = async (query: string) => idsOf(await env.get(`${path}?limit=3&${query}`))
    expect(await ask(`after=${first.body.next}&includeCursor=true`)).toEqual(ids.slice(2, 5))
    expect(await ask(`after=${first.body.next}&includeCursor=false`)).toEqual(ids.slice(3, 6))
    expect(await ask(`before=${second.body.previous}&includeCursor=1`)).toEqual(ids.slice(1, 4))
    expect(await ask(`after=${third}&includeCursor=true`)).toEqual(ids.slice(2, 5))
    expect(await ask(`before=${third}&includeCursor=true`)).toEqual(ids.slice(0, 3))
    expect(await ask('includeCursor=true')).toEqual(ids.slice(0, 3))
  })

  test('a cursor belongs to its environment, filter and order, not to its page size', async () => {
    const env = await h.environment()
    const path = await arrange(env)
    const stranger = await h.environment({ organizationId: env.organizationId })
    await arrange(stranger)
    const { next } = (await env.get(`${path}?limit=2`)).body
    expect((await env.get(`${path}?limit=5&after=${next}`)).body.data).toHaveLength(5)
    expect((await env.get(`${path}?limit=5&orderBy=_id&orderDirection=DESC&after=${next}`)).status).toBe(200)
    expectInvalid(await stranger.get(`${path}?after=${next}`), 'environment')
    for (const query of [filter, 'orderDirection=ASC', ...orders.slice(1).map((order) => `orderBy=${order}`)]) {
      expectInvalid(await env.get(`${path}?${query}&after=${next}`), query)
      expectInvalid(await env.get(`${path}?${query}&before=${next}`), query)
    }
  })
})

describe('cursors', () => {
  test('one of another list is refused, though the lists look alike', async () => {
    const env = await h.environment()
    const paths: string[] = []
    for (const { path } of lists) paths.push(await path(env))
    for (const person of ['person-1', 'person-2']) {
      await env.post('/v2/topics/topic-1/subscriptions', { subscriptions: [person] })
      await env.post('/v2/topics/topic-2/subscriptions', { subscriptions: [person] })
    }
    paths.push('/v2/topics/topic-1/subscriptions', '/v2/subscribers/person-1/subscriptions')
    const cursors = await Promise.all(paths.map(async (path) => (await env.get(`${path}?limit=1`)).body.next))
    for (const [i, path] of paths.entries()) {
      for (const [j, cursor] of cursors.entries()) {
        const reply = await env.get(`${path}?after=${cursor}`)
        if (i === j) expect(reply.status).toBe(200)
        else expectInvalid(reply, `${paths[j]} → ${path}`)
      }
    }
  })

  test('one changed in any byte, cut, or made up is refused', async () => {
    const env = await h.environment()
    const path = await lists[0]?.path(env)
    const { next } = (await env.get(`${path}?limit=2`)).body
    const bytes = Buffer.from(next, 'base64url')
    const forged = Array.from(bytes, (byte, i) => {
      const copy = Buffer.from(bytes)
      copy.writeUInt8(byte ^ 1, i)
      return copy.toString('base64url')
    })
    const cut = [1, 15, 16, 17, bytes.length - 1].map((length) => bytes.subarray(0, length).toString('base64url'))
    const unsigned = Buffer.from(JSON.stringify([null, uuid7(new Date()), false])).toString('base64url')
    const madeUp = ['x', '0', 'null', '{}', '%2F%2F%2F', 'ä', "'", 'x'.repeat(5_000), 'AAAA'.repeat(20), unsigned]
    const replies = await Promise.all([...forged, ...cut, ...madeUp].map((text) => env.get(`${path}?before=${text}`)))
    for (const reply of replies) expectInvalid(reply, reply.body.path)
  })

  test('after and before together are refused; an empty one counts as absent', async () => {
    const env = await h.environment()
    const path = await lists[0]?.path(env)
    const { next, data } = (await env.get(`${path}?limit=2`)).body
    expectInvalid(await env.get(`${path}?after=${next}&before=${next}`), 'both')
    expectInvalid(await env.get(`${path}?after=${data[0]._id}&before=${data[1]._id}`), 'both, as ids')
    expect((await env.get(`${path}?after=${next}&before=`)).status).toBe(200)
    expect((await env.get(`${path}?after=&before=`)).body.previous).toBeNull()
    expect((await env.get(`${path}?after=${next}&after=${next}`)).status).toBe(422)
    expect((await env.get(`${path}?includeCursor=yes`)).status).toBe(422)
  })

  test('one from before a change of encryption keys, or from another node, still holds', async () => {
    const env = await h.environment()
    const path = await lists[0]?.path(env)
    const { next } = (await env.get(`${path}?limit=2`)).body
    const keys = [2, 1].map((n) => `t${n}:${Buffer.alloc(32, n).toString('base64')}`).join(',')
    const rotated = client(sender((await h.node({ ENCRYPTION_KEYS: keys })).url), env.key)
    const page = await rotated.send('GET', `${path}?limit=2&after=${next}`)
    expect(page.status).toBe(200)
    // A key that this node lacks signs nothing anywhere until `secrets reseal`.
    expect((await env.get(`${path}?after=${page.body.next}`)).status).toBe(200)
  })

  test('when everything behind and before it is deleted, both ends are null', async () => {
    const env = await h.environment()
    for (const key of ['a', 'b', 'c']) await env.post('/v2/topics', { key })
    const { next } = (await env.get('/v2/topics?limit=1')).body
    for (const key of ['a', 'b']) await env.delete(`/v2/topics/${key}`)
    const page = await env.get(`/v2/topics?after=${next}`)
    expect(page.body).toMatchObject({ data: [], next: null, previous: expect.any(String), totalCount: 1 })
    expect((await env.get(`/v2/topics?before=${page.body.previous}`)).body.data).toMatchObject([{ key: 'c' }])
    await env.delete('/v2/topics/c')
    const nothing = { data: [], next: null, previous: null, totalCount: 0, totalCountCapped: false }
    expect((await env.get(`/v2/topics?after=${next}`)).body).toEqual(nothing)
  })
})
