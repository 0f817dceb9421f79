import { describe, expect, test } from 'vitest'
import { type Client, type Json, useSharedHarness } from '../../../test/harness.ts'

const h = useSharedHarness()
const path = '/v1/tenants'

async function withTenants(count: number): Promise<Client> {
  const env = await h.environment()
  for (let n = 1; n <= count; n++) await env.post(path, { identifier: `t${n}` })
  return env
}

const idsOf = (body: Json) => body.data.map((it: Json) => it.identifier)

describe('GET /v1/tenants', () => {
  test('ten at a time unless told, newest first, of this environment only', async () => {
    const env = await withTenants(12)
    await withTenants(1)
    const reply = await env.get(path)
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({ hasMore: true, pageSize: 10, page: 0 })
    expect(idsOf(reply.body)).toEqual(['t12', 't11', 't10', 't9', 't8', 't7', 't6', 't5', 't4', 't3'])
    const next = await env.get(`${path}?page=1`)
    expect(next.body).toMatchObject({ hasMore: false, pageSize: 10, page: 1 })
    expect(idsOf(next.body)).toEqual(['t2', 't1'])
  })

  test('hasMore is exact where the last page is full', async () => {
    const env = await withTenants(4)
    expect((await env.get(`${path}?limit=2`)).body.hasMore).toBe(true)
    expect((await env.get(`${path}?limit=2&page=1`)).body).toMatchObject({ hasMore: false, page: 1, pageSize: 2 })
    expect((await env.get(`${path}?limit=4`)).body.hasMore).toBe(false)
  })

  test.each([1, 10, 16, 30, 400])('a page past the end, of %i digits, is an empty page', async (digits) => {
    const env = await withTenants(1)
    const page = '9'.repeat(digits)
    const reply = await env.get(`${path}?page=${page}`)
    expect(reply).toMatchObject({ status: 200, body: { data: [], hasMore: false, pageSize: 10 } })
    expect(reply.body.page).toBeGreaterThan(0)
  })

  test.each([
    ['limit=1', 200],
    ['limit=100', 200],
    ['limit=', 200],
    ['page=&limit=', 200],
    ['page=0', 200],
    ['unknown=1', 200],
    ['limit=0', 422],
    ['limit=101', 422],
    [`limit=${'9'.repeat(40)}`, 422],
    [`page=-${'9'.repeat(40)}`, 422],
    ['limit=-1', 422],
    ['limit=ten', 422],
    ['limit=1.5', 422],
    ['limit=1e1', 422],
    ['limit=0x10', 422],
    ['limit=%2010', 422],
    ['limit=1&limit=2', 422],
    ['page=-1', 422],
    ['page=Infinity', 422],
    ['page=NaN', 422],
    ['page=%00', 422],
  ])('?%s is %i', async (query, status) => {
    const env = await h.environment()
    const reply = await env.get(`${path}?${query}`)
    expect(reply.status).toBe(status)
    if (status === 422) expect(Object.keys(reply.body.errors)).toEqual([query.split('=')[0]])
  })
})
