import { sql } from 'kysely'
import type { Db, Env } from '../database.ts'
import { withinIds } from '../id-bounds.ts'

/**
 * Tries of an environment go through a door. Whoever stops a send or lets it go on closes the door for the length of his
 * transaction: a try is committed before, or sees what he did.
 */
export async function closeDoor(db: Db, { environmentId }: Env): Promise<void> {
  await sql`select pg_advisory_xact_lock(door_lock(${environmentId}))`.execute(db)
}

/** The stopped ones among the sends, as long as this transaction lasts. */
export async function enterDoor(db: Db, { environmentId }: Env): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ held: string[] }>`select enter_door(${environmentId}) as held`.execute(db)
  return new Set(rows[0]?.held ?? [])
}

/** `attempts`: as it was at the decision. */
export type HeldMessage = { id: string; eventId: string; attempts: number }

/** Messages of stopped sends: they wait until their send goes on, and no timer looks at them. After `enterDoor`. */
export async function holdMessages(db: Db, env: Env, held: readonly HeldMessage[], now: Date): Promise<void> {
  if (held.length === 0) return
  const ids = held.map(({ id }) => id)
  await sql`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(held)}::jsonb) as g (id uuid, "eventId" uuid, attempts smallint)),
    stopped as (
      update message m set retry_at = null from given g
      where m.environment_id = ${env.environmentId} and m.id = g.id and ${withinIds('m.id', ids)}
        and m.delivery = 'open' and not m.in_flight and m.attempts = g.attempts
      returning m.id, m.event_id)
    insert into held_item (environment_id, send_id, id, kind, held_at)
    select ${env.environmentId}::uuid, event_id, id, 'message', ${now}::timestamptz from stopped
    on conflict do nothing`.execute(db)
}

/** Notifications of held events that came to go on. The caller has locked their events. */
export async function holdNotifications(
  db: Db,
  env: Env,
  held: readonly { id: string; eventId: string }[],
  now: Date,
): Promise<void> {
  await sql`
    insert into held_item (environment_id, send_id, id, kind, held_at)
    select ${env.environmentId}::uuid, g.event_id, g.id, 'notification', ${now}::timestamptz
    from unnest(${held.map(({ eventId }) => eventId)}::uuid[], ${held.map(({ id }) => id)}::uuid[]) as g (event_id, id)
    on conflict do nothing`.execute(db)
}

export type Released = {
  messages: { id: string; integration_id: string | null; priority: number | null }[]
  notificationIds: string[]
  /** How many were taken from the list. */
  taken: number
}

/**
 * Takes what a send held off the list, a batch of it. Messages get the time that they stood still added to their life;
 * `again`: when a timer looks at them if their task is lost. The caller has locked the send.
 */
export async function releaseHeld(
  db: Db,
  env: Env,
  sendId: string,
  { now, again, most }: { now: Date; again: Date; most: number },
): Promise<Released> {
  const { rows } = await sql<{ id: string; kind: string; held_at: Date }>`
    delete from held_item h using (
      select id from held_item where environment_id = ${env.environmentId} and send_id = ${sendId}
      order by id limit ${most} for update) batch
    where h.environment_id = ${env.environmentId} and h.send_id = ${sendId} and h.id = batch.id
    returning h.id, h.kind, h.held_at`.execute(db)
  const ofMessages = rows.filter(({ kind }) => kind === 'message')
  const ids = ofMessages.map(({ id }) => id)
  const messages =
    ids.length === 0
      ? []
      : await sql<Released['messages'][number]>`
          update message m set retry_at = ${again}, expires_at = m.expires_at + (${now}::timestamptz - h.held_at)
          from unnest(${ids}::uuid[], ${ofMessages.map(({ held_at }) => held_at)}::timestamptz[]) as h (id, held_at)
          where m.environment_id = ${env.environmentId} and m.id = h.id and ${withinIds('m.id', ids)}
            and m.delivery = 'open' and not m.in_flight
          returning m.id, m.integration_id, m.priority`
          .execute(db)
          .then((it) => it.rows)
  const notificationIds = rows.filter(({ kind }) => kind === 'notification').map(({ id }) => id)
  return { messages, notificationIds, taken: rows.length }
}

/** Whether a try of this event may still begin: one that was committed just now, and has no answer. */
export async function mayBegin(db: Db, env: Env, eventId: string, committedAfter: Date): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select exists (
      select 1 from message m where m.environment_id = ${env.environmentId} and m.event_id = ${eventId}
        and m.in_flight and m.updated_at > ${committedAfter}) as may`.execute(db)
  return rows[0]?.may ?? false
}

/** Takes all that a canceled send held off the list. Returns its notifications: some may gather other events too. */
export async function dropHeld(db: Db, env: Env, sendId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string; kind: string }>`
    delete from held_item where environment_id = ${env.environmentId} and send_id = ${sendId}
    returning id, kind`.execute(db)
  return rows.filter(({ kind }) => kind === 'notification').map(({ id }) => id)
}
