import { type Selectable, sql } from 'kysely'
import type { Db, Env } from '../database.ts'
import { keysetPage, type PageRequest } from '../keyset.ts'
import type { Tables } from '../schema.ts'

export type EndpointRow = Selectable<Tables['webhook_endpoint']>

export type NewEndpoint = {
  id: string
  url: string
  description: string | null
  eventTypes: readonly string[] | null
  /** Sealed JSON. */
  secrets: string
}

export async function insertEndpoint(db: Db, env: Env, row: NewEndpoint, now: Date): Promise<EndpointRow> {
  const { rows } = await sql<EndpointRow>`
    insert into webhook_endpoint (environment_id, id, url, description, event_types, secrets, state, busy_until, updated_at)
    values (${env.environmentId}, ${row.id}, ${row.url}, ${row.description}, ${row.eventTypes}::text[], ${row.secrets},
      'enabled', ${now}, ${now})
    returning *`.execute(db)
  return only(rows)
}

/** One transaction at a time counts and adds those of an environment. */
export async function lockEndpoints(db: Db, env: Env): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`webhook_endpoint ${env.environmentId}`}, 0))`.execute(db)
}

export async function countEndpoints(db: Db, env: Env): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from webhook_endpoint
    where environment_id = ${env.environmentId} and state <> 'deleted'`.execute(db)
  return rows[0]?.n ?? 0
}

export function listEndpoints(db: Db, env: Env, page: PageRequest) {
  return keysetPage<EndpointRow>(
    {
      db,
      select: sql`e.*`,
      from: sql`webhook_endpoint e`,
      scope: sql`e.environment_id = ${env.environmentId} and e.state <> 'deleted'`,
      id: sql`e.id`,
      columns: { updatedAt: { expression: sql`e.updated_at`, type: 'timestamptz' } },
    },
    page,
  )
}

export async function findEndpoint(db: Db, env: Env, id: string): Promise<EndpointRow | null> {
  const { rows } = await sql<EndpointRow>`${selectOne(env, id)}`.execute(db)
  return rows[0] ?? null
}

/** Until the transaction ends nobody else changes it. */
export async function lockEndpoint(db: Db, env: Env, id: string): Promise<EndpointRow | null> {
  const { rows } = await sql<EndpointRow>`${selectOne(env, id)} for no key update`.execute(db)
  return rows[0] ?? null
}

function selectOne(env: Env, id: string) {
  return sql`select * from webhook_endpoint
    where environment_id = ${env.environmentId} and id = ${id} and state <> 'deleted'`
}

export type EndpointChange = Pick<
  EndpointRow,
  'url' | 'description' | 'event_types' | 'state' | 'disabled_reason' | 'failing_since' | 'secrets'
>

export async function updateEndpoint(
  db: Db,
  env: Env,
  id: string,
  row: EndpointChange,
  now: Date,
): Promise<EndpointRow> {
  const { rows } = await sql<EndpointRow>`
    update webhook_endpoint set url = ${row.url}, description = ${row.description}, event_types = ${row.event_types}::text[],
      state = ${row.state}, disabled_reason = ${row.disabled_reason}, failing_since = ${row.failing_since},
      secrets = ${row.secrets}, updated_at = ${now}
    where environment_id = ${env.environmentId} and id = ${id} returning *`.execute(db)
  return only(rows)
}

/** Its deliveries are deleted later, then the row itself. */
export async function markEndpointDeleted(db: Db, env: Env, id: string, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update webhook_endpoint set state = 'deleted', updated_at = ${now}
    where environment_id = ${env.environmentId} and id = ${id} and state <> 'deleted'`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}

/** Those that were disabled for their failures, and those in which everything has failed since `before` or longer. */
export async function listFailingEndpoints(db: Db, env: Env, before: Date): Promise<EndpointRow[]> {
  const { rows } = await sql<EndpointRow>`
    select * from webhook_endpoint
    where environment_id = ${env.environmentId}
      and (state = 'disabled' and disabled_reason is not null or state = 'enabled' and failing_since <= ${before})
    order by id`.execute(db)
  return rows
}

/** Whether anybody is to be told of anything, in any environment. */
export async function hasEndpoints(db: Db): Promise<boolean> {
  const { rows } = await sql<{ some: boolean }>`
    select exists (select 1 from webhook_endpoint where state = 'enabled') as some`.execute(db)
  return rows[0]?.some ?? false
}

export type Lane = { environment_id: string; id: string; busy_by: string }

/** Of all environments: endpoints that have something due and are with no worker, given to the caller until `until`. */
export async function claimLanes(db: Db, now: Date, until: Date, most: number): Promise<Lane[]> {
  const { rows } = await sql<Lane>`select * from claim_webhook_work(${now}, ${until}, ${most}::int)`.execute(db)
  return rows
}

/** Null: it is another's by now, or is not to be delivered to. */
export async function keepLane(db: Db, env: Env, id: string, by: string, until: Date): Promise<EndpointRow | null> {
  const { rows } = await sql<EndpointRow>`
    update webhook_endpoint set busy_until = ${until}
    where environment_id = ${env.environmentId} and id = ${id} and busy_by = ${by} and state = 'enabled'
    returning *`.execute(db)
  return rows[0] ?? null
}

/** As it stands now, locked. Null: it is another's by now, or is not to be delivered to. */
export async function lockLane(db: Db, env: Env, id: string, by: string): Promise<EndpointRow | null> {
  const { rows } = await sql<EndpointRow>`
    select * from webhook_endpoint
    where environment_id = ${env.environmentId} and id = ${id} and busy_by = ${by} and state = 'enabled'
    for no key update`.execute(db)
  return rows[0] ?? null
}

/** `until`: nobody is to begin before. */
export async function leaveLane(db: Db, env: Env, id: string, by: string, until: Date): Promise<void> {
  await sql`
    update webhook_endpoint set busy_until = ${until}, busy_by = null
    where environment_id = ${env.environmentId} and id = ${id} and busy_by = ${by}`.execute(db)
}

/** Since when everything that was tried has failed. Null: something was delivered. */
export async function setFailingSince(db: Db, env: Env, id: string, since: Date | null): Promise<void> {
  const needed = since ? sql`failing_since is null` : sql`failing_since is not null`
  await sql`
    update webhook_endpoint set failing_since = ${since}
    where environment_id = ${env.environmentId} and id = ${id} and ${needed}`.execute(db)
}

/** False: it was not enabled. */
export async function disableEndpoint(db: Db, env: Env, id: string, reason: string, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update webhook_endpoint set state = 'disabled', disabled_reason = ${reason}, updated_at = ${now}
    where environment_id = ${env.environmentId} and id = ${id} and state = 'enabled'`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}

/** A batch of what is older than `before`, and of what belongs to deleted endpoints, of all environments. */
export async function purgeWebhooks(db: Db, before: Date, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select purge_webhooks(${before}, ${most}::int) as n`.execute(db)
  return rows[0]?.n ?? 0
}

function only<T>([row]: readonly T[]): T {
  if (!row) throw new Error('a row that was just written is there')
  return row
}
