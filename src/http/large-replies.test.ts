import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Json, useHarness } from '../../test/harness.ts'
import { makeWorkflow, trigger } from '../../test/pipeline.ts'

const h = useHarness({}, { worker: true })
const half = 'abcdefghij'.repeat(50_000)

test('a large reply has the rows, the order and the fields of a small one', async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  const events = Array.from({ length: 12 }, (_, n) => ({
    name: 'hello',
    to: [`p${n}`, 'ada'],
    payload: {
      n,
      text: half.slice(0, 250_000),
      list: Array.from({ length: 3 }, (_, m) => ({ m, 'ü"\\': `\n${half.slice(0, 70_000)}` })),
    },
    overrides: { email: { subject: `${n}` } },
  }))
  for (const event of events) expect((await env.post('/v1/events/trigger', event)).status).toBe(201)
  await h.drain()
  const lists: [path: string, rows: number][] = [
    ['/v1/messages', 24],
    ['/v1/notifications', 24],
    ['/v1/subscribers/ada/notifications/feed', 12],
  ]
  for (const [path, rows] of lists) {
    const whole = await env.get(`${path}?limit=50`)
    expect(whole.headers.get('content-length')).toBe(null)
    expect(whole.body).toMatchObject({ hasMore: false, page: 0, pageSize: 50 })
    expect(whole.body.data).toHaveLength(rows)
    const single: Json[] = []
    for (let page = 0; page < rows; page++) single.push(...(await env.get(`${path}?limit=1&page=${page}`)).body.data)
    expect(single.map((row) => row._id)).toEqual(whole.body.data.map((row: Json) => row._id))
    for (const row of whole.body.data) expect(events).toContainEqual(expect.objectContaining({ payload: row.payload }))
    const fieldsOf = (list: Json[]) => list.map((row) => Object.keys(row).sort())
    expect(fieldsOf(whole.body.data)).toEqual(fieldsOf(single))
  }
  const exported = (await env.get('/v2/subscribers/ada/export')).body
  expect(exported.messages).toHaveLength(12)
  expect(exported.notifications.map((it: Json) => it.payload.n)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
})

test('a page of large subscribers ends early, and its cursors lose nobody', async () => {
  const env = await h.environment()
  await env.post('/v2/subscribers', { subscriberId: 'ada', data: { text: half.slice(0, 60_000) } })
  await sql`
    insert into subscriber (environment_id, id, subscriber_id, data, updated_at)
    select environment_id, gen_random_uuid(), 'p' || n, data, updated_at from subscriber, generate_series(1, 600) n
    where environment_id = ${env.environmentId}`.execute(h.admin)
  const seen: string[] = []
  let [after, pages] = ['', 0]
  do {
    const { body } = await env.get(`/v2/subscribers?limit=1000&orderBy=subscriberId${after}`)
    seen.push(...body.data.map((row: Json) => row.subscriberId))
    expect(body.totalCount).toBe(601)
    after = body.next && `&after=${body.next}`
    pages++
  } while (after)
  expect(pages).toBe(3)
  expect(new Set(seen).size).toBe(601)
  expect((await env.get('/v2/subscribers?limit=100')).body.data).toHaveLength(100)
})

test('many messages are marked at once, whatever their size: after 4 MB without what is large', async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  for (let n = 0; n < 12; n++) await trigger(env, { to: 'ada', payload: { text: half } })
  await h.drain()
  const messages = (await env.get('/v1/messages?limit=50')).body.data
  const messageId = messages.map((it: Json) => it._id)
  const { body } = await env.post('/v1/subscribers/ada/messages/mark-as', { messageId, markAs: 'read' })
  expect(body.map((it: Json) => it._id)).toEqual(messageId)
  expect(body.every((it: Json) => it.read)).toBe(true)
  expect(body.filter((it: Json) => it.payload)).toHaveLength(8)
})
