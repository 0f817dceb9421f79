import { type Selectable, sql } from 'kysely'
import type { Db, Env } from './database.ts'
import type { Tables } from './schema.ts'
import { tellOfPreferences } from './webhooks/tell.ts'
import type { WorkflowRow } from './workflows.ts'

export type PreferenceRow = Selectable<Tables['subscriber_preference']>
export type ScheduleRow = Selectable<Tables['subscriber_schedule']>

/** `workflowId` null: for every workflow. A key of `choices` that is absent stays as it was, null takes the choice back. */
export type PreferenceChange = Changed & { choices: object }
type Changed = { subscriberId: string; workflowId: string | null }

/** What these subscribers chose, for all workflows and for the given ones. Ids are internal. */
export async function findPreferences(
  db: Db,
  env: Env,
  subscriberIds: readonly string[],
  workflowIds: readonly string[],
): Promise<PreferenceRow[]> {
  if (subscriberIds.length === 0) return []
  const { rows } = await sql<PreferenceRow>`
    select p.* from (select distinct id from unnest(${subscriberIds}::uuid[]) as given (id)) as wanted
    join subscriber_preference p on p.environment_id = ${env.environmentId} and p.subscriber_id = wanted.id
      and (p.workflow_id is null or p.workflow_id = any(${workflowIds}::uuid[]))`.execute(db)
  return rows
}

/** Everything these subscribers chose, for deleted workflows too. */
export async function listPreferencesOf(db: Db, env: Env, subscriberIds: readonly string[]): Promise<PreferenceRow[]> {
  if (subscriberIds.length === 0) return []
  const { rows } = await sql<PreferenceRow>`
    select p.* from unnest(${subscriberIds}::uuid[]) as wanted (id)
    join subscriber_preference p on p.environment_id = ${env.environmentId} and p.subscriber_id = wanted.id
    order by p.subscriber_id, p.workflow_id nulls first`.execute(db)
  return rows
}

/** Everything one subscriber chose, for deleted workflows too. */
export async function listPreferences(db: Db, env: Env, subscriberId: string): Promise<PreferenceRow[]> {
  const { rows } = await sql<PreferenceRow>`
    select * from subscriber_preference
    where environment_id = ${env.environmentId} and subscriber_id = ${subscriberId} order by scope`.execute(db)
  return rows
}

/**
 * Merges choices into the stored ones in one statement, so that two calls on different channels lose nothing. Takes at
 * most one change per subscriber and workflow. Returns how many had an existing subscriber.
 */
export async function upsertPreferences(
  db: Db,
  env: Env,
  changes: readonly PreferenceChange[],
  now: Date,
): Promise<number> {
  if (changes.length === 0) return 0
  const { rows } = await sql<{ reached: number; changed: Changed[] | null }>`
    with held as (
      select e.* from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
        as e ("subscriberId" uuid, "workflowId" uuid, choices jsonb)
      join subscriber s on s.environment_id = ${env.environmentId} and s.id = e."subscriberId"
      order by s.id, e."workflowId" for key share of s),
    written as (
      insert into subscriber_preference (environment_id, subscriber_id, workflow_id, scope, choices, updated_at)
      select ${env.environmentId}, "subscriberId", "workflowId", coalesce("workflowId", "subscriberId"), choices, ${now} from held
      on conflict (environment_id, subscriber_id, scope) do update
      set choices = subscriber_preference.choices || excluded.choices, updated_at = excluded.updated_at
      where subscriber_preference.choices || excluded.choices <> subscriber_preference.choices
      returning subscriber_id as "subscriberId", workflow_id as "workflowId")
    select count(*)::int as reached, (select json_agg(written) from written) as changed from held`.execute(db)
  await tellOfPreferences(db, env, rows[0]?.changed ?? [], now)
  return rows[0]?.reached ?? 0
}

export async function findSchedules(db: Db, env: Env, subscriberIds: readonly string[]): Promise<ScheduleRow[]> {
  if (subscriberIds.length === 0) return []
  const { rows } = await sql<ScheduleRow>`
    select s.* from (select distinct id from unnest(${subscriberIds}::uuid[]) as given (id)) as wanted
    join subscriber_schedule s
      on s.environment_id = ${env.environmentId} and s.subscriber_id = wanted.id`.execute(db)
  return rows
}

/** `weekly` null: the hours stay as they were. */
export async function upsertSchedule(
  db: Db,
  env: Env,
  schedule: { subscriberId: string; enabled: boolean; weekly: object | null },
  now: Date,
): Promise<void> {
  const weekly = schedule.weekly && JSON.stringify(schedule.weekly)
  await sql`
    insert into subscriber_schedule (environment_id, subscriber_id, enabled, weekly, updated_at)
    select s.environment_id, s.id, ${schedule.enabled}::boolean, ${weekly}::jsonb, ${now}::timestamptz from subscriber s
    where s.environment_id = ${env.environmentId} and s.id = ${schedule.subscriberId} for key share
    on conflict (environment_id, subscriber_id) do update
    set enabled = excluded.enabled, weekly = coalesce(excluded.weekly, subscriber_schedule.weekly),
      updated_at = excluded.updated_at`.execute(db)
  await tellOfPreferences(db, env, [{ subscriberId: schedule.subscriberId, workflowId: null }], now)
}

/** A schedule to begin with, for a subscriber who has none yet. */
export async function insertScheduleIfNone(
  db: Db,
  env: Env,
  schedule: { subscriberId: string; enabled: boolean; weekly: object | null },
  now: Date,
): Promise<void> {
  const weekly = schedule.weekly && JSON.stringify(schedule.weekly)
  const { numAffectedRows } = await sql`
    insert into subscriber_schedule (environment_id, subscriber_id, enabled, weekly, updated_at)
    values (${env.environmentId}, ${schedule.subscriberId}, ${schedule.enabled}, ${weekly}, ${now})
    on conflict (environment_id, subscriber_id) do nothing`.execute(db)
  if (numAffectedRows)
    await tellOfPreferences(db, env, [{ subscriberId: schedule.subscriberId, workflowId: null }], now)
}

export async function deleteSchedule(db: Db, env: Env, subscriberId: string, now: Date): Promise<void> {
  const { numAffectedRows } = await sql`
    delete from subscriber_schedule
    where environment_id = ${env.environmentId} and subscriber_id = ${subscriberId}`.execute(db)
  if (numAffectedRows) await tellOfPreferences(db, env, [{ subscriberId, workflowId: null }], now)
}

export type CurrentVersion = Pick<WorkflowRow, 'id' | 'version' | 'active' | 'updated_at'>

/** Preferences can be set for these: only they can send. */
export async function listActiveWorkflows(db: Db, env: Env): Promise<CurrentVersion[]> {
  const { rows } = await sql<CurrentVersion>`
    select id, version, active, updated_at from workflow
    where environment_id = ${env.environmentId} and active and deleted_at is null order by id`.execute(db)
  return rows
}
