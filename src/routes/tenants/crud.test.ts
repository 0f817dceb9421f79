import { describe, expect, test } from 'vitest'
import { useSharedHarness } from '../../../test/harness.ts'

const h = useSharedHarness()
const path = '/v1/tenants'
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe('POST /v1/tenants', () => {
  test('201 with the tenant; what has no value is left out', async () => {
    const env = await h.environment()
    const bare = await env.post(path, { identifier: 'acme' })
    expect(bare.status).toBe(201)
    expect(bare.body).toEqual({
      _id: expect.any(String),
      identifier: 'acme',
      _environmentId: env.environmentId,
      createdAt: expect.stringMatching(time),
      updatedAt: bare.body.createdAt,
    })
    const data = { plan: 'gold', seats: 5, nested: { a: [1, null, 'x'] } }
    const full = await env.post(path, { identifier: 'umbrella', name: 'Umbrella', data, _id: 'x', createdAt: 'x' })
    expect(full.body).toMatchObject({ identifier: 'umbrella', name: 'Umbrella', data })
    expect((await env.get(`${path}/umbrella`)).body).toEqual(full.body)
    expect((await env.post(path, { identifier: 'n', name: null, data: null })).body).not.toHaveProperty('name')
  })

  test('taken: 409 and the first one stays; another environment may have it', async () => {
    const [env, other] = [await h.environment(), await h.environment()]
    await env.post(path, { identifier: 'acme', name: 'First' })
    expect(await env.post(path, { identifier: 'acme', name: 'Second' })).toMatchObject({
      status: 409,
      body: { code: 'tenant_exists' },
    })
    expect((await env.get(`${path}/acme`)).body.name).toBe('First')
    expect((await other.post(path, { identifier: 'acme' })).status).toBe(201)
    expect((await env.post(path, { identifier: 'ACME' })).status).toBe(201)
  })

  test('fifty at once with one identifier: one made, forty-nine 409', async () => {
    const env = await h.environment()
    const replies = await Promise.all(Array.from({ length: 50 }, () => env.post(path, { identifier: 'acme' })))
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([201, ...Array(49).fill(409)])
  })

  test.each<[unknown, number]>([
    ['x', 201],
    ['x'.repeat(255), 201],
    ['a/b?c#d%', 201],
    ['Łódź 🏙', 201],
    ['x'.repeat(256), 422],
    ['', 422],
    [' ', 422],
    ['a\nb', 422],
    [7, 422],
    [null, 422],
    [undefined, 422],
  ])('identifier %j is %i', async (identifier, status) => {
    const env = await h.environment()
    const reply = await env.post(path, { identifier })
    expect(reply.status).toBe(status)
    if (status === 422) expect(Object.keys(reply.body.errors)).toEqual(['identifier'])
    else expect((await env.get(`${path}/${encodeURIComponent(String(identifier))}`)).body).toEqual(reply.body)
  })

  test.each([
    [{ name: 5 }, 'name'],
    [{ data: 'x' }, 'data'],
    [{ data: [['x']] }, 'data'],
  ])('%o is 422', async (body, field) => {
    const env = await h.environment()
    const reply = await env.post(path, { identifier: 'acme', ...body })
    expect(reply.status).toBe(422)
    expect(Object.keys(reply.body.errors)).toEqual([field])
  })
})

describe('PATCH /v1/tenants/{identifier}', () => {
  test('absent = unchanged, null = cleared, data replaced as a whole; updatedAt moves', async () => {
    const env = await h.environment()
    const made = await env.post(path, { identifier: 'acme', name: 'Acme', data: { a: 1, b: 2 } })
    const patch = async (body: object) => (await env.patch(`${path}/acme`, body)).body
    const changed = await patch({ data: { c: 3 } })
    expect(changed).toMatchObject({ _id: made.body._id, name: 'Acme', createdAt: made.body.createdAt })
    expect(changed.data).toEqual({ c: 3 })
    expect(changed.updatedAt >= made.body.updatedAt).toBe(true)
    expect(await patch({ name: null })).not.toHaveProperty('name')
    expect(await patch({ data: {} })).toMatchObject({ data: {} })
    expect(await patch({ data: null })).not.toHaveProperty('data')
    expect(await env.get(`${path}/acme`)).toMatchObject({ status: 200, body: { identifier: 'acme' } })
  })

  test('renames; a taken identifier is 409 and nothing changes', async () => {
    const env = await h.environment()
    await env.post(path, { identifier: 'a' })
    await env.post(path, { identifier: 'b', name: 'B' })
    expect((await env.patch(`${path}/a`, { identifier: 'c' })).body.identifier).toBe('c')
    expect((await env.get(`${path}/a`)).status).toBe(404)
    expect(await env.patch(`${path}/c`, { identifier: 'b', name: 'C' })).toMatchObject({
      status: 409,
      body: { code: 'tenant_exists' },
    })
    expect((await env.get(`${path}/c`)).body).not.toHaveProperty('name')
    expect((await env.patch(`${path}/b`, { identifier: 'b' })).status).toBe(200)
  })
})

test('DELETE is 204 without a body, then it is unknown everywhere, and its identifier is free', async () => {
  const env = await h.environment()
  const made = await env.post(path, { identifier: 'acme' })
  const gone = await env.delete(`${path}/acme`)
  expect(gone).toMatchObject({ status: 204, text: '' })
  for (const reply of [
    await env.get(`${path}/acme`),
    await env.patch(`${path}/acme`, { name: 'x' }),
    await env.delete(`${path}/acme`),
  ]) {
    expect(reply).toMatchObject({ status: 404, body: { code: 'tenant_not_found' } })
  }
  const again = await env.post(path, { identifier: 'acme' })
  expect(again.status).toBe(201)
  expect(again.body._id).not.toBe(made.body._id)
})

test.each(['unknown', "' or 1=1 --", '%F0%9F%90%A6', '%2F', '..%2F..', 'x'.repeat(3000)])(
  '%s is 404',
  async (identifier) => {
    const env = await h.environment()
    expect((await env.get(`${path}/${identifier}`)).status).toBe(404)
  },
)
