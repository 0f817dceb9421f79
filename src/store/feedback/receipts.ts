import { sql } from 'kysely'
import type { Db, Env } from '../database.ts'

export type NewReceipt = {
  integrationId: string
  messageId: string
  ticket: string
  target: string
  dueAt: Date
  expiresAt: Date
}

/** What to ask a vendor for later. */
export async function addReceipts(db: Db, env: Env, receipts: readonly NewReceipt[]): Promise<void> {
  if (receipts.length === 0) return
  await sql`
    insert into receipt (environment_id, integration_id, ticket, message_id, target, due_at, expires_at)
    select ${env.environmentId}, r."integrationId", r.ticket, r."messageId", r.target, r."dueAt", r."expiresAt"
    from jsonb_to_recordset(${JSON.stringify(receipts)}::jsonb) as r ("integrationId" uuid, ticket text,
      "messageId" uuid, target text, "dueAt" timestamptz, "expiresAt" timestamptz)
    join integration i on i.environment_id = ${env.environmentId} and i.id = r."integrationId"
    on conflict do nothing`.execute(db)
}

export type DueReceipt = {
  environment_id: string
  integration_id: string
  ticket: string
  message_id: string
  target: string
  expires_at: Date
}

/** Of all environments. One node asks for each, until `again`. */
export async function claimDueReceipts(db: Db, now: Date, again: Date, limit: number): Promise<DueReceipt[]> {
  const { rows } = await sql<DueReceipt>`select * from claim_due_receipts(${now}, ${again}, ${limit})`.execute(db)
  return rows
}

/** Nobody else settles these messages meanwhile. Returns those that are still to be sent to some device. */
export async function lockReceipts(db: Db, env: Env, messageIds: readonly string[]): Promise<Set<string>> {
  await sql`
    select 1 from unnest(${messageIds}::uuid[]) as wanted (id)
    join receipt r on r.environment_id = ${env.environmentId} and r.message_id = wanted.id
    order by r.message_id, r.ticket for update of r`.execute(db)
  const { rows } = await sql<{ id: string }>`
    select m.id from unnest(${messageIds}::uuid[]) as wanted (id)
    join message m on m.environment_id = ${env.environmentId} and m.id = wanted.id
    where m.delivery = 'open'`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

export type Answered = { ticket: string; outcome: 'delivered' | 'failed' | 'unknown'; reason: string | null }

export async function saveAnswers(
  db: Db,
  env: Env,
  integrationId: string,
  answers: readonly Answered[],
): Promise<void> {
  await sql`
    update receipt r set outcome = a.outcome, reason = a.reason
    from jsonb_to_recordset(${JSON.stringify(answers)}::jsonb) as a (ticket text, outcome text, reason text)
    where r.environment_id = ${env.environmentId} and r.integration_id = ${integrationId} and r.ticket = a.ticket`.execute(
    db,
  )
}

export type SettledMessage = { message_id: string; delivered: boolean; failed: boolean; reason: string | null }

/** Takes the receipts of those messages of which nothing more is to come. */
export async function takeSettled(db: Db, env: Env, messageIds: readonly string[]): Promise<SettledMessage[]> {
  const { rows } = await sql<SettledMessage>`
    with settled as (
      select r.message_id from receipt r join unnest(${messageIds}::uuid[]) as wanted (id) on r.message_id = wanted.id
      where r.environment_id = ${env.environmentId}
      group by r.message_id having bool_and(r.outcome is not null)),
    taken as (
      delete from receipt r using settled s
      where r.environment_id = ${env.environmentId} and r.message_id = s.message_id
      returning r.message_id, r.outcome, r.reason)
    select message_id, bool_or(outcome = 'delivered') as delivered, bool_or(outcome = 'failed') as failed,
      min(reason) filter (where outcome = 'failed') as reason
    from taken group by message_id`.execute(db)
  return rows
}

/** Whose messages these are. */
export async function listRecipients(
  db: Db,
  env: Env,
  messageIds: readonly string[],
): Promise<Map<string, { id: string; subscriberId: string }>> {
  const { rows } = await sql<{ message_id: string; id: string; subscriberId: string }>`
    select m.id as message_id, s.id, s.subscriber_id as "subscriberId" from unnest(${messageIds}::uuid[]) as wanted (id)
    join message m on m.environment_id = ${env.environmentId} and m.id = wanted.id
    join subscriber s on s.environment_id = ${env.environmentId} and s.id = m.subscriber_id`.execute(db)
  return new Map(rows.map(({ message_id, ...recipient }) => [message_id, recipient]))
}
