import { sql } from 'kysely'
import type { Db, Env } from '../database.ts'
import { keysetPage, type PageRequest } from '../keyset.ts'

/** Where somebody is reached. `subscriberId`: the caller's own identifier. */
export type EndpointRow = {
  id: string
  identifier: string
  integrationId: string
  integrationIdentifier: string
  providerId: string
  channel: string
  connectionIdentifier: string | null
  subscriberId: string
  contextKeys: string[]
  type: string
  /** Sealed JSON. */
  endpoint: string
  goneAt: Date | null
  updatedAt: Date
}

const columns = sql`
  e.id, e.identifier, e.integration_id as "integrationId", i.identifier as "integrationIdentifier",
  i.provider_id as "providerId", i.channel, c.identifier as "connectionIdentifier", s.subscriber_id as "subscriberId",
  e.context_keys as "contextKeys", e.type, e.endpoint, e.gone_at as "goneAt", e.updated_at as "updatedAt"`

/** Those of deleted integrations are left out. */
const tables = sql`channel_endpoint e
  join integration i on i.environment_id = e.environment_id and i.id = e.integration_id and i.deleted_at is null
  join subscriber s on s.environment_id = e.environment_id and s.id = e.subscriber_id
  left join channel_connection c on c.environment_id = e.environment_id and c.id = e.connection_id`

export type EndpointFilter = {
  subscriberId?: string
  integrationIdentifier?: string
  connectionIdentifier?: string
  channel?: string
  providerId?: string
  contextKeys?: readonly string[]
}

export function listEndpoints(db: Db, env: Env, filter: EndpointFilter, page: PageRequest) {
  const { subscriberId, integrationIdentifier, connectionIdentifier, channel, providerId, contextKeys } = filter
  const conditions = [
    subscriberId === undefined ? [] : sql`s.subscriber_id = ${subscriberId}`,
    integrationIdentifier === undefined ? [] : sql`i.identifier = ${integrationIdentifier}`,
    connectionIdentifier === undefined ? [] : sql`c.identifier = ${connectionIdentifier}`,
    channel === undefined ? [] : sql`i.channel = ${channel}`,
    providerId === undefined ? [] : sql`i.provider_id = ${providerId}`,
    contextKeys === undefined ? [] : sql`e.context_keys = ${contextKeys}::text[]`,
  ].flat()
  return keysetPage<EndpointRow>(
    {
      db,
      select: columns,
      from: tables,
      scope: sql`e.environment_id = ${env.environmentId}`,
      filter: conditions.length > 0 ? sql.join(conditions, sql` and `) : undefined,
      id: sql`e.id`,
      columns: { updatedAt: { expression: sql`e.updated_at`, type: 'timestamptz' } },
      unindexed: conditions.length > 0,
    },
    page,
  )
}

/** All of one person, by internal id, oldest first. */
export async function listEndpointsOf(db: Db, env: Env, subscriberId: string): Promise<EndpointRow[]> {
  const { rows } = await sql<EndpointRow>`
    select ${columns} from ${tables}
    where e.environment_id = ${env.environmentId} and e.subscriber_id = ${subscriberId} order by e.id`.execute(db)
  return rows
}

export async function findEndpoint(db: Db, env: Env, identifier: string): Promise<EndpointRow | null> {
  const { rows } = await sql<EndpointRow>`
    select ${columns} from ${tables}
    where e.environment_id = ${env.environmentId} and e.identifier = ${identifier}`.execute(db)
  return rows[0] ?? null
}

/** An endpoint as it is sent to, with its workspace. `subscriberId`: internal. */
export type ReachedRow = {
  id: string
  subscriberId: string
  integrationId: string
  contextKeys: string[]
  type: string
  endpoint: string
  goneAt: Date | null
  connection: null | {
    id: string
    workspace: { id: string; name?: string; botUserId?: string }
    auth: string | null
    authNumber: number
    expiresAt: string | null
    refused: string | null
  }
}

const reached = sql`
  e.id, e.subscriber_id as "subscriberId", e.integration_id as "integrationId", e.context_keys as "contextKeys", e.type,
  e.endpoint, e.gone_at as "goneAt",
  case when c.id is not null then jsonb_build_object('id', c.id, 'workspace', c.workspace, 'auth', c.auth,
    'authNumber', c.auth_number, 'expiresAt', c.expires_at, 'refused', c.refused) end as connection`

/** Of many people, oldest first. */
export async function listReached(db: Db, env: Env, subscriberIds: readonly string[]): Promise<ReachedRow[]> {
  const { rows } = await sql<ReachedRow>`
    select ${reached}
    from unnest(${subscriberIds}::uuid[]) as wanted (id)
    join channel_endpoint e on e.environment_id = ${env.environmentId} and e.subscriber_id = wanted.id
    left join channel_connection c on c.environment_id = e.environment_id and c.id = e.connection_id
    order by e.id`.execute(db)
  return rows
}

export async function findReached(db: Db, env: Env, identifier: string): Promise<ReachedRow | null> {
  const { rows } = await sql<ReachedRow>`
    select ${reached} from channel_endpoint e
    left join channel_connection c on c.environment_id = e.environment_id and c.id = e.connection_id
    where e.environment_id = ${env.environmentId} and e.identifier = ${identifier}`.execute(db)
  return rows[0] ?? null
}

export type NewEndpoint = {
  id: string
  identifier: string
  integrationId: string
  connectionId: string | null
  /** Internal id. */
  subscriberId: string
  contextKeys: readonly string[]
  type: string
  endpoint: string
  place: Buffer
}

/** Nobody sees those of deleted integrations, and they stand in nobody's way. */
export async function freeEndpointIdentifier(db: Db, env: Env, identifier: string): Promise<void> {
  await sql`
    delete from channel_endpoint e using integration i
    where e.environment_id = ${env.environmentId} and e.identifier = ${identifier}
      and i.environment_id = e.environment_id and i.id = e.integration_id and i.deleted_at is not null`.execute(db)
}

/** False when the identifier is taken, or the person has this place already. */
export async function insertEndpoint(db: Db, env: Env, row: NewEndpoint, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into channel_endpoint (environment_id, id, identifier, integration_id, connection_id, subscriber_id, context_keys,
      type, endpoint, place, updated_at)
    values (${env.environmentId}, ${row.id}, ${row.identifier}, ${row.integrationId}, ${row.connectionId},
      ${row.subscriberId}, ${row.contextKeys}::text[], ${row.type}, ${row.endpoint}, ${row.place}, ${now})
    on conflict do nothing`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}

/** Given anew: it is tried again, through this workspace from now on. */
export async function reviveEndpoint(
  db: Db,
  env: Env,
  id: string,
  connectionId: string | null,
  now: Date,
): Promise<void> {
  await sql`
    update channel_endpoint set gone_at = null, connection_id = ${connectionId}, updated_at = ${now}
    where environment_id = ${env.environmentId} and id = ${id}`.execute(db)
}

type Place = { endpoint: string; place: Buffer }

/** False when the person has that place already. */
export async function moveEndpoint(db: Db, env: Env, id: string, to: Place, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update channel_endpoint e set endpoint = ${to.endpoint}, place = ${to.place}, gone_at = null, updated_at = ${now}
    where e.environment_id = ${env.environmentId} and e.id = ${id} and not exists (
      select 1 from channel_endpoint o where o.environment_id = e.environment_id and o.id <> e.id
        and (o.subscriber_id, o.integration_id, o.place, o.context_keys)
          = (e.subscriber_id, e.integration_id, ${to.place}::bytea, e.context_keys))
    returning 1`.execute(db)
  return rows.length > 0
}

type OfPerson = { subscriberId: string; integrationId: string }

/** How many a person has at an integration. */
export async function countEndpoints(db: Db, env: Env, { subscriberId, integrationId }: OfPerson): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from channel_endpoint
    where environment_id = ${env.environmentId} and subscriber_id = ${subscriberId}
      and integration_id = ${integrationId}`.execute(db)
  return rows[0]?.count ?? 0
}

/** The one that a person has for this place and these contexts. */
export async function findByPlace(
  db: Db,
  env: Env,
  wanted: OfPerson & { place: Buffer; contextKeys: readonly string[] },
): Promise<{ id: string; identifier: string } | null> {
  const { rows } = await sql<{ id: string; identifier: string }>`
    select id, identifier from channel_endpoint
    where environment_id = ${env.environmentId} and subscriber_id = ${wanted.subscriberId}
      and integration_id = ${wanted.integrationId} and place = ${wanted.place}
      and context_keys = ${wanted.contextKeys}::text[]`.execute(db)
  return rows[0] ?? null
}

/** Whoever is reached at this place. */
export async function listAtPlace(db: Db, env: Env, integrationId: string, place: Buffer): Promise<{ id: string }[]> {
  const { rows } = await sql<{ id: string }>`
    select id from channel_endpoint
    where environment_id = ${env.environmentId} and integration_id = ${integrationId} and place = ${place}
    order by id`.execute(db)
  return rows
}

export async function deleteEndpoints(db: Db, env: Env, ids: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from channel_endpoint e using unnest(${ids}::uuid[]) as wanted (id)
    where e.environment_id = ${env.environmentId} and e.id = wanted.id`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

export async function markEndpointsGone(db: Db, env: Env, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update channel_endpoint e set gone_at = ${now}
    from unnest(${ids}::uuid[]) as wanted (id)
    where e.environment_id = ${env.environmentId} and e.id = wanted.id`.execute(db)
}
