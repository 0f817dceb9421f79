import { sql } from 'kysely'
import type { Db, Env } from '../database.ts'
import { keysetPage, type PageRequest } from '../keyset.ts'

/** A workspace that installed the app of an integration. `subscriberId`: the caller's own identifier. */
export type ConnectionRow = {
  id: string
  identifier: string
  integrationId: string
  integrationIdentifier: string
  providerId: string
  channel: string
  subscriberId: string | null
  shared: boolean
  contextKeys: string[]
  workspace: { id: string; name?: string; botUserId?: string }
  /** Sealed JSON. */
  auth: string | null
  authNumber: number
  expiresAt: Date | null
  refused: string | null
  updatedAt: Date
}

const columns = sql`
  c.id, c.identifier, c.integration_id as "integrationId", i.identifier as "integrationIdentifier",
  i.provider_id as "providerId", i.channel, s.subscriber_id as "subscriberId", c.shared, c.context_keys as "contextKeys",
  c.workspace, c.auth, c.auth_number as "authNumber", c.expires_at as "expiresAt", c.refused, c.updated_at as "updatedAt"`

/** Those of deleted integrations are left out. */
const tables = sql`channel_connection c
  join integration i on i.environment_id = c.environment_id and i.id = c.integration_id and i.deleted_at is null
  left join subscriber s on s.environment_id = c.environment_id and s.id = c.subscriber_id`

export type ConnectionFilter = {
  subscriberId?: string
  integrationIdentifier?: string
  channel?: string
  providerId?: string
  isShared?: boolean
  contextKeys?: readonly string[]
  /** What a person has (internal id), and what is shared in these contexts. */
  visibleTo?: { subscriberId: string; contextKeys: readonly string[] }
}

export function listConnections(db: Db, env: Env, filter: ConnectionFilter, page: PageRequest) {
  const { subscriberId, integrationIdentifier, channel, providerId, isShared, contextKeys, visibleTo } = filter
  const conditions = [
    subscriberId === undefined ? [] : sql`s.subscriber_id = ${subscriberId}`,
    integrationIdentifier === undefined ? [] : sql`i.identifier = ${integrationIdentifier}`,
    channel === undefined ? [] : sql`i.channel = ${channel}`,
    providerId === undefined ? [] : sql`i.provider_id = ${providerId}`,
    isShared === undefined ? [] : sql`c.shared = ${isShared}`,
    contextKeys === undefined ? [] : sql`c.context_keys = ${contextKeys}::text[]`,
  ].flat()
  return keysetPage<ConnectionRow>(
    {
      db,
      select: columns,
      from: tables,
      scope: sql`c.environment_id = ${env.environmentId} and ${visibleTo ? visible(visibleTo) : sql`true`}`,
      filter: conditions.length > 0 ? sql.join(conditions, sql` and `) : undefined,
      id: sql`c.id`,
      columns: { updatedAt: { expression: sql`c.updated_at`, type: 'timestamptz' } },
      unindexed: conditions.length > 0 || visibleTo !== undefined,
    },
    page,
  )
}

function visible({ subscriberId, contextKeys }: NonNullable<ConnectionFilter['visibleTo']>) {
  return sql`(c.subscriber_id = ${subscriberId}
    or (c.shared and c.context_keys <@ ${contextKeys}::text[]))`
}

export async function findConnection(db: Db, env: Env, identifier: string): Promise<ConnectionRow | null> {
  const { rows } = await sql<ConnectionRow>`
    select ${columns} from ${tables}
    where c.environment_id = ${env.environmentId} and c.identifier = ${identifier}`.execute(db)
  return rows[0] ?? null
}

/** Keeps it from being deleted until the transaction ends. False: it is gone already. */
export async function holdConnection(db: Db, env: Env, id: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from channel_connection where environment_id = ${env.environmentId} and id = ${id} for key share`.execute(
    db,
  )
  return rows.length > 0
}

type Fitting = { integrationId: string; subscriberId: string; contextKeys: readonly string[]; workspaceId?: string }

/** The one connection that fits: shared or the person's own, of no other contexts. Null: none, or several. */
export async function findOnlyConnection(db: Db, env: Env, wanted: Fitting): Promise<{ id: string } | null> {
  const { integrationId, subscriberId, contextKeys, workspaceId } = wanted
  const { rows } = await sql<{ id: string }>`
    select id from channel_connection
    where environment_id = ${env.environmentId} and integration_id = ${integrationId}
      and (shared or subscriber_id = ${subscriberId}) and context_keys <@ ${contextKeys}::text[]
      ${workspaceId === undefined ? sql`` : sql`and workspace ->> 'id' = ${workspaceId}`}
    order by id limit 2`.execute(db)
  return rows.length === 1 ? (rows[0] ?? null) : null
}

/** What sending needs of some connections. */
export async function listConnectionAuths(db: Db, env: Env, ids: readonly string[]) {
  const { rows } = await sql<ConnectionAuth & Pick<ConnectionRow, 'id' | 'workspace'>>`
    select c.id, c.workspace, c.auth, c.auth_number as "authNumber", c.expires_at as "expiresAt", c.refused,
      coalesce(c.renewing_until > clock_timestamp(), false) as "isRenewed"
    from unnest(${ids}::uuid[]) as wanted (id)
    join channel_connection c on c.environment_id = ${env.environmentId} and c.id = wanted.id`.execute(db)
  return rows
}

export type NewConnection = {
  id: string
  identifier: string
  integrationId: string
  /** Internal id. */
  subscriberId: string | null
  contextKeys: readonly string[]
  workspace: ConnectionRow['workspace']
  auth: string | null
  expiresAt: Date | null
}

/** Nobody sees those of deleted integrations, and they stand in nobody's way. */
export async function freeConnectionIdentifier(db: Db, env: Env, identifier: string): Promise<void> {
  await sql`
    delete from channel_connection c using integration i
    where c.environment_id = ${env.environmentId} and c.identifier = ${identifier}
      and i.environment_id = c.environment_id and i.id = c.integration_id and i.deleted_at is not null`.execute(db)
}

/** False when the identifier is taken. */
export async function insertConnection(db: Db, env: Env, row: NewConnection, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into channel_connection (environment_id, id, identifier, integration_id, subscriber_id, shared, context_keys,
      workspace, auth, expires_at, updated_at)
    values (${env.environmentId}, ${row.id}, ${row.identifier}, ${row.integrationId}, ${row.subscriberId},
      ${row.subscriberId === null}, ${row.contextKeys}::text[], ${JSON.stringify(row.workspace)}::jsonb, ${row.auth}, ${row.expiresAt}, ${now})
    on conflict (environment_id, identifier) do nothing`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}

type Renewed = Pick<NewConnection, 'workspace' | 'auth' | 'expiresAt'>

/** Connected anew: what was refused before is forgotten. */
export async function updateConnection(db: Db, env: Env, id: string, row: Renewed, now: Date): Promise<void> {
  await sql`
    update channel_connection set workspace = ${JSON.stringify(row.workspace)}::jsonb, auth = ${row.auth},
      auth_number = auth_number + 1, expires_at = ${row.expiresAt}, refused = null, renewing_until = null, updated_at = ${now}
    where environment_id = ${env.environmentId} and id = ${id}`.execute(db)
}

/** Of all workspaces of an integration: they have to be connected again. */
export async function dropTokens(db: Db, env: Env, integrationId: string, why: string): Promise<void> {
  await sql`
    update channel_connection set auth = null, auth_number = auth_number + 1, expires_at = null, refused = ${why}
    where environment_id = ${env.environmentId} and integration_id = ${integrationId} and auth is not null`.execute(db)
}

/** With its endpoints. False when there is none. */
export async function deleteConnection(db: Db, env: Env, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from channel_connection where environment_id = ${env.environmentId} and id = ${id}`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}

/** What decides whether a token may be used or must be renewed. */
export type ConnectionAuth = Pick<ConnectionRow, 'auth' | 'authNumber' | 'expiresAt' | 'refused'> & {
  /** Somebody else is asking for the next token now. */
  isRenewed: boolean
}

export async function readConnectionAuth(db: Db, env: Env, id: string): Promise<ConnectionAuth | null> {
  const { rows } = await sql<ConnectionAuth>`
    select auth, auth_number as "authNumber", expires_at as "expiresAt", refused,
      coalesce(renewing_until > clock_timestamp(), false) as "isRenewed"
    from channel_connection
    where environment_id = ${env.environmentId} and id = ${id}`.execute(db)
  return rows[0] ?? null
}

/** Which token of which connection. */
type Numbered = { id: string; authNumber: number }

/**
 * Whether this caller alone may renew the token, for so long by the database's clock: others' clocks may be off. Nobody may
 * once it was refused.
 */
export async function claimRenewal(db: Db, env: Env, { id, authNumber }: Numbered, seconds: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update channel_connection set renewing_until = clock_timestamp() + make_interval(secs => ${seconds})
    where environment_id = ${env.environmentId} and id = ${id} and auth_number = ${authNumber} and refused is null
      and (renewing_until is null or renewing_until <= clock_timestamp())`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}

// After a vendor failed to answer, the next one asks a little later.
const restSeconds = 2

/**
 * False: the workspace was connected anew meanwhile, or deleted, and nothing is stored. `refused`: the token stays as it
 * was, and what the vendor said for good is noted before the next one may ask.
 */
export async function endRenewal(
  db: Db,
  env: Env,
  { id, authNumber }: Numbered,
  result: { auth: string; expiresAt: Date | null } | { refused: string | null },
): Promise<boolean> {
  const change =
    'auth' in result
      ? sql`renewing_until = null, auth = ${result.auth}, auth_number = auth_number + 1, expires_at = ${result.expiresAt}`
      : sql`renewing_until = clock_timestamp() + make_interval(secs => ${restSeconds}),
          refused = coalesce(${result.refused}, refused)`
  const { numAffectedRows } = await sql`
    update channel_connection set ${change}
    where environment_id = ${env.environmentId} and id = ${id} and auth_number = ${authNumber}`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}

/** What a vendor said of a token: that it is refused, or (`refused` null) that it has expired. */
export type TokenNews = Numbered & { refused: string | null }

/** Unless the token is another one by now. Of one token that was called both, refused counts, and what was said first. */
export async function noteTokens(db: Db, env: Env, told: readonly TokenNews[], now: Date): Promise<void> {
  if (told.length === 0) return
  const refusedFirst = told.toSorted((a, b) => Number(a.refused === null) - Number(b.refused === null))
  // The last of them stays in a map.
  const news = [...new Map(refusedFirst.toReversed().map((it) => [it.id, it])).values()].sort((a, b) =>
    a.id < b.id ? -1 : 1,
  )
  await sql`
    update channel_connection c set refused = coalesce(c.refused, n.refused),
      expires_at = case when n.refused is null then least(c.expires_at, ${now}) else c.expires_at end
    from jsonb_to_recordset(${JSON.stringify(news)}::jsonb) as n (id uuid, "authNumber" int, refused text)
    where c.environment_id = ${env.environmentId} and c.id = n.id and c.auth_number = n."authNumber"`.execute(db)
}
