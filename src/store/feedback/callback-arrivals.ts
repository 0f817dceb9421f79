import { sql } from 'kysely'
import type { Db, Env } from '../database.ts'

/** One event of a call, as it is shown to whoever sets the integration up. */
export type ToldEvent = { kind: string; name?: string; messageId: string | null }

export type Arrival = {
  told_at: Date | null
  told: ToldEvent[] | null
  refused_at: Date | null
  refused: string | null
}

/** The last call that was believed. */
export async function saveTold(
  db: Db,
  env: Env,
  integrationId: string,
  told: readonly ToldEvent[],
  now: Date,
): Promise<void> {
  await sql`
    insert into callback_arrival (environment_id, integration_id, told_at, told)
    select ${env.environmentId}, i.id, ${now}, ${JSON.stringify(told)}::jsonb from integration i
    where i.environment_id = ${env.environmentId} and i.id = ${integrationId} and i.deleted_at is null
    on conflict (environment_id, integration_id) do update set told_at = excluded.told_at, told = excluded.told
    where callback_arrival.told_at is null or callback_arrival.told_at <= excluded.told_at`.execute(db)
}

/** The last call that was not. */
export async function saveRefused(db: Db, env: Env, integrationId: string, refused: string, now: Date): Promise<void> {
  await sql`
    insert into callback_arrival (environment_id, integration_id, refused_at, refused)
    select ${env.environmentId}, i.id, ${now}, ${refused} from integration i
    where i.environment_id = ${env.environmentId} and i.id = ${integrationId} and i.deleted_at is null
    on conflict (environment_id, integration_id) do update set refused_at = excluded.refused_at,
      refused = excluded.refused
    where callback_arrival.refused_at is null or callback_arrival.refused_at <= excluded.refused_at`.execute(db)
}

export async function findArrival(db: Db, env: Env, integrationId: string): Promise<Arrival | null> {
  const { rows } = await sql<Arrival>`
    select told_at, told, refused_at, refused from callback_arrival
    where environment_id = ${env.environmentId} and integration_id = ${integrationId}`.execute(db)
  return rows[0] ?? null
}

/** The notifications of these messages, where they are still known. */
export async function listNotificationIds(
  db: Db,
  env: Env,
  messageIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; notification_id: string }>`
    select m.id, m.notification_id from unnest(${messageIds}::uuid[]) as wanted (id)
    join message m on m.environment_id = ${env.environmentId} and m.id = wanted.id`.execute(db)
  return new Map(rows.map((row) => [row.id, row.notification_id]))
}
