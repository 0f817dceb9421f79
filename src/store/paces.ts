import { sql } from 'kysely'
import type { Db, Env } from './database.ts'
import type { DueMessage } from './history/attempts.ts'
import { withinIds } from './id-bounds.ts'

/** The integrations that answered 429 lately: their messages wait in line. */
export async function listPaced(db: Db, env: Env): Promise<Set<string>> {
  const { rows } = await sql<{ integration_id: string }>`
    select integration_id from integration_pace where environment_id = ${env.environmentId}`.execute(db)
  return new Set(rows.map((row) => row.integration_id))
}

/** A 429. `ratePerSecond`: what was accepted lately. `beganMsAgo`: when the call began. */
export type Slowing = { integrationId: string; pauseMs: number; ratePerSecond: number; beganMsAgo: number }

/**
 * Pauses each integration (one entry for each), on the database's clock. Calls that were under way when the pace was
 * last slowed down lengthen the pause at most: they say nothing new about the rate.
 */
export async function slowDown(db: Db, env: Env, slowings: readonly Slowing[]): Promise<void> {
  if (slowings.length === 0) return
  await sql`
    with given as (
      select s."integrationId", greatest(s."ratePerSecond", 5) as rate, clock_timestamp() as now,
        clock_timestamp() + s."pauseMs" * interval '1 ms' as pause, clock_timestamp() - s."beganMsAgo" * interval '1 ms' as began
      from jsonb_to_recordset(${JSON.stringify(slowings)}::jsonb) as s ("integrationId" uuid, "pauseMs" float8,
        "ratePerSecond" float8, "beganMsAgo" float8)),
    slowed as (
      update integration_pace p set paused_until = greatest(p.paused_until, g.pause), slots = 0,
        refilled_at = greatest(p.refilled_at, g.pause),
        ceiling = case when g.began > p.slowed_at then p.rate else p.ceiling end,
        rate = case when g.began > p.slowed_at then greatest(p.rate * 0.85, 0.2) else p.rate end,
        slowed_at = case when g.began > p.slowed_at then g.now else p.slowed_at end
      from given g where p.environment_id = ${env.environmentId} and p.integration_id = g."integrationId"
      returning p.integration_id)
    insert into integration_pace (environment_id, integration_id, paused_until, rate, slots, refilled_at, slowed_at)
    select ${env.environmentId}, g."integrationId", g.pause, g.rate, 0, g.pause, g.now from given g
    where g."integrationId" not in (select integration_id from slowed)
    on conflict do nothing`.execute(db)
}

/** `again`: when to look again if its turn never comes. */
export type Waiting = { id: string; integrationId: string; priority: number; again: Date }

/** Puts messages in line. One whose integration is no longer paced is due at once. */
export async function joinLine(db: Db, env: Env, waiting: readonly Waiting[], now: Date): Promise<void> {
  if (waiting.length === 0) return
  const ids = waiting.map((it) => it.id)
  await sql`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(waiting)}::jsonb) as g (id uuid, "integrationId" uuid,
        priority smallint, again timestamptz)),
    paced as (
      select g.id, g."integrationId", g.priority, p.paused_until from given g
      join integration_pace p on p.environment_id = ${env.environmentId} and p.integration_id = g."integrationId"
      -- The row stays while somebody is about to wait for it.
      for key share of p),
    lined as (
      insert into paced_message (environment_id, integration_id, place, message_id)
      select ${env.environmentId}, paced."integrationId", -paced.priority, paced.id from paced on conflict do nothing)
    update message m set retry_at = case when paced.id is null then ${now}
      else least(m.expires_at, greatest(g.again, paced.paused_until)) end
    from given g left join paced on paced.id = g.id
    where m.environment_id = ${env.environmentId} and m.id = g.id and ${withinIds('m.id', ids)} and m.delivery = 'open'
      and not m.in_flight`.execute(db)
}

/** Of all environments: as many as each pace allows now. One node takes each message, until `again`. */
export async function releasePacedMessages(db: Db, again: Date, limit: number): Promise<DueMessage[]> {
  const { rows } = await sql<DueMessage>`select * from release_paced_messages(${again}, ${limit})`.execute(db)
  return rows
}
