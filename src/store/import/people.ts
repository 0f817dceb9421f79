import { sql } from 'kysely'
import type { Db, Env } from '../database.ts'
import type { SubscriberRow } from '../subscribers.ts'
import { tellOfPreferences, tellOfSubscribers } from '../webhooks/tell.ts'

/** Those that exist, locked in one order: their channels do not change until this transaction ends. */
export async function lockSubscribers(db: Db, env: Env, subscriberIds: readonly string[]): Promise<SubscriberRow[]> {
  const { rows } = await sql<SubscriberRow>`
    select s.* from unnest(${subscriberIds}::text[]) as wanted (subscriber_id)
    join subscriber s on s.environment_id = ${env.environmentId} and s.subscriber_id = wanted.subscriber_id
    order by s.subscriber_id for no key update of s`.execute(db)
  return rows
}

/** A change to something of a subscriber, such as a channel, counts as a change of the subscriber. Ids are internal. */
export async function touchSubscribers(db: Db, env: Env, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return
  const { rows } = await sql<{ id: string; subscriber_id: string }>`
    update subscriber s set version = s.version + 1, updated_at = ${now}
    from unnest(${ids}::uuid[]) as changed (id)
    where s.environment_id = ${env.environmentId} and s.id = changed.id
    returning s.id, s.subscriber_id`.execute(db)
  await tellOfSubscribers(db, env, 'subscriber.updated', rows, now)
}

/** `credentials`: sealed. The caller holds the rows of the subscribers. */
export type NewChannel = { subscriberId: string; integrationId: string; credentials: string }

export async function putChannels(db: Db, env: Env, channels: readonly NewChannel[]): Promise<void> {
  if (channels.length === 0) return
  await sql`
    insert into subscriber_channel (environment_id, subscriber_id, integration_id, credentials)
    select ${env.environmentId}, "subscriberId", "integrationId", credentials
    from jsonb_to_recordset(${JSON.stringify(channels)}::jsonb)
      as given ("subscriberId" uuid, "integrationId" uuid, credentials text)
    on conflict (environment_id, subscriber_id, integration_id)
    do update set credentials = excluded.credentials, gone = null`.execute(db)
}

export type NewSchedule = { subscriberId: string; enabled: boolean; weekly: object | null }

/** `weekly` null: the hours stay as they were. */
export async function upsertSchedules(db: Db, env: Env, schedules: readonly NewSchedule[], now: Date): Promise<void> {
  if (schedules.length === 0) return
  await sql`
    insert into subscriber_schedule (environment_id, subscriber_id, enabled, weekly, updated_at)
    select s.environment_id, s.id, given.enabled, nullif(given.weekly, 'null'), ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(schedules)}::jsonb)
      as given ("subscriberId" uuid, enabled boolean, weekly jsonb)
    join subscriber s on s.environment_id = ${env.environmentId} and s.id = given."subscriberId"
    order by s.id for key share of s
    on conflict (environment_id, subscriber_id) do update
    set enabled = excluded.enabled, weekly = coalesce(excluded.weekly, subscriber_schedule.weekly),
      updated_at = excluded.updated_at`.execute(db)
  const told = schedules.map(({ subscriberId }) => ({ subscriberId, workflowId: null }))
  await tellOfPreferences(db, env, told, now)
}
