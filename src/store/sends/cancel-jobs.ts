import { type RawBuilder, sql } from 'kysely'
import type { Db, Env } from '../database.ts'
import type { Detail } from '../history/history.ts'
import { withinIds, withinTimeOf } from '../id-bounds.ts'
import { tellOfCompleted } from '../webhooks/tell.ts'

/** What was stopped: steps that had not been done, and messages that waited to be sent. */
export type Canceled = {
  steps: { workflowId: string; type: string; hasMessages: boolean }[]
  messages: { workflowId: string; channel: string; providerId: string | null; outcome: 'canceled' | 'unknown' }[]
}

/**
 * Cancels the steps of an event that are not done; returns what it canceled. A message in flight cannot be stopped, but
 * is not tried again: `canceled` tells that to whoever records its try. One that waits for a retry is canceled, unless an
 * earlier try may have been sent: then it stays in doubt. A digest that holds other events goes on. `only`: of these
 * notifications.
 */
export async function cancelJobsOfEvent(
  db: Db,
  env: Env,
  eventId: string,
  now: Date,
  only?: readonly string[],
): Promise<Canceled> {
  const part = only && (await findPart(db, env, eventId, only))
  const own = part
    ? sql`(select * from unnest(${part.map((it) => it.id)}::uuid[], ${part.map((it) => it.workflow_id)}::uuid[])
        as part (id, workflow_id))`
    : sql`(select n.id, n.workflow_id from notification n
    where n.environment_id = ${env.environmentId} and n.event_id = ${eventId} and ${withinTimeOf('n.id', eventId)}
      and not exists (select 1 from job m where m.environment_id = ${env.environmentId} and m.merged_into = n.id))`
  // By the event, all of its steps and messages would be read for each part.
  const ofJobs = part ? sql`j.id = any (${part.flatMap((it) => it.job_ids)}::uuid[])` : withinTimeOf('j.id', eventId)
  const ofMessages = part
    ? sql`m.id = any (${part.flatMap((it) => it.message_ids)}::uuid[])`
    : sql`m.event_id = ${eventId}`
  // Jobs before messages, as record-endings.ts locks them: the other order would deadlock.
  await sql`
    select 1 from ${own} own join job j on j.environment_id = ${env.environmentId} and j.notification_id = own.id
      and ${ofJobs}
    where j.status in ('pending', 'queued', 'delayed') order by j.id for update of j`.execute(db)
  const inDoubt = sql`m.error_id = 'delivery_unknown'`
  const messages = await sql<Omit<Canceled['messages'][number], 'outcome'> & { delivery: string }>`
    update message m set updated_at = ${now}, status = case when m.in_flight then m.status else 'warning' end,
      delivery = case when m.in_flight then m.delivery when ${inDoubt} then 'unknown' else 'canceled' end,
      retry_at = case when m.in_flight then m.retry_at end,
      error_id = case when not m.in_flight and ${inDoubt} then m.error_id else 'canceled' end,
      error_text = case when m.in_flight then 'Canceled while it was being sent: it is not tried again'
        when ${inDoubt} then 'Canceled; it may have been sent before' else 'Canceled before it was sent' end,
      expires_at = ${now}
    from ${own} own
    where m.environment_id = ${env.environmentId} and ${ofMessages} and m.notification_id = own.id
      and m.delivery = 'open'
    returning m.channel, m.provider_id as "providerId", own.workflow_id as "workflowId", m.delivery`.execute(db)
  const messagesThatAre = (delivery: RawBuilder<unknown>) => sql`exists (
    select 1 from unnest(j.message_ids) as made (id)
    join message m on m.environment_id = ${env.environmentId} and m.id = made.id and ${delivery})`
  const line: Detail = { at: now.toISOString(), status: 'Warning', detail: 'Canceled before it was done' }
  // A job that reached one of several devices is completed.
  const jobs = await sql<Canceled['steps'][number] & { status: string; notification_id: string }>`
    update job j set run_at = null, updated_at = ${now}, details = j.details || ${JSON.stringify([line])}::jsonb,
      status = case when ${messagesThatAre(sql`m.delivery in ('sent', 'unknown')`)} then 'completed' else 'canceled' end
    from ${own} own
    where j.environment_id = ${env.environmentId} and j.notification_id = own.id
      and ${ofJobs}
      and j.status in ('pending', 'queued', 'delayed') and not ${messagesThatAre(sql`m.delivery = 'open'`)}
    returning j.type, j.status, j.notification_id, own.workflow_id as "workflowId",
      coalesce(cardinality(j.message_ids), 0) > 0 as "hasMessages"`.execute(db)
  await tellOfCompleted(
    db,
    env,
    jobs.rows.map((row) => row.notification_id),
    now,
  )
  return {
    steps: jobs.rows.filter((row) => row.status === 'canceled'),
    messages: messages.rows.flatMap(({ delivery, ...row }) =>
      delivery === 'canceled' || delivery === 'unknown' ? { ...row, outcome: delivery } : [],
    ),
  }
}

/** The next notifications of an event, in their order. */
export async function listNotificationsAfter(
  db: Db,
  env: Env,
  eventId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select n.id from notification n
    where n.environment_id = ${env.environmentId} and n.event_id = ${eventId} and ${withinTimeOf('n.id', eventId)}
      and ${after === null ? sql`true` : sql`n.id > ${after}::uuid`}
    order by n.id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

type Part = { id: string; workflow_id: string; job_ids: string[]; message_ids: string[] }

/** Notifications with the steps that are not done, and all messages of these. Without those that carry other events. */
async function findPart(db: Db, env: Env, eventId: string, ids: readonly string[]): Promise<Part[]> {
  const { rows } = await sql<Omit<Part, 'message_ids' | 'job_ids'> & { job_id: string; message_ids: string[] | null }>`
    select n.id, n.workflow_id, j.id as job_id, j.message_ids
    from jobs_of(${env.environmentId}, ${ids}::uuid[]) k
    join job j on j.environment_id = ${env.environmentId} and j.id = k.id and ${withinTimeOf('j.id', eventId)}
    join notification n on n.environment_id = ${env.environmentId} and n.id = k.notification_id and ${withinIds('n.id', ids)}
    where j.status in ('pending', 'queued', 'delayed')
      and not exists (select 1 from job m where m.environment_id = ${env.environmentId} and m.merged_into = n.id)`.execute(
    db,
  )
  return [...Map.groupBy(rows, (row) => row.id)].map(([id, of]) => ({
    id,
    workflow_id: of[0]?.workflow_id ?? '',
    job_ids: of.map((it) => it.job_id),
    message_ids: of.flatMap((it) => it.message_ids ?? []),
  }))
}
