import { afterEach, describe, expect, test } from 'vitest'
import { type Client, type Json, useSharedHarness } from '../../../test/harness.ts'

const h = useSharedHarness()
const path = '/v2/subscribers'
afterEach(() => {
  h.ctx.clock = () => new Date()
})

const people = [
  { subscriberId: 'ada', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', phone: '+442079460001' },
  { subscriberId: 'Ada', firstName: 'ada', lastName: 'lovelace', email: 'ADA@Example.com', phone: '+442079460002' },
  { subscriberId: 'grace', firstName: 'Grace', lastName: 'Hopper', email: 'grace@navy.mil', phone: '+12025550100' },
  { subscriberId: 'first-only', firstName: 'Grace', email: '100%_sure@example.com' },
  { subscriberId: 'last-only', lastName: 'Hopper', phone: '100%\\x' },
  { subscriberId: 'jürgen', firstName: 'Jürgen', lastName: 'Müller', email: 'jürgen@bücher.example' },
  { subscriberId: '日本', firstName: '山田', lastName: '太郎', email: 'yamada@例子.广告' },
  { subscriberId: 'emoji', firstName: '😀😀', lastName: "O'Brien-Smith" },
  { subscriberId: 'nothing' },
]

async function arrange(): Promise<Client> {
  const env = await h.environment()
  const { body } = await env.post('/v1/subscribers/bulk', { subscribers: people })
  expect(body.created).toHaveLength(people.length)
  return env
}

type Filter = Record<string, string>

async function search(env: Client, filter: Filter): Promise<string[]> {
  const reply = await env.get(`${path}?limit=100&${new URLSearchParams(filter)}`)
  expect(reply.status, JSON.stringify(filter)).toBe(200)
  const found = reply.body.data.map((item: Json) => item.subscriberId)
  expect(reply.body.totalCount, JSON.stringify(filter)).toBe(found.length)
  expect(reply.body.totalCountCapped).toBe(false)
  return found.sort()
}

describe('GET /v2/subscribers?search: for people who type', () => {
  test.each<[string, string[]]>([
    ['ad', ['Ada', 'ada', '日本']],
    ['ADA@', ['Ada', 'ada', '日本']],
    ['ada love', ['Ada', 'ada']],
    ['hopp', ['grace', 'last-only']],
    ['GRACE', ['first-only', 'grace']],
    ['navy.MIL', ['grace']],
    ['0100', ['grace']],
    ['müLL', ['jürgen']],
    ['first-only', ['first-only']],
    ['FIRST-only', []],
    ['%_', ['first-only']],
    ['山', ['日本']],
    ['zz', []],
  ])('%s', async (text, expected) => {
    expect(await search(await arrange(), { search: text })).toEqual(expected)
  })

  test('together with a filter of the specification both must hold', async () => {
    expect(await search(await arrange(), { search: 'ada', email: 'ADA@' })).toEqual(['Ada'])
  })
})

describe('GET /v2/subscribers', () => {
  test('each filter finds what it says: substrings by letter case, subscriberId as a whole', async () => {
    const env = await arrange()
    const cases: [Filter, string[]][] = [
      [{}, people.map((person) => person.subscriberId).sort()],
      [{ email: 'ada@example.com' }, ['ada']],
      [{ email: 'example' }, ['ada', 'first-only', 'jürgen']],
      [{ email: 'Example' }, ['Ada']],
      [{ email: '@example.com' }, ['ada', 'first-only']],
      [{ email: 'EXAMPLE' }, []],
      [{ email: 'navy.mil' }, ['grace']],
      [{ email: 'navy_mil' }, []],
      [{ email: 'example.com ' }, []],
      [{ name: 'Ada' }, ['ada']],
      [{ name: 'ada' }, ['Ada']],
      [{ name: 'Ada Lovelace' }, ['ada']],
      [{ name: 'da Love' }, ['ada']],
      [{ name: 'Lovelace Ada' }, []],
      [{ name: 'Grace' }, ['first-only', 'grace']],
      [{ name: 'Hopper' }, ['grace', 'last-only']],
      [{ name: 'Grace ' }, ['grace']],
      [{ name: ' Hopper' }, ['grace']],
      [{ name: "O'Brien-Smith" }, ['emoji']],
      [{ phone: '+44207946' }, ['Ada', 'ada']],
      [{ phone: '0100' }, ['grace']],
      [{ phone: '12025550100' }, ['grace']],
      [{ subscriberId: 'ada' }, ['ada']],
      [{ subscriberId: 'Ada' }, ['Ada']],
      [{ subscriberId: 'ad' }, []],
      [{ subscriberId: '日本' }, ['日本']],
      [{ subscriberId: 'first%' }, []],
      [{ subscriberId: ' ada' }, []],
    ]
    for (const [filter, found] of cases) expect(await search(env, filter), JSON.stringify(filter)).toEqual(found)
  })

  test('filters AND together', async () => {
    const env = await arrange()
    const cases: [Filter, string[]][] = [
      [{ name: 'Grace', email: 'navy' }, ['grace']],
      [{ name: 'Grace', email: 'navy', phone: '+1202', subscriberId: 'grace' }, ['grace']],
      [{ name: 'Grace', email: 'navy', phone: '+1202', subscriberId: 'ada' }, []],
      [{ name: 'Grace', phone: '+44' }, []],
      [{ name: 'Gr', email: 'na' }, ['grace']],
      [{ name: 'Hopper', email: 'a' }, ['grace']],
      [{ subscriberId: 'ada', email: 'a' }, ['ada']],
      [{ subscriberId: 'ada', email: 'Z' }, []],
    ]
    for (const [filter, found] of cases) expect(await search(env, filter), JSON.stringify(filter)).toEqual(found)
  })

  test('%, _ and \\ mean themselves', async () => {
    const env = await arrange()
    const cases: [Filter, string[]][] = [
      [{ email: '%' }, ['first-only']],
      [{ email: '_' }, ['first-only']],
      [{ phone: '\\' }, ['last-only']],
      [{ phone: '0%\\x' }, ['last-only']],
      [{ phone: '0%x' }, []],
      [{ email: '100%_sure@' }, ['first-only']],
      [{ email: '100%sure' }, []],
      [{ email: 'a%a' }, []],
      [{ email: 'ada_example' }, []],
      [{ phone: '%\\\\x' }, []],
      [{ email: '%%' }, []],
      [{ phone: '100%\\x' }, ['last-only']],
      [{ phone: '1_0' }, []],
      [{ name: '%' }, []],
      [{ name: "' or 1=1 --" }, []],
    ]
    for (const [filter, found] of cases) expect(await search(env, filter), JSON.stringify(filter)).toEqual(found)
  })

  test('terms too short for the index find the same, in every alphabet', async () => {
    const env = await arrange()
    const cases: [Filter, string[]][] = [
      [{ name: 'A' }, ['ada']],
      [{ name: 'a' }, ['Ada', 'ada', 'first-only', 'grace']],
      [{ name: 'er' }, ['grace', 'jürgen', 'last-only']],
      [{ name: 'ü' }, ['jürgen']],
      [{ name: 'Mü' }, ['jürgen']],
      [{ name: 'Jürgen Müller' }, ['jürgen']],
      [{ name: '山' }, ['日本']],
      [{ name: '山田' }, ['日本']],
      [{ name: '山田 太郎' }, ['日本']],
      [{ name: '😀' }, ['emoji']],
      [{ name: '😀😀😀' }, []],
      [{ name: '- ' }, []],
      [{ name: 'e H' }, ['grace']],
      [{ email: '例' }, ['日本']],
      [{ email: '@例子.广告' }, ['日本']],
      [{ email: '@' }, ['Ada', 'ada', 'first-only', 'grace', 'jürgen', '日本']],
      [{ phone: '+' }, ['Ada', 'ada', 'grace']],
      [{ phone: '1' }, ['ada', 'grace', 'last-only']],
    ]
    for (const [filter, found] of cases) expect(await search(env, filter), JSON.stringify(filter)).toEqual(found)
  })

  test('a search too short for the index pages through all of its hits', async () => {
    const env = await arrange()
    for (const orderBy of ['_id', 'updatedAt', 'subscriberId']) {
      const whole = await env.get(`${path}?name=a&orderBy=${orderBy}`)
      const ids = whole.body.data.map((item: Json) => item._id)
      const seen: string[] = []
      let next: string | null = ''
      while (next !== null) {
        const { body }: Json = await env.get(`${path}?name=a&orderBy=${orderBy}&limit=1&after=${next}`)
        seen.push(...body.data.map((item: Json) => item._id))
        next = body.next
      }
      expect(seen).toEqual(ids)
    }
  })

  test('a change is found at once under the new value and no more under the old one', async () => {
    const env = await arrange()
    await env.patch(`${path}/ada`, { lastName: 'Byron', email: null })
    expect(await search(env, { name: 'Ada Byron' })).toEqual(['ada'])
    expect(await search(env, { name: 'Lovelace' })).toEqual([])
    expect(await search(env, { email: 'ada@example' })).toEqual([])
  })

  test('an empty filter counts as absent; an unknown parameter is ignored', async () => {
    const env = await arrange()
    expect(await search(env, { email: '', name: '', phone: '', subscriberId: '' })).toHaveLength(people.length)
    expect(await search(env, { nickname: 'x', Email: 'x' })).toHaveLength(people.length)
    expect((await env.get(`${path}?email=a&email=b`)).status).toBe(422)
    expect((await env.get(`${path}?email=%00`)).status).toBe(422)
    expect((await env.get(`${path}?email=${'x'.repeat(5_000)}`)).body.data).toEqual([])
  })

  test('shows subscribers as GET does, channels included', async () => {
    const env = await arrange()
    const credentials = { deviceTokens: ['t1'] }
    await env.put('/v1/subscribers/ada/credentials', { providerId: 'fcm', credentials })
    const listed = (await env.get(`${path}?limit=100`)).body.data
    for (const item of listed) {
      expect(item).toEqual((await env.get(`${path}/${encodeURIComponent(item.subscriberId)}`)).body)
    }
    expect(listed.find((item: Json) => item.subscriberId === 'ada').channels).toMatchObject([{ credentials }])
  })
})

describe('order and limit', () => {
  const ids = ['b', 'B', 'a', 'ä', '10', '9', '_', 'aa']

  test('every orderBy in both directions; letters by code point', async () => {
    const env = await h.environment()
    for (const subscriberId of ids) await env.post(path, { subscriberId })
    for (const [n, subscriberId] of ['9', 'b', 'ä'].entries()) {
      h.ctx.clock = () => new Date(Date.now() + (n + 1) * 60_000)
      await env.patch(`${path}/${encodeURIComponent(subscriberId)}`, { firstName: 'new' })
    }
    const expected: Record<string, string[]> = {
      _id: ids,
      createdAt: ids,
      updatedAt: [...ids.filter((id) => !['9', 'b', 'ä'].includes(id)), '9', 'b', 'ä'],
      subscriberId: ['10', '9', 'B', '_', 'a', 'aa', 'b', 'ä'],
    }
    for (const [orderBy, ascending] of Object.entries(expected)) {
      const ask = async (direction: string) => {
        const { body } = await env.get(`${path}?orderBy=${orderBy}${direction}`)
        return body.data.map((item: Json) => item.subscriberId)
      }
      expect(await ask('&orderDirection=ASC'), orderBy).toEqual(ascending)
      expect(await ask('&orderDirection=DESC'), orderBy).toEqual(ascending.toReversed())
      expect(await ask(''), orderBy).toEqual(ascending.toReversed())
    }
  })

  test.each(['email', 'firstName', 'id', '_ID', 'subscriberid', 'updated_at', '__proto__', '_id;drop'])(
    '422 for orderBy=%s',
    async (orderBy) => {
      const env = await h.environment()
      const reply = await env.get(`${path}?orderBy=${orderBy}`)
      expect([reply.status, Object.keys(reply.body.errors)]).toEqual([422, ['orderBy']])
    },
  )

  test('422 for directions other than ASC and DESC', async () => {
    const env = await h.environment()
    for (const direction of ['asc', 'desc', '1', '-1', 'UP']) {
      expect((await env.get(`${path}?orderDirection=${direction}`)).status, direction).toBe(422)
    }
  })

  test('limit: 1 to 1000, default 10, else 422', async () => {
    const env = await h.environment()
    const subscribers = Array.from({ length: 500 }, (_, n) => ({ subscriberId: `s${n}` }))
    await env.post('/v1/subscribers/bulk', { subscribers })
    await env.post('/v1/subscribers/bulk', {
      subscribers: subscribers.map((s) => ({ subscriberId: `t${s.subscriberId}` })),
    })
    await env.post(path, { subscriberId: 'the 1001st' })
    for (const [query, length] of Object.entries({ '': 10, 'limit=': 10, 'limit=1': 1, 'limit=1000': 1000 })) {
      const { body } = await env.get(`${path}?${query}`)
      expect([body.data.length, body.totalCount], query).toEqual([length, 1001])
      expect(body.next, query).toEqual(expect.any(String))
    }
    for (const limit of ['0', '-1', '1001', '1.5', '1e2', 'ten', '0x10', '99999999999999999999', '1&limit=2']) {
      expect((await env.get(`${path}?limit=${limit}`)).status, limit).toBe(422)
    }
  })
})
