import { sql } from 'kysely'
import type { Db, Env } from '../database.ts'
import type { Detail } from './history.ts'

type Reopened = { workflowId: string; channel: string; providerId: string | null }

export type DeadLetterFilter = { messageIds?: readonly string[]; channel?: string; integrationId?: string }

/**
 * Reopens dead messages, oldest first, as if they were new: due now, with a full time to expire and no integration
 * tried; what may have been sent before stays in doubt. Jobs that had failed are queued again. What belongs to a canceled
 * event stays dead.
 */
export async function reopenMessages(
  db: Db,
  env: Env,
  filter: DeadLetterFilter,
  { now, expiresAt, most, line }: { now: Date; expiresAt: Date; most: number; line: Detail },
): Promise<Reopened[]> {
  const { rows } = await sql<Reopened & { job_id: string }>`
    update message m set delivery = 'open', status = 'warning', error_text = null,
      error_id = case when m.error_id = 'delivery_unknown' then m.error_id else 'delivery_pending' end,
      retry_at = ${now}, expires_at = ${expiresAt}, redriven_after = m.attempts, feedback = null, updated_at = ${now}
    from (
      select d.id from message d where d.environment_id = ${env.environmentId} and d.delivery = 'dead'
        ${filter.messageIds === undefined ? sql`` : sql`and d.id = any (${filter.messageIds}::uuid[])`}
        ${filter.channel === undefined ? sql`` : sql`and d.channel = ${filter.channel}`}
        ${filter.integrationId === undefined ? sql`` : sql`and d.integration_id = ${filter.integrationId}`}
        and not exists (select 1 from event e
          where e.environment_id = d.environment_id and e.id = d.event_id and e.state = 'canceled')
      order by d.id limit ${most} for update) dead
    where m.environment_id = ${env.environmentId} and m.id = dead.id
    returning m.job_id, m.workflow_id as "workflowId", m.channel, m.provider_id as "providerId"`.execute(db)
  if (rows.length === 0) return []
  const jobIds = [...new Set(rows.map((row) => row.job_id))].sort()
  await sql`
    update job j set status = case j.status when 'failed' then 'queued' else j.status end,
      details = j.details || ${JSON.stringify([line])}::jsonb, updated_at = ${now}
    from (select j.id from unnest(${jobIds}::uuid[]) as wanted (id)
      join job j on j.environment_id = ${env.environmentId} and j.id = wanted.id order by j.id for update of j) locked
    where j.environment_id = ${env.environmentId} and j.id = locked.id`.execute(db)
  return rows.map(({ workflowId, channel, providerId }) => ({ workflowId, channel, providerId }))
}
