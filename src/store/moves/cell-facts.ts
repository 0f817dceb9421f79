import { sql } from 'kysely'
import type { EnvironmentLooks } from '../access/environment-states.ts'
import type { Db } from '../database.ts'

/** What a cell's PostgreSQL is and allows: the checks before a move are made of it. */
export type CellFacts = {
  version: number
  system: string
  database: string
  encoding: string
  isReadOnly: boolean
  walLevel: string
  freeSlots: number
  freeSenders: number
  slotKeepLimit: string
  /** Workers for logical replication, and those that other subscriptions of this server use. */
  workers: number
  role: string
  isSuperuser: boolean
  mayReplicate: boolean
  mayPublish: boolean
  maySubscribe: boolean
  /** Row-level security would hide rows from the copy. */
  ownsTables: boolean
}

export async function readCellFacts(db: Db): Promise<CellFacts> {
  const { rows } = await sql<CellFacts>`
    select current_setting('server_version_num')::int / 10000 as version,
      (select system_identifier::text from pg_control_system()) as system, current_database() as database,
      pg_encoding_to_char((select encoding from pg_database where datname = current_database())) as encoding,
      current_setting('transaction_read_only')::bool as "isReadOnly", current_setting('wal_level') as "walLevel",
      current_setting('max_replication_slots')::int - (select count(*)::int from pg_replication_slots) as "freeSlots",
      current_setting('max_wal_senders')::int - (select count(*)::int from pg_stat_replication) as "freeSenders",
      current_setting('max_slot_wal_keep_size') as "slotKeepLimit",
      current_setting('max_logical_replication_workers')::int
        - (select count(*)::int from pg_stat_subscription where pid is not null) as workers,
      current_user as role, r.rolsuper as "isSuperuser", r.rolsuper or r.rolreplication as "mayReplicate",
      r.rolsuper or has_database_privilege(current_database(), 'create') as "mayPublish",
      r.rolsuper or (current_setting('server_version_num')::int >= 160000
        and has_database_privilege(current_database(), 'create')
        and coalesce((select pg_has_role(current_user, p.oid, 'usage') from pg_roles p
          where p.rolname = 'pg_create_subscription'), false)) as "maySubscribe",
      r.rolsuper or r.rolbypassrls or pg_has_role(current_user,
        (select relowner from pg_class where oid = 'subscriber'::regclass), 'usage') as "ownsTables"
    from pg_roles r where r.rolname = current_user`.execute(db)
  const [facts] = rows
  if (!facts) throw new Error('PostgreSQL does not know its own role')
  return facts
}

/** Version and content of each migration. */
export async function readSchemaVersion(db: Db): Promise<Map<number, string>> {
  const { rows } = await sql<{ version: number; hash: string }>`select version, hash from schema_migration`.execute(db)
  return new Map(rows.map((row) => [row.version, row.hash]))
}

export type KnownEnvironment = {
  id: string
  organizationId: string
  organizationName: string
  name: string
  identifier: string
  signingSecret: string | null
  /** The first cell it lived in; null: this one. */
  homeCell: string | null
  looks: EnvironmentLooks
  bootstrapKeys: number
}

export async function findKnownEnvironment(db: Db, environmentId: string): Promise<KnownEnvironment | null> {
  const { rows } = await sql<KnownEnvironment>`
    select e.id, e.organization_id as "organizationId", o.name as "organizationName", e.name, e.identifier,
      e.signing_secret as "signingSecret", e.home_cell as "homeCell",
      jsonb_build_object('slug', e.slug, 'color', e.color, 'type', e.type, 'parentId', e.parent_id,
        'protected', e.protected) as looks,
      (select count(*)::int from api_key k where k.environment_id = e.id and k.bootstrap and k.revoked_at is null)
        as "bootstrapKeys"
    from environment e join organization o on o.id = e.organization_id where e.id = ${environmentId}`.execute(db)
  return rows[0] ?? null
}

export async function listKeyIds(db: Db, environmentId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from api_key where environment_id = ${environmentId}`.execute(db)
  return rows.map((row) => row.id)
}

/** What another environment of this cell has already: an identifier, keys, integrations of the same id. */
export async function listTaken(
  db: Db,
  it: { id: string; identifier: string },
  ids: { keys: readonly string[]; integrations: readonly string[] },
): Promise<string[]> {
  const { rows } = await sql<{ what: string }>`
    select 'the identifier ' || identifier as what from environment where identifier = ${it.identifier} and id <> ${it.id}
    union all select 'the API key ' || id from api_key
    where id = any (${ids.keys}::uuid[]) and environment_id <> ${it.id}
    union all select 'the integration ' || id from integration
    where id = any (${ids.integrations}::uuid[]) and environment_id <> ${it.id}`.execute(db)
  return rows.map((row) => row.what)
}

export async function listIntegrationIds(db: Db, environmentId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from integration where environment_id = ${environmentId}`.execute(db)
  return rows.map((row) => row.id)
}

/** The first and the last week that this cell has partitions for; null: none. */
export async function findWeeks(db: Db): Promise<{ first: Date; last: Date } | null> {
  const { rows } = await sql<{ first: Date | null; last: Date | null }>`
    select min(week) as first, max(week) as last from (
      select to_timestamp(right(c.relname, 8), 'YYYYMMDD')::timestamp at time zone 'UTC' as week
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = any (array(select p::regclass from partitioned_parents() as p)) and c.relname ~ '_[0-9]{8}$') weeks`.execute(
    db,
  )
  const { first, last } = rows[0] ?? {}
  return first && last ? { first, last } : null
}

export async function listPartitioned(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`select p as name from partitioned_parents() as p`.execute(db)
  return new Set(rows.map((row) => row.name))
}

/** False: another mover is at it. Kept for as long as the connection lives. */
export async function claimMove(connection: Db, environmentId: string): Promise<boolean> {
  // A machine that lost its power says no goodbye: the lock would stay for hours.
  await sql`select set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
    set_config('tcp_keepalives_count', '3', false)`.execute(connection)
  const { rows } = await sql<{ ours: boolean }>`
    select pg_try_advisory_lock(hashtextextended(${`tidings move ${environmentId}`}, 0)) as ours`.execute(connection)
  return rows[0]?.ours ?? false
}

/** Lets go of what the connection keeps, before others use it. */
export async function letGo(connection: Db): Promise<void> {
  // A connection that broke has let go already.
  await sql`select pg_advisory_unlock_all()`.execute(connection).catch(() => {})
}

/** The database's own time. */
export async function readTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  if (!rows[0]) throw new Error('PostgreSQL told no time')
  return rows[0].now
}

/** Adds up what waits to be counted. Returns how many rows. */
export async function foldTalliesOf(db: Db, environmentId: string, most: number): Promise<number> {
  const { rows } = await sql<{ folded: number }>`
    select fold_tallies_of(${environmentId}, ${most}) as folded`.execute(db)
  return rows[0]?.folded ?? 0
}

/** In the source, after everything else: the target shows it when it has everything before it. */
export async function writeMarker(db: Db, environmentId: string, marker: string): Promise<void> {
  await sql`insert into move_marker (environment_id, marker) values (${environmentId}, ${marker})
    on conflict (environment_id) do update set marker = excluded.marker`.execute(db)
}

export async function readMarker(db: Db, environmentId: string): Promise<string | null> {
  const { rows } = await sql<{ marker: string }>`
    select marker from move_marker where environment_id = ${environmentId}`.execute(db)
  return rows[0]?.marker ?? null
}

/** Its commit waits for the disk, and for the standby if there is one: whatever was applied before is as safe then. */
export async function makeSafe(db: Db): Promise<void> {
  await sql`select set_config('synchronous_commit', 'on', false), pg_logical_emit_message(true, 'tidings', '')`.execute(
    db,
  )
}
