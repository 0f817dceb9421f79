import { sql } from 'kysely'
import { chunksByWeight } from '../../lib/chunks.ts'
import type { Db, Env } from '../database.ts'
import { insertRows, sortedById } from '../insert-rows.ts'
import type { EventType } from '../webhooks/event-types.ts'
import { endedAtOnce, type Names, tellOfNew } from '../webhooks/tell-of-new.ts'

export type NewNotification = {
  id: string
  event_id: string
  transaction_id: string
  subscriber_id: string
  workflow_id: string
  workflow_version: number
  topic_ids: readonly string[] | null
  context_keys: readonly string[] | null
}

export type JobStatus =
  | 'pending'
  | 'queued'
  | 'running'
  | 'completed'
  | 'failed'
  | 'delayed'
  | 'canceled'
  | 'merged'
  | 'skipped'

/** One line of a job's history, as stored; it gets its id when it is read. */
export type Detail = {
  at: string
  status: 'Success' | 'Warning' | 'Failed' | 'Pending' | 'Queued' | 'ReadConfirmation'
  detail: string
  providerId?: string
  raw?: string
  retry?: true
  source?: 'Credentials' | 'Webhook'
}

export type NewJob = {
  id: string
  notification_id: string
  step_index: number
  type: string
  status: JobStatus
  provider_id: string | null
  message_ids: readonly string[] | null
  details: readonly Detail[]
  /** When a waiting job is due. */
  run_at: string | null
  merged_into: string | null
  extensions: number
}

export type NewMessage = {
  id: string
  event_id: string
  notification_id: string
  job_id: string
  subscriber_id: string
  workflow_id: string
  workflow_version: number
  step_index: number
  transaction_id: string
  channel: string
  provider_id: string | null
  status: 'sent' | 'error' | 'warning'
  error_id: string | null
  error_text: string | null
  subject: string | null
  content: string
  cta: Record<string, unknown>
  avatar: string | null
  data: Record<string, unknown> | null
  context_keys: readonly string[] | null
  /** `open`: to be sent. The fields below are only for these. */
  delivery: 'open' | null
  integration_id: string | null
  endpoint_id: string | null
  address: string | null
  envelope: Record<string, unknown> | null
  priority: number | null
  retry_at: string | null
  expires_at: string | null
}

/**
 * Records outcomes of jobs that waited for an earlier step, or for the bridge: what it answered stands in the messages
 * then. Returns how many: fewer means another worker was faster.
 */
export async function recordPendingJobs(db: Db, env: Env, jobs: readonly NewJob[], now: Date): Promise<number> {
  if (jobs.length === 0) return 0
  const { numAffectedRows } = await sql`
    update job j set status = s.status, provider_id = s.provider_id, message_ids = s.message_ids, details = j.details || s.details,
      answer = case when s.message_ids is null or s.status = 'delayed' or j.type = 'custom' then j.answer end,
      run_at = s.run_at, merged_into = s.merged_into, extensions = j.extensions + s.extensions, updated_at = ${now}
    from jsonb_to_recordset(${JSON.stringify(sortedById(jobs))}::jsonb)
      as s (id uuid, status text, provider_id text, message_ids uuid[], details jsonb, run_at timestamptz,
        merged_into uuid, extensions smallint)
    where j.environment_id = ${env.environmentId} and j.id = s.id and j.status = 'pending'`.execute(db)
  return Number(numAffectedRows ?? 0)
}

const notificationColumns = {
  id: 'uuid',
  event_id: 'uuid',
  transaction_id: 'text',
  subscriber_id: 'uuid',
  workflow_id: 'uuid',
  workflow_version: 'int',
  topic_ids: 'uuid[]',
  context_keys: 'text[]',
} satisfies Record<keyof NewNotification, string>

const jobColumns = {
  id: 'uuid',
  notification_id: 'uuid',
  step_index: 'smallint',
  type: 'text',
  status: 'text',
  provider_id: 'text',
  message_ids: 'uuid[]',
  details: 'jsonb',
  run_at: 'timestamptz',
  merged_into: 'uuid',
  extensions: 'smallint',
} satisfies Record<keyof NewJob, string>

const messageColumns = {
  id: 'uuid',
  event_id: 'uuid',
  notification_id: 'uuid',
  job_id: 'uuid',
  subscriber_id: 'uuid',
  workflow_id: 'uuid',
  workflow_version: 'int',
  step_index: 'smallint',
  transaction_id: 'text',
  channel: 'text',
  provider_id: 'text',
  status: 'text',
  error_id: 'text',
  error_text: 'text',
  subject: 'text',
  content: 'text',
  cta: 'jsonb',
  avatar: 'text',
  data: 'jsonb',
  context_keys: 'text[]',
  delivery: 'text',
  integration_id: 'uuid',
  endpoint_id: 'uuid',
  address: 'text',
  envelope: 'jsonb',
  priority: 'smallint',
  retry_at: 'timestamptz',
  expires_at: 'timestamptz',
} satisfies Record<keyof NewMessage, string>

type NewRows = { messages: readonly NewMessage[]; names: () => Names }

/**
 * Inserts a page of history, one statement per table. Existing rows (the task ran before) stay as they are. Returns the
 * notifications that existed.
 */
export async function insertHistory(
  db: Db,
  env: Env,
  page: NewRows & { notifications: readonly NewNotification[]; jobs: readonly NewJob[] },
  now: Date,
): Promise<Set<string>> {
  const ended = endedAtOnce(db, page.jobs)
  const known = await insertNotifications(db, env, page.notifications, ended, now)
  const isNew = (row: { notification_id: string }) => !known.has(row.notification_id)
  await insertRows(db, env, 'job', { columns: jobColumns, same: { updated_at: now } }, page.jobs.filter(isNew))
  const messages = page.messages.filter(isNew)
  await writeMessages(db, env, messages, now)
  const completed = page.notifications.filter(({ id }) => ended.has(id) && !known.has(id))
  const told = { messages: messages.flatMap(toNewChange), completed, jobs: page.jobs, names: page.names }
  await tellOfNew(db, env, told, now)
  return known
}

/** Returns those that exist: an earlier page of the same event reached the person (two topics that overlap). */
async function insertNotifications(
  db: Db,
  env: Env,
  notifications: readonly NewNotification[],
  ended: ReadonlySet<string>,
  now: Date,
): Promise<Set<string>> {
  // Where nobody is told of it, the statement has no such column.
  const columns = ended.size === 0 ? notificationColumns : { ...notificationColumns, completed_at: 'timestamptz' }
  const given = notifications.map((it) => (ended.has(it.id) ? { ...it, completed_at: now } : it))
  const inserted = await insertRows(db, env, 'notification', { columns }, given)
  if (inserted === notifications.length) return new Set()
  // Rare. Rows that this transaction wrote have its number in `xmin`; the others existed before.
  const { rows } = await sql<{ id: string }>`
    select known.id from unnest(${notifications.map(({ id }) => id)}::uuid[]) as given (id)
    join notification known on known.environment_id = ${env.environmentId} and known.id = given.id
    where known.xmin <> pg_current_xact_id()::xid`.execute(db)
  return new Set(rows.map((row) => row.id))
}

/**
 * For a transaction that another one of ours waits for by itself, which PostgreSQL does not see: if they wait for each
 * other all the same (somebody left a topic and came back between two pages), it ends after seconds, not half a minute.
 */
export async function waitBriefly(db: Db, atMost = '3s'): Promise<void> {
  await sql`select set_config('lock_timeout', ${atMost}, true)`.execute(db)
}

// Of one statement. A page of long texts in one would hold up everybody on the node while it is put together.
const mostChars = 4 * 1024 * 1024

/** Existing messages stay as they are. */
export async function insertMessages(db: Db, env: Env, { messages, names }: NewRows, now: Date): Promise<void> {
  await writeMessages(db, env, messages, now)
  await tellOfNew(db, env, { messages: messages.flatMap(toNewChange), completed: [], jobs: [], names }, now)
}

async function writeMessages(db: Db, env: Env, messages: readonly NewMessage[], now: Date): Promise<void> {
  const weigh = (message: NewMessage) => message.content.length
  for (const part of chunksByWeight(messages, mostChars, weigh)) {
    await insertRows(db, env, 'message', { columns: messageColumns, same: { updated_at: now } }, part)
  }
}

/** What is to be sent has not ended yet, and what was left out was never begun. */
function toNewChange(row: NewMessage): { row: NewMessage; type: EventType }[] {
  if (row.delivery === 'open' || row.status === 'warning') return []
  return [{ row, type: row.status === 'sent' ? 'message.sent' : 'message.failed' }]
}
