import { sql } from 'kysely'
import type { Db, Env } from '../database.ts'
import { type Change, tellOfMessages } from '../webhooks/tell.ts'

export type CalledMessage = {
  id: string
  job_id: string
  address: string | null
  external_id: string | null
  integration_id: string | null
  attempts: number
}

/** A vendor's callback names only the integration, so an SQL function looks in all environments (see the migration). */
export async function findIntegrationEnvironment(db: Db, integrationId: string): Promise<Env | null> {
  const { rows } = await sql<{ environment_id: string; organization_id: string }>`
    select * from find_integration_environment(${integrationId})`.execute(db)
  const [found] = rows
  return found ? { environmentId: found.environment_id, organizationId: found.organization_id, keyId: '' } : null
}

/** Found by our own id, or by the id that the vendor gave the message through this integration. */
export async function findCalledMessages(
  db: Db,
  env: Env,
  integration: { id: string; channel: string },
  { ids, externalIds }: { ids: readonly string[]; externalIds: readonly string[] },
): Promise<CalledMessage[]> {
  const { rows } = await sql<CalledMessage>`
    select m.id, m.job_id, m.address, m.external_id, m.integration_id, m.attempts from unnest(${ids}::uuid[]) as wanted (id)
    join message m on m.environment_id = ${env.environmentId} and m.id = wanted.id
    where m.channel = ${integration.channel} and m.attempts > 0
    union
    select m.id, m.job_id, m.address, m.external_id, m.integration_id, m.attempts from unnest(${externalIds}::text[]) as wanted (id)
    join message m on m.environment_id = ${env.environmentId} and m.external_id = wanted.id
    where m.channel = ${integration.channel} and m.integration_id = ${integration.id}`.execute(db)
  return rows
}

export type DoubtfulMessage = { id: string; channel: string; attempts: number }

/** Those of which several tries were made, and not all of them had a clear answer. */
export async function listDoubtful(db: Db, env: Env, ids: readonly string[]): Promise<DoubtfulMessage[]> {
  const { rows } = await sql<DoubtfulMessage>`
    select m.id, m.channel, m.attempts from unnest(${ids}::uuid[]) as wanted (id)
    join message m on m.environment_id = ${env.environmentId} and m.id = wanted.id
    where m.error_id = 'delivery_unknown' and m.attempts > 1`.execute(db)
  return rows
}

export type Feedback = {
  id: string
  feedback: 'delivered' | 'bounced' | 'complained'
  /** It arrived, whatever was reported later. */
  delivered: boolean
  /** Another copy may be out, of which this report tells nothing. */
  staysInDoubt: boolean
  reason: string | null
}

/**
 * Moves each message's feedback forward, never back, and returns the messages that moved. The report also settles a
 * message that waits for a retry or was given up. One in flight is left to the worker that records its attempt.
 */
export async function applyFeedback(db: Db, env: Env, feedback: readonly Feedback[], now: Date): Promise<Moved[]> {
  const inDoubt = sql`m.delivery in ('open', 'unknown', 'dead') and not m.in_flight`
  const kinds = sql`array['delivered', 'bounced', 'complained']`
  const { rows } = await sql<Moved>`
    update message m set feedback = f.feedback, updated_at = ${now},
      delivered_at = case when f.delivered then coalesce(m.delivered_at, ${now}) else m.delivered_at end,
      status = case when f.feedback = 'bounced' then 'error' when f.feedback = 'complained' then 'warning'
        when ${inDoubt} then case when f."staysInDoubt" then 'warning' else 'sent' end else m.status end,
      error_id = case when f.feedback <> 'delivered' then f.feedback
        when ${inDoubt} and not f."staysInDoubt" then null else m.error_id end,
      error_text = case when f.feedback <> 'delivered' then f.reason
        when ${inDoubt} then case when f."staysInDoubt" then 'Delivered, and perhaps twice' end else m.error_text end,
      retry_at = case when ${inDoubt} then null else m.retry_at end,
      delivery = case when not (${inDoubt}) then m.delivery when f.feedback = 'bounced' then 'rejected' else 'sent' end
    from jsonb_to_recordset(${JSON.stringify(feedback)}::jsonb)
      as f (id uuid, feedback text, delivered boolean, "staysInDoubt" boolean, reason text)
    join message known on known.environment_id = ${env.environmentId} and known.id = f.id
    where m.environment_id = ${env.environmentId} and m.id = f.id
      and coalesce(array_position(${kinds}, m.feedback), 0) < array_position(${kinds}, f.feedback)
    returning m.id, m.workflow_id as "workflowId", m.channel, m.provider_id as "providerId", m.feedback, m.delivery,
      known.delivery as was, (select s.id from send s
        where s.environment_id = m.environment_id and s.id = m.event_id and s.counted) as "sendId"`.execute(db)
  await tellOfMessages(db, env, rows.flatMap(toChanges), now)
  return rows
}

/** A report may also settle what was open or in doubt. */
function toChanges({ id, feedback, delivery, was }: Moved): Change[] {
  const reported: Change = { id, type: `message.${feedback}` }
  if (delivery === was) return [reported]
  return [{ id, type: delivery === 'sent' ? 'message.sent' : 'message.failed' }, reported]
}

/** A message after the feedback; `was` is its delivery before. */
export type Moved = Pick<Feedback, 'id' | 'feedback'> & {
  workflowId: string
  channel: string
  providerId: string | null
  delivery: string | null
  was: string | null
  /** Its event, if that is a send of which all is counted. */
  sendId: string | null
}

/** What was told about each message besides its state. */
export async function listReports(db: Db, env: Env, ids: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ id: string; reports: string[] | null }>`
    select m.id, m.reports from unnest(${ids}::uuid[]) as wanted (id)
    join message m on m.environment_id = ${env.environmentId} and m.id = wanted.id`.execute(db)
  return new Map(rows.map(({ id, reports }) => [id, reports ?? []]))
}

export async function addReports(
  db: Db,
  env: Env,
  added: readonly { id: string; reports: readonly string[] }[],
): Promise<void> {
  if (added.length === 0) return
  await sql`
    update message m set reports = coalesce(m.reports, '{}') || a.reports
    from jsonb_to_recordset(${JSON.stringify(added)}::jsonb) as a (id uuid, reports text[])
    where m.environment_id = ${env.environmentId} and m.id = a.id`.execute(db)
}
