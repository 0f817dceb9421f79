import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Json, useSharedHarness } from '../../../test/harness.ts'

const h = useSharedHarness()
const hourMs = 3_600_000

test('deliveries of a span of time are found and counted, with their state and over pages', async () => {
  const env = await h.environment()
  const { body: endpoint } = await env.post('/v1/webhook-endpoints', { url: 'https://hooks.example.com/' })
  const path = `/v1/webhook-endpoints/${endpoint._id}/deliveries`
  const begin = Date.now() - 10 * hourMs
  const at = (hours: number) => new Date(begin + hours * hourMs).toISOString()
  // One each hour, every third of them given up.
  await sql`
    insert into webhook_delivery (environment_id, endpoint_id, id, type, body, created_at, state, since)
    select ${env.environmentId}::uuid, ${endpoint._id}::uuid, uuid_at(moment), 'message.sent', '{}', moment,
      case when n % 3 = 0 then 'failed' else 'delivered' end, moment
    from (select n, ${at(0)}::timestamptz + make_interval(hours => n) as moment from generate_series(0, 9) n) times`.execute(
    h.admin,
  )
  const list = async (query: string): Promise<Json> => {
    const reply = await env.get(`${path}?${query}`)
    expect(reply.status, reply.text).toBe(200)
    return reply.body
  }
  const timesOf = ({ data }: Json) => data.map(({ createdAt }: Json) => createdAt)
  const span = `since=${at(2)}&until=${at(7)}`
  expect(timesOf(await list(span))).toEqual([6, 5, 4, 3, 2].map(at))
  expect(await list(`${span}&limit=1&status=failed`)).toMatchObject({ totalCount: 2, totalCountCapped: false })
  expect(timesOf(await list(`since=${at(8)}`))).toEqual([9, 8].map(at))
  const first = await list(`${span}&limit=3`)
  expect([timesOf(first), first.totalCount]).toEqual([[6, 5, 4].map(at), 5])
  const rest = await list(`${span}&limit=3&after=${first.next}`)
  expect([timesOf(rest), rest.next]).toEqual([[3, 2].map(at), null])
  // A cursor belongs to its span.
  expect((await env.get(`${path}?since=${at(0)}&limit=3&after=${first.next}`)).status).toBe(400)
})

test.each(['since=yesterday', 'until=2026-02-30'])('%s is refused', async (query) => {
  const env = await h.environment()
  const { body } = await env.post('/v1/webhook-endpoints', { url: 'https://hooks.example.com/' })
  expect((await env.get(`/v1/webhook-endpoints/${body._id}/deliveries?${query}`)).status).toBe(422)
})
