import { sql } from 'kysely'
import { enterLoops } from '../access/enter-loops.ts'
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

/** Those of deleted integrations are left out. A `left` join where a foreign key makes it one: counts do without it. */
const tables = sql`channel_endpoint e
  join integration i on i.environment_id = e.environment_id and i.id = e.integration_id and i.deleted_at is null
  left join subscriber s on s.environment_id = e.environment_id and s.id = e.subscriber_id
  left join channel_connection c on c.environment_id = e.environment_id and c.id = e.connection_id`

export type EndpointFilter = {
  subscriberId?: string
  integrationIdentifier?: string
  connectionIdentifier?: string
  channel?: string
  providerId?: string
  contextKeys?: readonly string[]
  /** Internal id. */
  ownerId?: string
}

export function listEndpoints(db: Db, env: Env, filter: EndpointFilter, page: PageRequest) {
  const { subscriberId, integrationIdentifier, connectionIdentifier, channel, providerId, contextKeys, ownerId } =
    filter
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
      scope: sql`e.environment_id = ${env.environmentId} and ${ownerId ? sql`e.subscriber_id = ${ownerId}` : sql`true`}`,
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

/** An endpoint as it is sent to. `subscriberId`: internal. */
export type ReachedRow = {
  id: string
  subscriberId: string
  integrationId: string
  contextKeys: string[]
  type: string
  endpoint: string
  goneAt: Date | null
  connectionId: string | null
  place: Buffer
}

const reached = sql`
  e.id, e.subscriber_id as "subscriberId", e.integration_id as "integrationId", e.context_keys as "contextKeys", e.type,
  e.endpoint, e.gone_at as "goneAt", e.connection_id as "connectionId", e.place`

/** Of many people, oldest first. */
export async function listReached(db: Db, env: Env, subscriberIds: readonly string[]): Promise<ReachedRow[]> {
  const { rows } = await sql<ReachedRow>`
    select ${reached}
    from unnest(${subscriberIds}::uuid[]) as wanted (id)
    join channel_endpoint e on e.environment_id = ${env.environmentId} and e.subscriber_id = wanted.id
    order by e.id`.execute(db)
  return rows
}

export async function findReached(db: Db, env: Env, identifier: string): Promise<ReachedRow | null> {
  const { rows } = await sql<ReachedRow>`
    select ${reached} from channel_endpoint e
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
  /** A digest of them. */
  contexts: Buffer
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
      contexts, type, endpoint, place, updated_at)
    values (${env.environmentId}, ${row.id}, ${row.identifier}, ${row.integrationId}, ${row.connectionId},
      ${row.subscriberId}, ${row.contextKeys}::text[], ${row.contexts}, ${row.type}, ${row.endpoint}, ${row.place}, ${now})
    on conflict do nothing`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}

/** Given anew: it is tried again, through this workspace from now on, if one is named. */
export async function reviveEndpoint(
  db: Db,
  env: Env,
  id: string,
  connectionId: string | null,
  now: Date,
): Promise<void> {
  await sql`
    update channel_endpoint set gone_at = null, connection_id = coalesce(${connectionId}, connection_id),
      updated_at = ${now}
    where environment_id = ${env.environmentId} and id = ${id}`.execute(db)
}

type Place = { endpoint: string; place: Buffer }

/** False when the person has that place already. */
export async function moveEndpoint(db: Db, env: Env, id: string, to: Place, now: Date): Promise<boolean> {
  return (await moveEndpoints(db, env, [{ id, endpoint: to.endpoint }], to.place, now)).length > 0
}

/** Those that were moved; the others' people have that place already. */
export async function moveEndpoints(
  db: Db,
  env: Env,
  moving: readonly { id: string; endpoint: string }[],
  place: Buffer,
  now: Date,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update channel_endpoint e set endpoint = m.endpoint, place = ${place}, gone_at = null, updated_at = ${now}
    from jsonb_to_recordset(${JSON.stringify(moving)}::jsonb) as m (id uuid, endpoint text)
    where e.environment_id = ${env.environmentId} and e.id = m.id and not exists (
      select 1 from channel_endpoint o where o.environment_id = e.environment_id and o.id <> e.id
        and (o.subscriber_id, o.integration_id, o.place, o.contexts)
          = (e.subscriber_id, e.integration_id, ${place}::bytea, e.contexts))
    returning e.id`.execute(db)
  return rows.map(({ id }) => id)
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
  wanted: OfPerson & { place: Buffer; contexts: Buffer },
): Promise<{ id: string; identifier: string } | null> {
  const { rows } = await sql<{ id: string; identifier: string }>`
    select id, identifier from channel_endpoint
    where environment_id = ${env.environmentId} and subscriber_id = ${wanted.subscriberId}
      and integration_id = ${wanted.integrationId} and place = ${wanted.place}
      and contexts = ${wanted.contexts}`.execute(db)
  return rows[0] ?? null
}

/** Whoever is reached at this place, a page of them, locked. */
export async function lockAtPlace(
  db: Db,
  env: Env,
  { integrationId, place }: { integrationId: string; place: Buffer },
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from channel_endpoint
    where environment_id = ${env.environmentId} and integration_id = ${integrationId} and place = ${place}
    order by id limit ${limit} for update`.execute(db)
  return rows.map(({ id }) => id)
}

/** Of everybody at this place: gone since then, or (null) back again. */
export async function markPlace(
  db: Db,
  env: Env,
  { integrationId, place }: { integrationId: string; place: Buffer },
  goneAt: Date | null,
): Promise<void> {
  await sql`
    update channel_endpoint set gone_at = ${goneAt}
    where environment_id = ${env.environmentId} and integration_id = ${integrationId} and place = ${place}
      and gone_at is distinct from ${goneAt}`.execute(db)
}

export async function deleteEndpoints(db: Db, env: Env, ids: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from channel_endpoint e using unnest(${ids}::uuid[]) as wanted (id)
    where e.environment_id = ${env.environmentId} and e.id = wanted.id`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

/** Each installation gives another webhook, instead of the one before. */
export async function deleteHooks(
  db: Db,
  env: Env,
  { subscriberId, connectionId }: { subscriberId: string; connectionId: string },
): Promise<void> {
  await sql`
    delete from channel_endpoint
    where environment_id = ${env.environmentId} and subscriber_id = ${subscriberId}
      and connection_id = ${connectionId} and type = 'webhook'`.execute(db)
}

export async function markEndpointsGone(db: Db, env: Env, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update channel_endpoint e set gone_at = ${now}
    from unnest(${ids.toSorted()}::uuid[]) as wanted (id)
    where e.environment_id = ${env.environmentId} and e.id = wanted.id`.execute(db)
}

/** Of deleted integrations, which nobody sees any more: a batch of endpoints, then of connections. How many rows. */
export async function purgeChannels(db: Db, batch: number): Promise<number> {
  const { numAffectedRows: endpoints = 0n } = await sql`
    delete from channel_endpoint e using (
      select o.environment_id, o.id from integration i
      join channel_endpoint o on o.environment_id = i.environment_id and o.integration_id = i.id
      where i.deleted_at is not null and i.environment_id <> all (${enterLoops}) limit ${batch} for update of o skip locked) old
    where e.environment_id = old.environment_id and e.id = old.id`.execute(db)
  if (endpoints > 0n) return Number(endpoints)
  const { numAffectedRows: connections = 0n } = await sql`
    delete from channel_connection c using (
      select o.environment_id, o.id from integration i
      join channel_connection o on o.environment_id = i.environment_id and o.integration_id = i.id
      where i.deleted_at is not null and i.environment_id <> all (${enterLoops}) limit ${batch} for update of o skip locked) old
    where c.environment_id = old.environment_id and c.id = old.id`.execute(db)
  return Number(connections)
}
