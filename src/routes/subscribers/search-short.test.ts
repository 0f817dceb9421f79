import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'

/** Terms that no index serves, in a large environment: counted and paged like any other (spec 2.14, 4.5). */
const h = useHarness()
const many = 12_000
let env: Client

beforeAll(async () => {
  env = await h.environment()
  const id = sql`('01890000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`
  await sql`insert into subscriber (environment_id, id, subscriber_id, first_name, last_name, phone, updated_at)
    select ${env.environmentId}, ${id}, 'big-' || n, 'Name', case n when 7 then '李' else 'L' || n end, '+' || n, now()
    from generate_series(1, ${many}) n`.execute(h.admin)
  await sql`insert into topic (environment_id, id, key, name, updated_at)
    select ${env.environmentId}, ${id}, 'big-' || n, case n when 7 then '李' else 'L' || n end, now()
    from generate_series(1, ${many}) n`.execute(h.admin)
})

const nothing = { data: [], next: null, previous: null, totalCount: 0, totalCountCapped: false }
const orders = ['orderBy=_id&orderDirection=ASC', 'orderBy=_id', 'orderBy=updatedAt']

test.each(['/v2/subscribers', '/v2/topics'])('%s: one match among many, and none', async (path) => {
  for (const order of orders) {
    const { body } = await env.get(`${path}?name=李&${order}`)
    expect(body).toMatchObject({ ...nothing, totalCount: 1, data: [{ _id: expect.stringMatching(/0007$/) }] })
    expect((await env.get(`${path}?name=zz&${order}`)).body).toEqual(nothing)
  }
})

test('counts are exact, for few and for all', async () => {
  const numbers = Array.from({ length: many }, (_, at) => `L${at + 1}`)
  for (const term of ['L4', 'L9', '99', '0']) {
    const total = numbers.filter((name) => name !== 'L7' && name.includes(term)).length
    const { body } = await env.get(`/v2/subscribers?name=${term}`)
    expect([body.totalCount, body.totalCountCapped, body.data.length], term).toEqual([total, false, 10])
  }
  const { body } = await env.get('/v2/subscribers?name=Na')
  expect([body.totalCount, body.totalCountCapped]).toEqual([many, false])
})

test.each(orders)('a walk there and back finds each match once, by %s', async (order) => {
  const walk = async (way: 'next' | 'previous', from: string | null) => {
    const seen: string[] = []
    for (let place = from; place !== null; ) {
      const side = way === 'next' ? 'after' : 'before'
      const { body }: Json = await env.get(`/v2/subscribers?phone=99&limit=60&${order}&${place && `${side}=${place}`}`)
      seen.push(...(way === 'next' ? body.data : body.data.toReversed()).map((it: Json) => it._id))
      place = body[way]
    }
    return seen
  }
  const there = await walk('next', '')
  const expected = Array.from({ length: many }, (_, at) => `+${at + 1}`).filter((phone) => phone.includes('99'))
  expect([there.length, new Set(there).size]).toEqual([expected.length, expected.length])
  expect(await walk('previous', there.at(-1) ?? null)).toEqual(there.slice(0, -1).toReversed())
})
