import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'
import { jobId } from '../../core/pipeline/plan-steps.ts'
import dropPartitions from '../../tasks/drop-partitions.ts'
import { ensurePartitions } from './partitions.ts'

/*
 * The jobs of a notification are found by computed ids. Here they are looked for as one would without them: by the rows
 * themselves. The steps have every name that a caller may give them.
 */
const h = useHarness({}, { worker: true })
const dayMs = 24 * 3600 * 1000
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs)
let env: Client

/** Of one, two, three and four bytes, with quotes, and as long as may be. */
const stepIds = ['a', 'schritt-ä', '日本', '😀', `"'\\%_ x`, 'e\u0301', '😀'.repeat(50), 'x'.repeat(100)]

const inbox = (stepId: string) => ({ name: 'Inbox', stepId, type: 'in_app', controlValues: { body: 'Hi' } })
const wait = (stepId: string) => ({
  name: 'Wait',
  stepId,
  type: 'delay',
  controlValues: { type: 'regular', amount: 1, unit: 'hours' },
})
const digest = (stepId: string) => ({
  name: 'Digest',
  stepId,
  type: 'digest',
  controlValues: { type: 'regular', amount: 1, unit: 'hours' },
})

beforeAll(async () => {
  env = await h.environment()
  const made = await env.post('/v1/webhook-endpoints', { url: 'https://hooks.example.com/' })
  expect(made.status).toBe(201)
})

type Job = { id: string; notification_id: string; status: string; step_index: number; merged_into: string | null }

/** Of all notifications with this transactionId, by nothing but the rows. */
async function jobsOf(transactionId: string): Promise<Job[]> {
  const { rows } = await sql<Job>`
    select j.id, j.notification_id, j.status, j.step_index, j.merged_into from job j join notification n on n.id = j.notification_id
    where n.environment_id = ${env.environmentId} and n.transaction_id = ${transactionId}
    order by n.id, j.step_index`.execute(h.admin)
  return rows
}
const statuses = async (transactionId: string) => (await jobsOf(transactionId)).map(({ status }) => status)

async function completions(transactionId: string): Promise<Json[]> {
  const { rows } = await sql<{ body: string }>`
    select body from webhook_delivery where environment_id = ${env.environmentId} and type = 'notification.completed'
    union all
    select e.body from webhook_page p cross join unnest(p.types, p.bodies) as e (type, body)
    where p.environment_id = ${env.environmentId} and e.type = 'notification.completed'`.execute(h.admin)
  return rows.map(({ body }) => JSON.parse(body)).filter((it) => it.data.transactionId === transactionId)
}

/** How many rows of jobs and computed ids are without their other half. */
async function strangers(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with own as (select n.id from notification n where n.environment_id = ${env.environmentId}),
    computed as (select k.* from jobs_of(${env.environmentId}, array(select id from own)) k)
    select count(*)::int as n from (select * from job j where j.environment_id = ${env.environmentId}) j
    full join computed k on k.id = j.id and k.notification_id = j.notification_id
    where j.id is null or k.id is null`.execute(h.admin)
  return rows[0]?.n ?? -1
}

test.each(stepIds)('the id of the job of step %j is computed alike by PostgreSQL and here', async (stepId) => {
  const id = '0198c0de-0000-7000-8000-000000000001'
  const { rows } = await sql`select derived_id('job', ${id}, ${stepId}) as id`.execute(h.admin)
  expect(rows).toEqual([{ id: jobId(id, stepId) }])
})

test('the jobs of all versions, of digests, delays and deleted workflows are found, and no others', async () => {
  await makeWorkflow(env, 'odd', { steps: stepIds.map((id) => inbox(id)) })
  await makeWorkflow(env, 'versions', { steps: [inbox('one'), wait('😀'), inbox('two')] })
  await makeWorkflow(env, 'digests', { steps: [digest('😀d'), inbox('after')] })
  await trigger(env, { name: 'odd', to: ['p1', 'p2'], transactionId: 'odd' })
  await trigger(env, { name: 'versions', to: ['p1', 'p2'], transactionId: 'v1' })
  for (const n of [1, 2, 3]) {
    await trigger(env, { name: 'digests', to: ['p1', 'p2'], transactionId: `d${n}` })
    // Else the second may be the first to be taken from the queue.
    await h.drain()
  }
  const { body } = await env.get('/v2/workflows/versions')
  const changed = await env.put('/v2/workflows/versions', { ...body, steps: [wait('new-😀'), inbox('one')] })
  expect(changed.status).toBe(200)
  await trigger(env, { name: 'versions', to: ['p1', 'p3'], transactionId: 'v2' })
  await h.drain()
  expect((await env.delete('/v2/workflows/versions')).status).toBeLessThan(300)
  expect(await statuses('odd')).toEqual(Array(2 * stepIds.length).fill('completed'))
  expect(await statuses('v1')).toEqual(Array(2).fill(['completed', 'delayed', 'pending']).flat())
  expect(await strangers()).toBe(0)
})

test('an event is canceled whole, and each of its notifications is told of once', async () => {
  expect((await env.delete('/v1/events/trigger/v1')).status).toBe(200)
  expect(await statuses('v1')).toEqual(Array(2).fill(['completed', 'canceled', 'canceled']).flat())
  const told = await completions('v1')
  expect(told.map((it) => it.data.steps.map((step: Json) => step.status))).toEqual(
    Array(2).fill(['completed', 'canceled', 'canceled']),
  )
})

test('of a digest whose first member is canceled the next one waits, with all others', async () => {
  const [first, second, third] = await Promise.all(['d1', 'd2', 'd3'].map(jobsOf))
  const of = (jobs: Job[] | undefined, n: number) => jobs?.[n]?.notification_id
  expect(first?.map((it) => it.status)).toEqual(['delayed', 'pending', 'delayed', 'pending'])
  expect(second?.map((it) => it.status)).toEqual(Array(4).fill('merged'))
  expect((await env.delete('/v1/events/trigger/d1')).status).toBe(200)
  expect(await statuses('d1')).toEqual(Array(4).fill('canceled'))
  expect(await statuses('d2')).toEqual(['delayed', 'pending', 'delayed', 'pending'])
  const left = await jobsOf('d3')
  expect(left.map((it) => it.status)).toEqual(Array(4).fill('merged'))
  const carriers = new Set(left.filter((it) => it.merged_into).map((it) => it.merged_into))
  expect(carriers).toEqual(new Set([of(second, 0), of(second, 2)]))
  // And one in the middle leaves.
  expect((await env.delete('/v1/events/trigger/d3')).status).toBe(200)
  expect(await statuses('d3')).toEqual(Array(4).fill('canceled'))
  expect(third).toHaveLength(4)
})

test('of a deleted person nothing waits', async () => {
  expect((await env.delete('/v2/subscribers/p3')).status).toBe(200)
  await h.drain()
  const jobs = await jobsOf('v2')
  expect(jobs.map((it) => it.status).sort()).toEqual(['canceled', 'canceled', 'delayed', 'pending'])
})

test('retention keeps whatever waits, and takes whole what does not', async () => {
  await makeWorkflow(env, 'old', { steps: [inbox('first'), wait('😀'), inbox('last')] })
  const time = daysAgo(100)
  await ensurePartitions(h.admin, time, time)
  const { clock } = h.ctx
  h.ctx.clock = () => time
  await trigger(env, { name: 'old', to: ['o1', 'o2', 'o3'], transactionId: 'old' })
  await h.drain()
  h.ctx.clock = clock
  const waiting = "status in ('delayed', 'pending')"
  const before = await jobsOf('old')
  expect(before).toHaveLength(9)
  // As if the timer of one of them had not run out yet; the others ended long ago.
  const keptId = before[0]?.notification_id ?? ''
  await sql`update job set status = case when notification_id = ${keptId} and step_index > 0 then
      case step_index when 1 then 'delayed' else 'pending' end else 'completed' end,
      run_at = case when notification_id = ${keptId} and step_index = 1 then now() + interval '1 day' end, updated_at = ${time}
    where environment_id = ${env.environmentId} and notification_id in (
      select id from notification where transaction_id = 'old')`.execute(h.admin)
  const { rows: stays } = await sql<{ id: string; stays: boolean; plain: boolean }>`
    select n.id, notification_stays(n.environment_id, n.id, ${daysAgo(90)}) as stays,
      exists (select 1 from job j where j.notification_id = n.id and j.${sql.raw(waiting)}) as plain
    from notification n where n.environment_id = ${env.environmentId} and n.transaction_id = 'old'`.execute(h.admin)
  expect(stays.map((it) => it.stays)).toEqual(stays.map((it) => it.plain))
  for (let n = 0; n < 3; n++) while ((await dropPartitions.run(h.ctx)) > 0) {}
  const left = await jobsOf('old')
  expect(left.map((it) => [it.notification_id, it.status])).toEqual(
    ['completed', 'delayed', 'pending'].map((status) => [keptId, status]),
  )
  const orphans = await sql`select j.id from job j where j.environment_id = ${env.environmentId}
    and not exists (select 1 from notification n where n.id = j.notification_id)`.execute(h.admin)
  expect(orphans.rows).toEqual([])
  // When it is over, nothing of it stays.
  await sql`update job set status = 'completed', run_at = null, updated_at = ${daysAgo(91)}
    where notification_id = ${keptId}`.execute(h.admin)
  for (let n = 0; n < 3; n++) while ((await dropPartitions.run(h.ctx)) > 0) {}
  const rest = await sql`select id from job where notification_id = ${keptId}
    union all select id from notification where id = ${keptId}`.execute(h.admin)
  expect(rest.rows).toEqual([])
})
