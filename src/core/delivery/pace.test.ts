import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { allowing, emailStep, emailWebhook, makeIntegration } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { makeWorkflow } from '../../../test/pipeline.ts'

const [first, second] = [await startHttpReceiver(), await startHttpReceiver()]
const h = useHarness(allowing(first.port, second.port), { worker: true })

test('429s pace the integration: nothing goes elsewhere, no message counts a failure, and each is sent once', async () => {
  const env = await h.environment()
  await makeWorkflow(env, 'hello', { steps: [emailStep] })
  await makeIntegration(env, emailWebhook(first.url))
  await makeIntegration(env, emailWebhook(second.url, { identifier: 'second' }))
  const busy = { status: 429, headers: { 'retry-after': '1' } }
  // One of them meets more than the three failures after which another integration has its turn.
  let [unlucky, calls] = [undefined as unknown, 0]
  first.answer = ({ headers }) => {
    unlucky ??= headers['webhook-id']
    return headers['webhook-id'] === unlucky && ++calls <= 4 ? busy : {}
  }
  const to = Array.from({ length: 5 }, (_, n) => ({ subscriberId: `p${n}`, email: `p${n}@example.org` }))
  const events = to.map((person) => ({ name: 'hello', to: person }))
  expect((await env.post('/v1/events/trigger/bulk', { events })).status).toBe(201)
  await h.settled(30_000)
  expect(second.requests).toHaveLength(0)
  const { rows } = await sql<{ status: string; outcomes: string[]; failed: number }>`
    select m.status, array_agg(a.outcome order by a.number) as outcomes,
      count(*) filter (where a.outcome <> 'sent' and not a.paced)::int as failed
    from message m join attempt a on a.environment_id = m.environment_id and a.message_id = m.id
    where m.environment_id = ${env.environmentId} group by m.id, m.status`.execute(h.admin)
  expect(calls).toBe(5)
  expect(rows).toHaveLength(5)
  for (const row of rows) expect(row).toMatchObject({ status: 'sent', failed: 0 })
  expect(rows.flatMap(({ outcomes }) => outcomes).filter((outcome) => outcome === 'sent')).toHaveLength(5)
  const accepted = first.requests.map((request) => request.headers['webhook-id'])
  expect(new Set(accepted).size).toBe(5)
  const { rows: left } = await sql`select 1 from paced_message`.execute(h.admin)
  expect(left).toEqual([])
})
