import { setTimeout as sleep } from 'node:timers/promises'
import { progressBar } from '../../scripts/progress-bar.ts'
import { jobId } from '../../src/core/pipeline/plan-steps.ts'
import { deterministicId } from '../../src/lib/deterministic-id.ts'
import { uuid7 } from '../../src/lib/uuid7.ts'
import { inAppSteps, payloadOf, workflowId } from '../lib/events.ts'
import { format, quantile } from '../lib/numbers.ts'
import { type Bench, bySize, type Series } from '../lib/series.ts'
import { openStage, type Stage, seedPeople, type Tenant } from '../lib/stage.ts'

const people = 10_000
const perInsert = 50_000
const shares = [0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1]

type World = { tenant: Tenant; workflow: { id: string; version: number }; subscriberIds: string[] }

/** Delays that come due while a million others wait: how late is the message, by the commit that made it visible. */
export const timers: Series = {
  id: 'f',
  title: 'Timers: lateness with many pending',
  async run(bench) {
    const pending = bySize(bench.size, { quick: 20_000, small: 20_000, medium: 200_000, full: 1_000_000 })
    const [perSecond, seconds] = bySize(bench.size, {
      quick: [200, 10],
      small: [200, 5],
      medium: [1_000, 10],
      full: [1_000, 30],
    })
    const stage = await openStage(bench.cluster)
    const world = await arrange(stage)
    const show = progressBar(pending, 'timers')
    for (let done = 0; done < pending; done += perInsert) {
      await insertPending(stage, world, Math.min(perInsert, pending - done))
      show(Math.min(pending, done + perInsert))
    }
    await stage.sql('vacuum (analyze) job')
    await stage.sql('checkpoint')
    const late = await fire(bench, stage, world, perSecond ?? 0, seconds ?? 0)
    await stage.close()
    return {
      figures: [
        { what: 'lateness p50', value: quantile(late, 0.5), unit: 'ms' },
        {
          what: 'lateness p99',
          value: quantile(late, 0.99),
          unit: 'ms',
          floor: { most: bench.size === 'full' ? 1_000 : 3_000 },
          goal: { most: 200 },
        },
        { what: 'lateness at most', value: quantile(late, 1), unit: 'ms' },
      ],
      notes: [
        `${format(pending)} timers of the next year pending; ${format(perSecond ?? 0)} delays a second come due for ${seconds} s. Lateness: from when the delay is over to the commit of the in-app message behind it.`,
      ],
      plot: {
        kind: 'bars',
        title: `Lateness of timers, ${format(pending)} pending`,
        y: 'ms',
        bars: shares.map((share) => ({
          name: share === 1 ? 'at most' : `p${share * 100}`,
          value: quantile(late, share),
        })),
      },
    }
  },
}

async function arrange(stage: Stage): Promise<World> {
  const tenant = await stage.tenant()
  const wait = { stepId: 'wait', name: 'Wait', type: 'delay', controlValues: { amount: 1, unit: 'days' } }
  await stage.workflow(tenant, [wait, ...inAppSteps])
  const [workflow] = await stage.sql<{ id: string; version: number }>(
    'select id, version from workflow where environment_id = $1 and identifier = $2',
    [tenant.environmentId, workflowId],
  )
  if (!workflow) throw new Error('the workflow was made')
  await stage.sql('create table bench_due (notification_id uuid primary key, due timestamptz not null)')
  return { tenant, workflow, subscriberIds: await seedPeople(stage, tenant, people) }
}

/** Ids as the pipeline makes them, so that what is due can be found and go on; those that never come due need none. */
type Due = { notificationIds: string[]; waitIds: string[]; inboxIds: string[]; dues: Date[] }

/** Waiting notifications of one event, as rows of the pipeline. `made`: which ones; its parameters begin at $6. */
async function insertWaiting(
  stage: Stage,
  world: World,
  eventId: string,
  made: string,
  values: unknown[],
): Promise<void> {
  const { tenant, workflow, subscriberIds } = world
  await stage.sql(
    `insert into event (environment_id, id, transaction_id, workflow_id, workflow_version, payload, overrides, recipients, state)
     values ($1, $2, $2::uuid::text, $3, $4, $5, '{}', '[]', 'expanded')`,
    [tenant.environmentId, eventId, workflow.id, workflow.version, payloadOf(1)],
  )
  await stage.sql(
    `insert into event_key (environment_id, transaction_id, event_id, event_hash) values ($1, $2::uuid::text, $2, 'x')`,
    [tenant.environmentId, eventId],
  )
  await stage.sql(
    `with made as materialized (${made}),
     notified as (
       insert into notification (environment_id, id, event_id, transaction_id, subscriber_id, workflow_id, workflow_version)
       select $1::uuid, notification_id, $2::uuid, $2::uuid::text, ($3::uuid[])[1 + n % cardinality($3::uuid[])], $4::uuid, $5::int
       from made)
     insert into job (environment_id, id, notification_id, step_index, type, status, details, run_at, updated_at)
     select $1::uuid, wait_id, notification_id, 0, 'delay', 'delayed', '[]'::jsonb, due, now() from made
     union all
     select $1::uuid, inbox_id, notification_id, 1, 'in_app', 'pending', '[]'::jsonb, null, now() from made`,
    [tenant.environmentId, eventId, subscriberIds, workflow.id, workflow.version, ...values],
  )
  // What the worker compares with the rows while it works.
  await stage.sql(
    `update event set notified_count = (
       select count(*) from notification where environment_id = $1 and event_id = $2)
     where environment_id = $1 and id = $2`,
    [tenant.environmentId, eventId],
  )
}

/** Timers of the next year. */
async function insertPending(stage: Stage, world: World, count: number): Promise<void> {
  const id = `(substr($2::uuid::text, 1, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid`
  const made = `select n, ${id} as notification_id, ${id} as wait_id, ${id} as inbox_id,
    now() + interval '1 day' + random() * interval '364 days' as due from generate_series(0, $6::int - 1) as n`
  await insertWaiting(stage, world, uuid7(new Date()), made, [count])
}

/** An event for so many people, whose delays end one after another. */
async function insertDue(stage: Stage, world: World, count: number, dueOf: (n: number) => Date): Promise<void> {
  const eventId = uuid7(new Date())
  const due: Due = { notificationIds: [], waitIds: [], inboxIds: [], dues: [] }
  for (const [n, subscriberId] of world.subscriberIds.slice(0, count).entries()) {
    const notificationId = deterministicId(eventId, 'notification', eventId, subscriberId)
    due.notificationIds.push(notificationId)
    due.waitIds.push(jobId(notificationId, 'wait'))
    due.inboxIds.push(jobId(notificationId, 'inbox'))
    due.dues.push(dueOf(n))
  }
  const columns = [due.notificationIds, due.waitIds, due.inboxIds, due.dues]
  const made = `select (n - 1)::int as n, notification_id, wait_id, inbox_id, due
    from unnest($6::uuid[], $7::uuid[], $8::uuid[], $9::timestamptz[]) with ordinality
      as d (notification_id, wait_id, inbox_id, due, n)`
  await insertWaiting(stage, world, eventId, made, columns)
  await stage.sql('insert into bench_due select * from unnest($1::uuid[], $2::timestamptz[])', [
    due.notificationIds,
    due.dues,
  ])
}

/** Answers how late each was, in milliseconds. */
async function fire(bench: Bench, stage: Stage, world: World, perSecond: number, seconds: number): Promise<number[]> {
  const total = perSecond * seconds
  // So far ahead that all are written before the first is due.
  const first = Date.now() + 5_000 + total / 10
  for (let from = 0; from < total; from += people) {
    await insertDue(
      stage,
      world,
      Math.min(people, total - from),
      (n) => new Date(first + ((from + n) * 1000) / perSecond),
    )
  }
  if (Date.now() > first) throw new Error('the timers were due before all were written')
  bench.say(`${format(total)} come due, ${format(perSecond)} a second`)
  await sleep(first + seconds * 1000 - Date.now())
  while (true) {
    const rows = await stage.sql<{ late: number }>(
      `select extract(epoch from pg_xact_commit_timestamp(m.xmin) - d.due)::float8 * 1000 as late
       from message m join bench_due d on d.notification_id = m.notification_id where m.environment_id = $1`,
      [world.tenant.environmentId],
    )
    if (rows.length === total) return rows.map((row) => row.late)
    if (Date.now() > first + (seconds + 120) * 1000) throw new Error(`only ${rows.length} of ${total} have fired`)
    await sleep(500)
  }
}
