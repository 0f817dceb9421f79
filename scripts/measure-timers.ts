/**
 * npm run measure-timers      (--pending 1000000 --rate 1000 --seconds 30 --p99 1000)
 *
 * A real process on a database of its own. While timers pile up to a million, a page of waiting notifications is written
 * again and again by the pipeline's own statements: that must cost the same at the end as at the beginning. Then so many
 * come due per second, and the lateness of each is printed: until it was woken, and until its message was there. Exits 1
 * when the p99 of the latter passes the limit.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { jobId } from '../src/core/pipeline/plan-steps.ts'
import { deterministicId } from '../src/lib/deterministic-id.ts'
import { uuid7 } from '../src/lib/uuid7.ts'
import { type Db, type Env, openDatabase } from '../src/store/database.ts'
import { insertHistory, type NewJob } from '../src/store/history/history.ts'
import { noNames } from '../src/store/webhooks/tell-of-new.ts'
import { findWorkflowsByIdentifier } from '../src/store/workflows.ts'
import { progressBar } from './progress-bar.ts'
import { type Program, withProgram } from './with-program.ts'

const { values } = parseArgs({
  options: {
    pending: { type: 'string', default: '1000000' },
    rate: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '30' },
    p99: { type: 'string', default: '1000' },
  },
})
const [pending, rate, seconds] = [Number(values.pending), Number(values.rate), Number(values.seconds)]
const [batchSize, pageSize, people] = [50_000, 250, 1_000]
const dayMs = 86_400_000

type World = { db: Db; env: Env; workflow: { id: string; version: number }; subscriberIds: string[] }

await withProgram('timers', async (program) => {
  const { db, close } = openDatabase({ url: program.databaseUrl, poolSize: 4, rowLevelSecurity: false, onError() {} })
  try {
    const world = await arrange(program, db)
    await pileUp(world)
    process.exitCode = (await fire(world)) > Number(values.p99) ? 1 : 0
  } finally {
    await close()
  }
})

async function arrange({ url, key }: Program, db: Db): Promise<World> {
  const steps = [
    { stepId: 'wait', name: 'Wait', type: 'delay', controlValues: { amount: 1, unit: 'days' } },
    { stepId: 'inbox', name: 'Inbox', type: 'in_app', controlValues: { body: 'Hello {{payload.name}}' } },
  ]
  const made = await fetch(`${url}/v2/workflows`, {
    method: 'POST',
    headers: { authorization: `ApiKey ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ workflowId: 'later', name: 'later', steps }),
  })
  if (made.status !== 201) throw new Error(`no workflow: ${await made.text()}`)
  const { rows } = await sql<{ environment_id: string }>`
    select environment_id from workflow where identifier = 'later'`.execute(db)
  const env: Env = { environmentId: rows[0]?.environment_id ?? '', organizationId: '', keyId: '' }
  const [workflow] = await findWorkflowsByIdentifier(db, env, ['later'])
  if (!workflow) throw new Error('the workflow was made')
  const { rows: subscribers } = await sql<{ id: string }>`
    insert into subscriber (environment_id, id, subscriber_id, updated_at)
    select ${env.environmentId}, gen_random_uuid(), 'person-' || n, now() from generate_series(1, ${people}::int) as n
    returning id`.execute(db)
  return { db, env, workflow, subscriberIds: subscribers.map((row) => row.id) }
}

async function pileUp(world: World): Promise<void> {
  console.log(`a page of ${pageSize} that wait, written by the pipeline's statements (median of 20):`)
  const show = progressBar(pending, 'timers')
  const costs = [await measurePages(world, 0)]
  for (let done = 0; done < pending; done += batchSize) {
    await seedBatch(world, Math.min(batchSize, pending - done))
    show(done + batchSize)
    if ((done + batchSize) % (pending / 4) < batchSize) costs.push(await measurePages(world, done + batchSize))
  }
  await sql`analyze job`.execute(world.db)
  for (const { timers, ms } of costs) console.log(`  ${String(timers).padStart(9)} timers  ${ms.toFixed(1)} ms`)
}

/** Timers of the next year, as rows of the pipeline; made inside PostgreSQL. */
async function seedBatch({ db, env, workflow, subscriberIds }: World, count: number): Promise<void> {
  const eventId = uuid7(new Date())
  await insertEvent(db, env, workflow, eventId)
  const chance = sql`(substr(${eventId}::text, 1, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid`
  await sql`
    with made as materialized (
      select n, ${chance} as notification_id, ${chance} as wait_id, ${chance} as inbox_id,
        now() + interval '1 day' + random() * interval '364 days' as due
      from generate_series(1, ${count}::int) as n),
    notified as (
      insert into notification (environment_id, id, event_id, transaction_id, subscriber_id, workflow_id, workflow_version)
      select ${env.environmentId}::uuid, notification_id, ${eventId}::uuid, ${eventId}, 
        (${subscriberIds}::uuid[])[1 + n % ${people}::int], ${workflow.id}::uuid, ${workflow.version}::int from made)
    insert into job (environment_id, id, notification_id, step_index, type, status, details, run_at, updated_at)
    select ${env.environmentId}::uuid, wait_id, notification_id, 0, 'delay', 'delayed', '[]'::jsonb, due, now() from made
    union all
    select ${env.environmentId}::uuid, inbox_id, notification_id, 1, 'in_app', 'pending', '[]'::jsonb, null, now() from made`.execute(
    db,
  )
}

async function measurePages(world: World, timers: number): Promise<{ timers: number; ms: number }> {
  const times: number[] = []
  for (let round = 0; round < 20; round++) {
    const startedAt = performance.now()
    await insertWaiting(world, pageSize, () => new Date(Date.now() + (30 + Math.random() * 300) * dayMs))
    times.push(performance.now() - startedAt)
  }
  return { timers, ms: quantile(times, 0.5) }
}

/** An event for so many people, each of whom waits. */
async function insertWaiting({ db, env, workflow, subscriberIds }: World, count: number, dueOf: (n: number) => Date) {
  const eventId = uuid7(new Date())
  await insertEvent(db, env, workflow, eventId)
  const notifications = subscriberIds.slice(0, count).map((subscriberId) => ({
    id: deterministicId(eventId, 'notification', eventId, subscriberId),
    event_id: eventId,
    transaction_id: eventId,
    subscriber_id: subscriberId,
    workflow_id: workflow.id,
    workflow_version: workflow.version,
    topic_ids: null,
    context_keys: null,
  }))
  const blank = { provider_id: null, message_ids: null, details: [], merged_into: null, extensions: 0 }
  const jobs = notifications.flatMap(({ id }, n): NewJob[] => {
    const job = { ...blank, notification_id: id }
    const run_at = dueOf(n).toISOString()
    return [
      { ...job, id: jobId(id, 'wait'), step_index: 0, type: 'delay', status: 'delayed', run_at },
      { ...job, id: jobId(id, 'inbox'), step_index: 1, type: 'in_app', status: 'pending', run_at: null },
    ]
  })
  await insertHistory(db, env, { notifications, jobs, messages: [], names: noNames }, new Date())
}

async function insertEvent(db: Db, env: Env, workflow: World['workflow'], id: string): Promise<void> {
  await sql`
    insert into event (environment_id, id, transaction_id, workflow_id, workflow_version, payload, overrides, state)
    values (${env.environmentId}, ${id}, ${id}, ${workflow.id}, ${workflow.version}, '{"name": "Ada"}', '{}', 'expanded')`.execute(
    db,
  )
}

/** Answers the p99 of how late a message was. */
async function fire(world: World): Promise<number> {
  const total = rate * seconds
  // So far ahead that all are written before the first is due.
  const first = Date.now() + 5_000 + total
  for (let from = 0; from < total; from += people) {
    const count = Math.min(people, total - from)
    await insertWaiting(world, count, (n) => new Date(first + ((from + n) * 1000) / rate))
  }
  if (Date.now() > first) throw new Error('the timers were due before all were written: a smaller --rate or --seconds')
  console.log(`${total} come due, ${rate} a second, for ${seconds} s …`)
  await sleep(first - Date.now())
  const seen: number[] = []
  for (let visible = 0; visible < total; await sleep(100)) {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from message where environment_id = ${world.env.environmentId}`.execute(world.db)
    visible = rows[0]?.n ?? 0
    // The oldest that is not there yet: they fire in the order in which they are due.
    const oldest = first + (visible * 1000) / rate
    if (visible < total) seen.push(Math.max(0, Date.now() - oldest))
    if (Date.now() > first + (seconds + 60) * 1000) throw new Error(`only ${visible} of ${total} have fired`)
  }
  const span = [new Date(first), new Date(first + seconds * 1000)]
  const { rows } = await sql<{ woken: number; sent: number }>`
    select extract(epoch from j.updated_at - due.at)::float8 * 1000 as woken,
      extract(epoch from m.updated_at - due.at)::float8 * 1000 as sent
    from message m
    join notification n on n.environment_id = m.environment_id and n.id = m.notification_id
    join job j on j.environment_id = n.environment_id and j.notification_id = n.id and j.type = 'delay'
    cross join lateral (select ${span[0]}::timestamptz as at) due
    where m.environment_id = ${world.env.environmentId} order by j.updated_at, j.id`.execute(world.db)
  // Woken in order: the n-th was due at the n-th moment.
  const late = (of: 'woken' | 'sent') => rows.map((row, n) => row[of] - (n * 1000) / rate)
  print('woken', late('woken'))
  print('its message begun', late('sent'))
  print('not yet visible, the oldest', seen)
  return quantile(seen, 0.99)
}

function print(what: string, times: readonly number[]): void {
  const at = (share: number) => `${quantile(times, share).toFixed(0)} ms`
  console.log(`${what.padEnd(28)} late by p50 ${at(0.5)}, p99 ${at(0.99)}, at most ${at(1)}`)
}

function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}
