import { describe, expect, test } from 'vitest'
import { type Json, useSharedHarness } from '../../../test/harness.ts'

const h = useSharedHarness()
const path = '/v1/subscribers/bulk'
const numbered = (count: number, extra: object = {}) =>
  Array.from({ length: count }, (_, n) => ({ subscriberId: `s-${n}`, ...extra }))
const ids = (refs: { subscriberId: string }[]) => refs.map((ref) => ref.subscriberId)

describe('POST /v1/subscribers/bulk', () => {
  test('says of each which was created, which updated and which failed, and does just that', async () => {
    const env = await h.environment()
    await env.post('/v2/subscribers', { subscriberId: 'old', firstName: 'Old', lastName: 'Stays' })
    const { status, body } = await env.post(path, {
      subscribers: [
        { subscriberId: 'new', firstName: 'New', email: 'new@example.com', data: { a: 1 }, locale: 'en_US' },
        { subscriberId: 'old', firstName: 'Newer' },
        { subscriberId: 'bad', email: 'nobody' },
        { firstName: 'Nameless' },
        { subscriberId: '' },
        { subscriberId: 7 },
      ],
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      created: [{ subscriberId: 'new' }],
      updated: [{ subscriberId: 'old' }],
      failed: [
        { subscriberId: 'bad', message: expect.stringContaining('email') },
        { message: expect.stringContaining('subscriberId') },
        { subscriberId: '', message: expect.stringContaining('subscriberId') },
        { message: expect.stringContaining('subscriberId') },
      ],
    })
    const shown = async (id: string) => (await env.get(`/v2/subscribers/${id}`)).body
    expect(await shown('new')).toMatchObject({ email: 'new@example.com', data: { a: 1 }, locale: 'en_US', __v: 0 })
    expect(await shown('old')).toMatchObject({ firstName: 'Newer', lastName: 'Stays', __v: 1 })
    expect((await env.get('/v2/subscribers')).body.totalCount).toBe(2)
  })

  test('one bad entry among 500 stops nobody else', async () => {
    const env = await h.environment()
    const subscribers: Json[] = numbered(500, { firstName: 'Ada' })
    subscribers[250].timezone = 'Mars/Olympus'
    const { body } = await env.post(path, { subscribers })
    expect([body.created.length, body.updated.length]).toEqual([499, 0])
    expect(body.failed).toEqual([{ subscriberId: 's-250', message: expect.stringContaining('timezone') }])
    expect((await env.get('/v2/subscribers')).body.totalCount).toBe(499)
  })

  test('they are listed in the order of the request', async () => {
    const env = await h.environment()
    await env.post(path, { subscribers: numbered(500) })
    const { body } = await env.get('/v2/subscribers?limit=1000&orderDirection=ASC')
    expect(ids(body.data)).toEqual(ids(numbered(500)))
  })

  test('500 pass, 501 and none are 422, and so is what is not a list of objects', async () => {
    const env = await h.environment()
    expect((await env.post(path, { subscribers: numbered(501) })).status).toBe(422)
    for (const subscribers of [[], {}, null, ['ada'], [null], [[]]]) {
      const reply = await env.post(path, { subscribers })
      expect(reply.status, JSON.stringify(subscribers)).toBe(422)
    }
    expect((await env.get('/v2/subscribers')).body.totalCount).toBe(0)
    expect((await env.post(path, { subscribers: numbered(500) })).body.created).toHaveLength(500)
  })

  test('one person twice in a call is one subscriber with the fields of both, the later winning', async () => {
    const env = await h.environment()
    const { body } = await env.post(path, {
      subscribers: [
        { subscriberId: 'ada', firstName: 'Ada', lastName: 'Byron', data: { a: 1 } },
        { subscriberId: 'eve' },
        { subscriberId: ' ada ', lastName: 'Lovelace', data: { b: 2 } },
      ],
    })
    expect(body).toEqual({ created: [{ subscriberId: 'ada' }, { subscriberId: 'eve' }], updated: [], failed: [] })
    expect((await env.get('/v2/subscribers/ada')).body).toMatchObject({
      firstName: 'Ada',
      lastName: 'Lovelace',
      data: { b: 2 },
      __v: 0,
    })
  })

  test('an entry that changes nothing counts as updated and moves neither __v nor updatedAt', async () => {
    const env = await h.environment()
    const ada = { subscriberId: 'ada', firstName: 'Ada', data: { a: 1 } }
    const made = (await env.post('/v2/subscribers', ada)).body
    expect((await env.post(path, { subscribers: [ada] })).body.updated).toEqual([{ subscriberId: 'ada' }])
    expect((await env.get('/v2/subscribers/ada')).body).toEqual(made)
  })

  test('null clears, absent stays, unknown and owned fields have no effect', async () => {
    const env = await h.environment()
    await env.post('/v2/subscribers', { subscriberId: 'ada', firstName: 'Ada', phone: '1', data: { a: 1 } })
    const entry = { subscriberId: 'ada', phone: null, data: null, _id: 'x', __v: 9, deleted: true, nickname: 'A' }
    await env.post(path, { subscribers: [entry] })
    const { body } = await env.get('/v2/subscribers/ada')
    expect(body).toMatchObject({ firstName: 'Ada', phone: null, data: null, __v: 1, deleted: false })
  })

  test('calls at once over the same people, in opposite order: no 5xx, one row each, every entry told', async () => {
    const env = await h.environment()
    const people = numbered(100)
    const calls = Array.from({ length: 10 }, (_, n) => {
      const subscribers = people.map((person) => ({ ...person, firstName: `Name ${n}` }))
      return env.post(path, { subscribers: n % 2 ? subscribers.reverse() : subscribers })
    })
    const replies = await Promise.all(calls)
    expect(replies.map((reply) => reply.status)).toEqual(replies.map(() => 201))
    const created = replies.flatMap((reply) => ids(reply.body.created))
    expect(created.sort()).toEqual(ids(people).sort())
    for (const { body } of replies) expect(body.created.length + body.updated.length).toBe(100)
    expect((await env.get('/v2/subscribers')).body.totalCount).toBe(100)

    const updates = Array.from({ length: 10 }, (_, n) => {
      const subscribers = people.map((person) => ({ ...person, lastName: `Name ${n}` }))
      return env.post(path, { subscribers: n % 2 ? subscribers.reverse() : subscribers })
    })
    for (const reply of await Promise.all(updates)) expect(reply.status).toBe(201)
  })
})
