import { afterEach, describe, expect, test } from 'vitest'
import { useSharedHarness } from '../../../test/harness.ts'
import { uuid7 } from '../../lib/uuid7.ts'

const h = useSharedHarness()
const path = '/v2/subscribers'
const profile = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44 20 7946 0000',
  avatar: 'avatar-7',
  timezone: 'Europe/London',
  locale: 'en-GB',
  data: { tier: 'gold', since: { year: 1833 } },
}
const otherProfile = {
  firstName: 'Grace',
  lastName: 'Hopper',
  email: 'grace@example.com',
  phone: '+1 202 555 0100',
  avatar: '',
  timezone: 'America/New_York',
  locale: 'en_US',
  data: { rank: 'admiral' },
}
const fieldNames = Object.keys(profile) as (keyof typeof profile)[]

const realClock = () => new Date()
const at = (time: string) => {
  h.ctx.clock = () => new Date(time)
}
afterEach(() => {
  h.ctx.clock = realClock
})

describe('PATCH /v2/subscribers/{subscriberId}', () => {
  test.each(fieldNames)('%s alone is changed, then cleared by null; everything else stays', async (name) => {
    const env = await h.environment()
    at('2026-01-01T00:00:00.001Z')
    const made = (await env.post(path, { subscriberId: 'ada', ...profile })).body
    at('2026-01-01T00:00:00.002Z')
    const changed = await env.patch(`${path}/ada`, { [name]: otherProfile[name] })
    expect(changed.status).toBe(200)
    const first = { ...made, [name]: otherProfile[name], __v: 1, updatedAt: '2026-01-01T00:00:00.002Z' }
    expect(changed.body).toEqual(first)
    at('2026-01-01T00:00:00.003Z')
    const cleared = await env.patch(`${path}/ada`, { [name]: null })
    expect(cleared.body).toEqual({ ...first, [name]: null, __v: 2, updatedAt: '2026-01-01T00:00:00.003Z' })
    expect((await env.get(`${path}/ada`)).body).toEqual(cleared.body)
  })

  test('all fields at once are one change', async () => {
    const env = await h.environment()
    const made = (await env.post(path, { subscriberId: 'ada', ...profile })).body
    const { body } = await env.patch(`${path}/ada`, otherProfile)
    expect(body).toEqual({ ...made, ...otherProfile, __v: 1, updatedAt: body.updatedAt })
  })

  test('__v and updatedAt move only on a real change, through PATCH and POST alike', async () => {
    const env = await h.environment()
    at('2026-01-01T00:00:00.001Z')
    const made = (await env.post(path, { subscriberId: 'ada', ...profile, phone: null })).body
    at('2026-01-01T00:00:00.002Z')
    const sameData = { since: { year: 1833.0 }, tier: 'gold' }
    for (const body of [{}, { firstName: 'Ada' }, { phone: null }, { data: sameData }, { unknown: 1 }]) {
      expect((await env.patch(`${path}/ada`, body)).body, JSON.stringify(body)).toEqual(made)
      expect((await env.post(path, { subscriberId: 'ada', ...body })).body, JSON.stringify(body)).toEqual(made)
    }
    expect((await env.patch(`${path}/ada`, { firstName: 'ada' })).body).toMatchObject({
      __v: 1,
      updatedAt: '2026-01-01T00:00:00.002Z',
      createdAt: '2026-01-01T00:00:00.001Z',
    })
  })

  test('an empty text is a value of its own, not null', async () => {
    const env = await h.environment()
    await env.post(path, { subscriberId: 'ada', firstName: 'Ada' })
    expect((await env.patch(`${path}/ada`, { firstName: '' })).body).toMatchObject({ firstName: '', __v: 1 })
    expect((await env.patch(`${path}/ada`, { firstName: null })).body).toMatchObject({ firstName: null, __v: 2 })
  })

  test('data is replaced as a whole, never merged', async () => {
    const env = await h.environment()
    await env.post(path, { subscriberId: 'ada', data: { a: 1, b: { c: 2 } } })
    expect((await env.patch(`${path}/ada`, { data: { b: { d: 3 } } })).body.data).toEqual({ b: { d: 3 } })
    expect((await env.patch(`${path}/ada`, { data: {} })).body.data).toEqual({})
    expect((await env.patch(`${path}/ada`, { lastName: 'L' })).body.data).toEqual({})
  })

  test('subscriberId and the fields the service owns cannot be changed', async () => {
    const env = await h.environment()
    const made = (await env.post(path, { subscriberId: 'ada', ...profile })).body
    const sent = {
      subscriberId: 'eve',
      _id: uuid7(new Date()),
      __v: 9,
      deleted: true,
      _environmentId: uuid7(new Date()),
      _organizationId: uuid7(new Date()),
      createdAt: '2000-01-01T00:00:00.000Z',
      updatedAt: '2000-01-01T00:00:00.000Z',
      isOnline: true,
      channels: [],
    }
    expect((await env.patch(`${path}/ada`, sent)).body).toEqual(made)
    expect((await env.get(`${path}/eve`)).status).toBe(404)
  })

  test('faults are the same as on create: 422 names each, and nothing changes', async () => {
    const env = await h.environment()
    const made = (await env.post(path, { subscriberId: 'ada', ...profile })).body
    const faults = { firstName: 1, lastName: [], email: 'x@y', phone: {}, avatar: 0, timezone: '+01:00', locale: '!' }
    const reply = await env.patch(`${path}/ada`, { ...faults, data: [], avatar: false })
    expect(reply.status).toBe(422)
    expect(Object.keys(reply.body.errors).sort()).toEqual([...fieldNames].sort())
    expect((await env.get(`${path}/ada`)).body).toEqual(made)
  })

  test('404 for an unknown subscriber, also with an empty body and with ids no subscriber can have', async () => {
    const env = await h.environment()
    await env.post(path, { subscriberId: 'ada' })
    for (const id of ['eve', 'ADA', 'ada%20', 'x'.repeat(300), '%0A', '😀'.repeat(300)]) {
      for (const body of [{}, { firstName: 'Eve' }]) {
        expect((await env.patch(`${path}/${id}`, body)).body.code, id).toBe('subscriber_not_found')
      }
    }
    expect((await env.patch(`${path}/a%00b`, {})).status).toBe(404)
    expect((await env.patch(`${path}/%ff`, {})).status).toBeLessThan(500)
  })

  test('fifty changes of different fields at once lose none', async () => {
    const env = await h.environment()
    await env.post(path, { subscriberId: 'ada' })
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, n) => {
        const name = fieldNames[n % fieldNames.length] ?? 'firstName'
        return env.patch(`${path}/ada`, { [name]: profile[name] })
      }),
    )
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200]))
    expect((await env.get(`${path}/ada`)).body).toMatchObject({ ...profile, __v: fieldNames.length })
  })
})

test('a profile has a size: texts of 10,000 characters and data of 64 KB are kept, one more is 422', async () => {
  const env = await h.environment()
  await env.post('/v2/subscribers', { subscriberId: 'ada' })
  const data = (bytes: number) => ({ text: 'x'.repeat(bytes - '{"text":""}'.length) })
  const fits = await env.patch('/v2/subscribers/ada', { firstName: '😀'.repeat(10_000), data: data(64 * 1024) })
  expect(fits.status).toBe(200)
  for (const body of [{ firstName: 'x'.repeat(10_001) }, { data: data(64 * 1024 + 1) }]) {
    const refused = await env.patch('/v2/subscribers/ada', body)
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, Object.keys(body)])
  }
})
