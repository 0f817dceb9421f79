import { sql } from 'kysely'
import { type Db, type Env, inTransaction } from '../src/store/database.ts'
import { ensurePartitions } from '../src/store/history/partitions.ts'
import { findWorkflowsByIdentifier } from '../src/store/workflows.ts'
import { progressBar } from './progress-bar.ts'

/** `inFlight`: batches made at once; one unless said. `workflow`: whose history it is. */
type Options = { total: number; now: Date; batchSize: number; inFlight?: number; workflow?: string }

/**
 * Rows as the pipeline writes them (event, notification, job, message and all their indexes), made inside PostgreSQL: a
 * thousand notifications to an event, oldest first.
 */
export async function seedHistory(db: Db, env: Env, options: Options): Promise<void> {
  const { total, now, batchSize, inFlight = 1, workflow: name = 'hello' } = options
  const [workflow] = await findWorkflowsByIdentifier(db, env, [name])
  if (!workflow) throw new Error(`the environment has no "${name}" workflow; apply one`)
  await ensurePartitions(db, new Date(now.getTime() - 29 * 24 * 3600 * 1000), now)
  const recipients = await pickRecipients(db, env)
  const show = progressBar(total, 'messages')
  let [next, done] = [0, 0]
  const lane = async () => {
    while (next < total) {
      const [from, count] = [next, Math.min(batchSize, total - next)]
      next += count
      await inTransaction(db, (trx) => insertBatch(trx, env, workflow, { from, count, total, now, recipients }))
      done += count
      show(done)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, lane)).finally(() => dropScratchSchema(db))
  console.log('vacuum analyze …')
  for (const table of ['event', 'notification', 'job', 'message'])
    await sql`vacuum (analyze) ${sql.table(table)}`.execute(db)
}

// The scratch table has a schema to itself, so its name can never be that of a table of the service.
const scratchSchema = 'seed_history'
const recipientTable = sql.id(scratchSchema, 'recipient')

/**
 * Numbers up to ten thousand subscribers in a table, and returns how many there are. A temporary table is not enough,
 * because the batches run on different connections.
 */
async function pickRecipients(db: Db, env: Env): Promise<number> {
  await dropScratchSchema(db)
  await sql`create schema ${sql.id(scratchSchema)}`.execute(db)
  await sql`
    create table ${recipientTable} as select id, (row_number() over () - 1)::int as k from (
      select id from subscriber where environment_id = ${env.environmentId} order by id limit 10000) s`.execute(db)
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${recipientTable}`.execute(db)
  if (!rows[0]?.n) throw new Error('there are no subscribers to notify; run npm run seed -- --subscribers first')
  return rows[0].n
}

async function dropScratchSchema(db: Db): Promise<void> {
  await sql`drop schema if exists ${sql.id(scratchSchema)} cascade`.execute(db)
}

async function insertBatch(
  db: Db,
  env: Env,
  workflow: { id: string; version: number },
  batch: { from: number; count: number; total: number; now: Date; recipients: number },
): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(db)
  // An id of a moment: its first 48 bits are the time, the rest is chance.
  const idAt = (moment: unknown) =>
    sql`(substr(uuid_at(${moment})::text, 1, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid`
  const jobId = sql`derived_id('job', notification_id, (
    select definition->'steps'->0->>'stepId' from workflow_version
    where environment_id = ${env.environmentId} and workflow_id = ${workflow.id} and version = ${workflow.version}))`
  const start = sql`${batch.now}::timestamptz - interval '28 days'`
  const momentOf = (thousand: unknown) =>
    sql`${start} + interval '28 days' * (${thousand} * 1000)::float8 / ${batch.total}::float8`
  const [first, last] = [Math.floor(batch.from / 1000), Math.floor((batch.from + batch.count - 1) / 1000)]
  await sql`
    create temporary table batch on commit drop as
    with happened as materialized (
      select thousand, ${momentOf(sql`thousand`)} as moment, ${idAt(momentOf(sql`thousand`))} as event_id
      from generate_series(${first}::int, ${last}::int) as thousand)
    select n, h.moment, h.event_id, ${idAt(sql`h.moment`)} as notification_id,
      ${idAt(sql`h.moment`)} as message_id, recipient.id as subscriber_id
    from generate_series(${batch.from}::int, ${batch.from + batch.count - 1}::int) as n
    join happened h on h.thousand = n / 1000
    join ${recipientTable} recipient on recipient.k = n % ${batch.recipients}::int`.execute(db)
  await sql`
    insert into event (environment_id, id, transaction_id, workflow_id, workflow_version, payload, overrides, state)
    select distinct on (batch.event_id) ${env.environmentId}::uuid, event_id, event_id::text, ${workflow.id}::uuid, ${workflow.version}::int,
      jsonb_build_object('message', 'seeded', 'n', n / 1000), '{}'::jsonb, 'expanded' from batch`.execute(db)
  await sql`
    insert into notification (environment_id, id, event_id, transaction_id, subscriber_id, workflow_id, workflow_version)
    select ${env.environmentId}::uuid, notification_id, event_id, event_id::text, subscriber_id, ${workflow.id}::uuid, ${workflow.version}::int
    from batch`.execute(db)
  await sql`
    insert into job (environment_id, id, notification_id, step_index, type, status, provider_id, message_ids, details, updated_at)
    select ${env.environmentId}::uuid, ${jobId}, notification_id, 0, 'in_app', 'completed', 'platform', array[message_id],
      '[{"at": "2026-01-01T00:00:00.000Z", "status": "Success", "detail": "Message sent"}]'::jsonb, moment from batch`.execute(
    db,
  )
  await sql`
    insert into message (environment_id, id, event_id, notification_id, job_id, subscriber_id, workflow_id, workflow_version,
      step_index, transaction_id, channel, provider_id, status, subject, content, updated_at)
    select ${env.environmentId}::uuid, message_id, event_id, notification_id, ${jobId}, subscriber_id, ${workflow.id}::uuid,
      ${workflow.version}::int, 0, event_id::text, 'in_app', 'platform', 'sent', 'Hello', 'Hello from the seed, number ' || n, moment
    from batch`.execute(db)
}
