import { type RawBuilder, sql } from 'kysely'
import { uuid7Time } from '../lib/uuid7.ts'
import type { Db, Env } from './database.ts'

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

/** One line of a job's history, as stored; the reader gives it its id. */
export type Detail = {
  at: string
  status: 'Success' | 'Warning' | 'Failed' | 'Pending' | 'Queued' | 'ReadConfirmation'
  detail: string
  providerId?: string
  raw?: string
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
}

/** A page of history, one statement per table. What is there already (the task ran before) stays as it is. */
export async function insertHistory(
  db: Db,
  env: Env,
  page: { notifications: readonly NewNotification[]; jobs: readonly NewJob[]; messages: readonly NewMessage[] },
  now: Date,
): Promise<void> {
  const insert = async (into: RawBuilder<unknown>, rows: readonly object[], from: RawBuilder<unknown>) => {
    if (rows.length === 0) return
    await sql`insert into ${into} ${from} on conflict do nothing`.execute(db)
  }
  await insert(
    sql`notification (environment_id, id, event_id, transaction_id, subscriber_id, workflow_id, workflow_version,
      topic_ids, context_keys)`,
    page.notifications,
    sql`select ${env.environmentId}, n.* from jsonb_to_recordset(${JSON.stringify(page.notifications)}::jsonb)
      as n (id uuid, event_id uuid, transaction_id text, subscriber_id uuid, workflow_id uuid, workflow_version int,
        topic_ids uuid[], context_keys text[])`,
  )
  await insert(
    sql`job (environment_id, id, notification_id, step_index, type, status, provider_id, message_ids, details, updated_at)`,
    page.jobs,
    sql`select ${env.environmentId}, j.*, ${now}::timestamptz from jsonb_to_recordset(${JSON.stringify(page.jobs)}::jsonb)
      as j (id uuid, notification_id uuid, step_index smallint, type text, status text, provider_id text,
        message_ids uuid[], details jsonb)`,
  )
  await insert(
    sql`message (environment_id, id, event_id, notification_id, job_id, subscriber_id, workflow_id, workflow_version,
      step_index, transaction_id, channel, provider_id, status, error_id, error_text, subject, content, cta, avatar, data,
      context_keys, updated_at)`,
    page.messages,
    sql`select ${env.environmentId}, m.id, m.event_id, m.notification_id, m.job_id, m.subscriber_id, m.workflow_id,
        m.workflow_version, m.step_index, m.transaction_id, m.channel, m.provider_id, m.status, m.error_id, m.error_text,
        m.subject, m.content, m.cta, m.avatar, nullif(m.data, 'null'), m.context_keys, ${now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(page.messages)}::jsonb)
      as m (id uuid, event_id uuid, notification_id uuid, job_id uuid, subscriber_id uuid, workflow_id uuid,
        workflow_version int, step_index smallint, transaction_id text, channel text, provider_id text, status text,
        error_id text, error_text text, subject text, content text, cta jsonb, avatar text, data jsonb, context_keys text[])`,
  )
}

/** Stops the steps of an event that have not begun; answers how many. A job carries its event's time in its id. */
export async function cancelJobsOfEvent(db: Db, env: Env, eventId: string, now: Date): Promise<number> {
  const time = uuid7Time(eventId)
  const end = new Date(time.getTime() + 1)
  const { numAffectedRows } = await sql`
    update job j set status = 'canceled', run_at = null, updated_at = ${now}
    from notification n
    where n.environment_id = ${env.environmentId} and n.event_id = ${eventId}
      and n.id >= uuid_at(${time}) and n.id < uuid_at(${end})
      and j.environment_id = ${env.environmentId} and j.notification_id = n.id
      and j.id >= uuid_at(${time}) and j.id < uuid_at(${end})
      and j.status in ('pending', 'queued', 'delayed')`.execute(db)
  return Number(numAffectedRows ?? 0)
}
