import { describe, expect, test } from 'vitest'
import { type Json, useSharedHarness } from '../../../test/harness.ts'
import { isUuid7, uuid7 } from '../../lib/uuid7.ts'

const h = useSharedHarness()
const path = '/v2/subscribers'
const rfc3339 = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const profile = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44 20 7946 0000',
  avatar: 'https://example.com/ada.png',
  timezone: 'Europe/London',
  locale: 'en_GB',
  data: { tier: 'gold', nested: { list: [1, 'two', null, { '"quoted" \n ключ': true }] }, empty: {}, pi: 3.25 },
}

describe('POST /v2/subscribers', () => {
  test('201 with every field of the spec, and GET shows the same', async () => {
    const env = await h.environment()
    const before = Date.now()
    const reply = await env.post(path, { subscriberId: 'ada', ...profile })
    expect(reply.status).toBe(201)
    expect(reply.body).toEqual({
      _id: expect.any(String),
      subscriberId: 'ada',
      ...profile,
      channels: [],
      isOnline: null,
      lastOnlineAt: null,
      __v: 0,
      _organizationId: env.organizationId,
      _environmentId: env.environmentId,
      deleted: false,
      createdAt: rfc3339,
      updatedAt: rfc3339,
    })
    expect(isUuid7(reply.body._id)).toBe(true)
    expect(Date.parse(reply.body.createdAt)).toBeGreaterThanOrEqual(before)
    expect(reply.body.updatedAt).toBe(reply.body.createdAt)
    expect((await env.get(`${path}/ada`)).body).toEqual(reply.body)
  })

  test('a bare subscriberId is enough; what was not given is null', async () => {
    const env = await h.environment()
    const { body } = await env.post(path, { subscriberId: 'bare' })
    for (const name of Object.keys(profile)) expect(body[name], name).toBeNull()
    expect(body).not.toHaveProperty('topics')
  })

  test('an existing one is updated: given fields replace, null clears, absent ones stay', async () => {
    const env = await h.environment()
    const made = (await env.post(path, { subscriberId: 'ada', ...profile })).body
    const reply = await env.post(path, {
      subscriberId: 'ada',
      lastName: 'Byron',
      phone: null,
      data: { tier: 'silver' },
    })
    expect(reply.status).toBe(201)
    const changed = { lastName: 'Byron', phone: null, data: { tier: 'silver' }, __v: 1, updatedAt: rfc3339 }
    expect(reply.body).toEqual({ ...made, ...changed })
  })

  test('failIfExists=true: 409 with the error fields and the existing subscriber in one object, nothing changed', async () => {
    const env = await h.environment()
    const body = { subscriberId: 'ada', ...profile }
    const made = await env.post(`${path}?failIfExists=true`, body)
    expect(made.status).toBe(201)
    const refused = await env.post(`${path}?failIfExists=true`, { subscriberId: ' ada', firstName: 'Eve' })
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({ ...made.body, statusCode: 409, code: 'subscriber_exists' })
    expect(refused.body.message).toEqual(expect.any(String))
    expect((await env.get(`${path}/ada`)).body).toEqual(made.body)
    for (const no of ['false', '0', '']) {
      expect((await env.post(`${path}?failIfExists=${no}`, { subscriberId: 'ada' })).status, no).toBe(201)
    }
    expect((await env.post(`${path}?failIfExists=1`, { subscriberId: 'ada' })).status).toBe(409)
    expect((await env.post(`${path}?failIfExists=yes`, { subscriberId: 'ada' })).status).toBe(422)
  })

  test('unknown fields and those the service owns have no effect', async () => {
    const env = await h.environment()
    const other = await h.environment()
    const ours: Json = {
      _id: uuid7(new Date()),
      __v: 99,
      deleted: true,
      _environmentId: other.environmentId,
      _organizationId: other.organizationId,
      createdAt: '2000-01-01T00:00:00.000Z',
      updatedAt: '2000-01-01T00:00:00.000Z',
      isOnline: true,
      lastOnlineAt: '2000-01-01T00:00:00.000Z',
      channels: [{ providerId: 'fcm', credentials: { deviceTokens: ['t'] } }],
      topics: ['news'],
      nickname: 'Countess',
    }
    const { status, body } = await env.post(path, { subscriberId: 'ada', ...ours })
    expect(status).toBe(201)
    for (const [name, value] of Object.entries(ours)) expect(body[name], name).not.toEqual(value)
    expect(body).toMatchObject({ __v: 0, deleted: false, channels: [], _environmentId: env.environmentId })
    expect((await other.get(path)).body.totalCount).toBe(0)
  })

  test('fifty at once with one subscriberId: one row, no 5xx, and the last word is one of theirs', async () => {
    const env = await h.environment()
    const names = Array.from({ length: 50 }, (_, n) => `Name ${n}`)
    const replies = await Promise.all(names.map((firstName) => env.post(path, { subscriberId: 'same', firstName })))
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([201]))
    expect(new Set(replies.map((reply) => reply.body._id)).size).toBe(1)
    const { body } = await env.get(path)
    expect(body).toMatchObject({ totalCount: 1, data: [{ __v: 49 }] })
    expect(names).toContain(body.data[0].firstName)
  })

  test('twenty at once with failIfExists=true: one is created, nineteen are told so', async () => {
    const env = await h.environment()
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => env.post(`${path}?failIfExists=true`, { subscriberId: 'same' })),
    )
    const statuses = replies.map((reply) => reply.status).sort()
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 409)])
    expect(new Set(replies.map((reply) => reply.body._id)).size).toBe(1)
  })

  test('the same subscriberId in two environments is two subscribers', async () => {
    const env = await h.environment()
    const other = await h.environment({ organizationId: env.organizationId })
    const [mine, theirs] = [
      await env.post(path, { subscriberId: 'ada' }),
      await other.post(path, { subscriberId: 'ada' }),
    ]
    expect(mine.body._id).not.toBe(theirs.body._id)
    await env.delete(`${path}/ada`)
    expect((await other.get(`${path}/ada`)).body).toEqual(theirs.body)
  })
})

describe('subscriberId', () => {
  test.each([
    ['one character', 'a', 'a'],
    ['255 characters', 'x'.repeat(255), 'x'.repeat(255)],
    ['255 characters of four bytes', '😀'.repeat(255), '😀'.repeat(255)],
    ['blanks around it, which go', '  ada\u00a0 ', 'ada'],
    ['blanks inside', 'ada  lovelace', 'ada  lovelace'],
    [
      'characters that mean something in a path or in SQL',
      'a/b?c=d#e%2Ff+g;h\'i"j\\k_l%',
      'a/b?c=d#e%2Ff+g;h\'i"j\\k_l%',
    ],
    ['a mail address', 'ada+test@example.com', 'ada+test@example.com'],
    ['the name of a route', 'bulk', 'bulk'],
    ['other alphabets', 'ключ-日本', 'ключ-日本'],
  ])('%s', async (_what, sent, stored) => {
    const env = await h.environment()
    const made = await env.post(path, { subscriberId: sent })
    expect([made.status, made.body.subscriberId]).toEqual([201, stored])
    expect((await env.get(`${path}/${encodeURIComponent(stored)}`)).body).toEqual(made.body)
    expect((await env.get(`${path}?subscriberId=${encodeURIComponent(stored)}`)).body.data).toEqual([made.body])
  })

  test('422 when it is empty, blank, longer than 255, holds control characters or is no text', async () => {
    const env = await h.environment()
    const texts = ['', ' ', '\u00a0\t', 'x'.repeat(256), '😀'.repeat(256), 'a\tb', 'a\nb', 'a\u007fb', 'a\u0085b']
    for (const subscriberId of [...texts, 7, null, ['a'], {}]) {
      const reply = await env.post(path, { subscriberId })
      expect([reply.status, Object.keys(reply.body.errors ?? {})], JSON.stringify(subscriberId)).toEqual([
        422,
        ['subscriberId'],
      ])
    }
  })

  test('letter case makes another subscriber', async () => {
    const env = await h.environment()
    await env.post(path, { subscriberId: 'ada' })
    expect((await env.get(`${path}/Ada`)).body.code).toBe('subscriber_not_found')
    await env.post(path, { subscriberId: 'Ada' })
    expect((await env.get(path)).body.totalCount).toBe(2)
  })
})

describe('profile fields', () => {
  test.each<[string, unknown[]]>([
    ['firstName', ['', ' ', 'x'.repeat(10_000), "O'Brien", 'Ёж', 'a\nb', null]],
    ['lastName', ['', 'x'.repeat(10_000), null]],
    ['phone', ['', '+1 (555) 0100', 'not a number', null]],
    ['avatar', ['', 'avatar-7', 'https://example.com/a.png', null]],
    ['email', ['a@b.co', 'jürgen@bücher.example', `${'l'.repeat(64)}@example.com`, null]],
    ['timezone', ['UTC', 'America/Argentina/Buenos_Aires', 'Etc/GMT-14', null]],
    ['locale', ['en', 'en-US', 'en_US', 'zh-Hant-TW', null]],
    ['data', [{}, { a: null }, { a: { b: [{ c: 1 }] } }, { data: { data: {} } }, { '': 0, constructor: 1 }, null]],
  ])('%s is stored as sent', async (name, values) => {
    const env = await h.environment()
    for (const value of values) {
      const reply = await env.post(path, { subscriberId: 'ada', [name]: value })
      expect([reply.status, reply.body[name]], JSON.stringify(value)).toEqual([201, value])
      expect((await env.get(`${path}/ada`)).body[name]).toEqual(value)
    }
  })

  test.each<[string, unknown[]]>([
    ['firstName', [1, true, [], {}]],
    ['lastName', [0, {}]],
    ['phone', [442079460000]],
    ['avatar', [{}]],
    ['email', ['', 'nobody', 'a@b', 'a b@example.com', `${'l'.repeat(65)}@example.com`, 'a@example.com\n', 7]],
    ['timezone', ['', 'Mars/Olympus', '+02:00', 'Europe/Berlin ', 2]],
    ['locale', ['', 'e', 'english language', 'en-US.UTF-8', 1]],
    ['data', [[], 'text', 1, true]],
  ])('%s: 422 names it, and nothing is stored', async (name, values) => {
    const env = await h.environment()
    for (const value of values) {
      const reply = await env.post(path, { subscriberId: 'ada', [name]: value })
      expect([reply.status, Object.keys(reply.body.errors ?? {})], JSON.stringify(value)).toEqual([422, [name]])
    }
    expect((await env.get(path)).body.totalCount).toBe(0)
  })

  test('every fault of one request is named at once', async () => {
    const env = await h.environment()
    const { body } = await env.post(path, { subscriberId: '', email: 'x', timezone: 'y', locale: '?', data: [] })
    expect(Object.keys(body.errors).sort()).toEqual(['data', 'email', 'locale', 'subscriberId', 'timezone'])
    expect(body.errors.email).toMatchObject({ value: 'x' })
  })
})
