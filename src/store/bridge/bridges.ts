import { type Selectable, sql } from 'kysely'
import type { Db, Env } from '../database.ts'
import type { Tables } from '../schema.ts'
import type { WorkflowRow } from '../workflows.ts'

/** The server of a tenant whose code says what the steps of its workflows do. */
export type BridgeRow = Selectable<Tables['bridge']>
/** With what a call tells of its environment. */
export type NamedBridge = BridgeRow & { environment_name: string; environment_type: string }

const named = (env: Env) => sql`
  select b.*, e.name as environment_name, e.type as environment_type
  from bridge b join environment e on e.id = b.environment_id where b.environment_id = ${env.environmentId}`

export async function findBridge(db: Db, env: Env): Promise<NamedBridge | null> {
  const { rows } = await sql<NamedBridge>`${named(env)}`.execute(db)
  return rows[0] ?? null
}

export async function hasBridge(db: Db, env: Env): Promise<boolean> {
  const { rows } = await sql`select 1 from bridge where environment_id = ${env.environmentId}`.execute(db)
  return rows.length > 0
}

/** Those of these identifiers, and all whose code is with the tenant. */
export async function listBridgeWorkflows(db: Db, env: Env, identifiers: readonly string[]): Promise<WorkflowRow[]> {
  const { rows } = await sql<WorkflowRow>`
    select w.* from workflow w
    join workflow_version v on v.environment_id = w.environment_id and v.workflow_id = w.id and v.version = w.version
    where w.environment_id = ${env.environmentId} and w.deleted_at is null
      and (v.definition ->> 'origin' = 'external' or w.identifier in (select unnest(${identifiers}::text[])))
    order by w.id`.execute(db)
  return rows
}

/** Two that tell of their workflows at the same time do it one after the other. */
export async function lockBridge(db: Db, env: Env): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`bridge ${env.environmentId}`}, 0))`.execute(db)
}

/** One that was let be is asked again at once. */
export async function saveBridge(
  db: Db,
  env: Env,
  { url, keyId, now }: { url: string; keyId: string | null; now: Date },
): Promise<void> {
  await sql`
    insert into bridge (environment_id, url, key_id, synced_at, busy_until)
    values (${env.environmentId}, ${url}, ${keyId}::uuid, ${now}, ${now})
    on conflict (environment_id) do update set url = excluded.url, key_id = excluded.key_id, synced_at = excluded.synced_at,
      busy_until = case when bridge.busy_by is null then excluded.busy_until else bridge.busy_until end`.execute(db)
}

/** The live keys whose text is known (sealed): the preferred one first, then those that may do everything. */
export async function listSigningKeys(
  db: Db,
  env: Env,
  preferred: string | null,
  now: Date,
): Promise<{ id: string; sealedText: string }[]> {
  const { rows } = await sql<{ id: string; sealedText: string }>`
    select id, sealed_text as "sealedText" from api_key
    where environment_id = ${env.environmentId} and revoked_at is null and sealed_text is not null
      and (expires_at is null or expires_at > ${now}) and (scope = 'everything' or id = ${preferred}::uuid)
    order by id = ${preferred}::uuid desc nulls last, id limit 1`.execute(db)
  return rows
}

/** Whether anything waits for a bridge, in any environment. */
export async function hasCalls(db: Db): Promise<boolean> {
  const { rows } = await sql<{ some: boolean }>`select exists (select 1 from bridge_call) as some`.execute(db)
  return rows[0]?.some ?? false
}

export type BridgeLane = { environment_id: string; busy_by: string }

/** Of all environments: bridges that have something to be asked and are with no worker, the caller's until `until`. */
export async function claimBridges(db: Db, now: Date, until: Date, most: number): Promise<BridgeLane[]> {
  const { rows } = await sql<BridgeLane>`select * from claim_bridge_work(${now}, ${until}, ${most}::int)`.execute(db)
  return rows
}

/** Null: it is another's by now. */
export async function keepBridge(db: Db, env: Env, by: string, until: Date): Promise<NamedBridge | null> {
  const { rows } = await sql<NamedBridge>`
    with kept as (
      update bridge set busy_until = ${until}
      where environment_id = ${env.environmentId} and busy_by = ${by} returning *)
    select k.*, e.name as environment_name, e.type as environment_type
    from kept k join environment e on e.id = k.environment_id`.execute(db)
  return rows[0] ?? null
}

/** `until`: nobody is to begin before. */
export async function leaveBridge(db: Db, env: Env, by: string, until: Date): Promise<void> {
  await sql`
    update bridge set busy_until = ${until}, busy_by = null
    where environment_id = ${env.environmentId} and busy_by = ${by}`.execute(db)
}

/** Since when nothing was answered, and why not. Null: something was. */
export async function setBridgeFailing(db: Db, env: Env, failing: { since: Date; reason: string } | null) {
  if (failing) {
    await sql`
      update bridge set failing_since = coalesce(failing_since, ${failing.since}), failing_reason = ${failing.reason}
      where environment_id = ${env.environmentId}`.execute(db)
  } else {
    await sql`
      update bridge set failing_since = null, failing_reason = null
      where environment_id = ${env.environmentId} and failing_since is not null`.execute(db)
  }
}

/** How many steps wait for bridges, counted up to 10,000, and since when the longest does. */
export async function readBridgeBacklog(db: Db): Promise<{ calls: number; oldest: Date | null }> {
  const { rows } = await sql<{ calls: string; oldest: Date | null }>`select * from bridge_backlog()`.execute(db)
  return { calls: Number(rows[0]?.calls ?? 0), oldest: rows[0]?.oldest ?? null }
}
