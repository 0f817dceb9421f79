import { sql } from 'kysely'
import { type Db, inTransaction } from '../database.ts'
import { listLeaves, listTenantTables, signposts } from './moved-tables.ts'
import { findSubscription, isPublished, replicationName } from './replication.ts'

/** What an environment has left in a cell in which it does not live. */

const batchSize = 5_000

/**
 * Deletes its rows from these tables, in batches; who refers to others goes first. `progress` is told after each batch.
 * Refuses in a cell that publishes them: they would be deleted in the other cell, too.
 */
export async function deleteRows(
  db: Db,
  environmentId: string,
  tables: readonly string[],
  progress: (table: string, deleted: number) => void,
): Promise<number> {
  let deleted = 0
  for (const { table, leaf } of await listLeaves(db, tables)) {
    for (let more = true; more; ) {
      await refuseIfAlive(db, environmentId)
      const { numAffectedRows = 0n } = await sql`
        delete from ${sql.table(leaf)} t where t.ctid = any (array(
          select o.ctid from ${sql.table(leaf)} o where o.environment_id = ${environmentId} limit ${batchSize}))
          and ${isLeft(environmentId)}`.execute(db)
      deleted += Number(numAffectedRows)
      more = numAffectedRows > 0n
      if (more) progress(table, deleted)
    }
  }
  await refuseIfAlive(db, environmentId)
  return deleted
}

/** A batch of a deleted environment that nobody can restore any more, from whatever table. 0: nothing of it is left. */
export async function purgeSomeRows(db: Db, environmentId: string): Promise<number> {
  const names = (await listTenantTables(db)).map(({ name }) => name)
  for (const { leaf } of await listLeaves(db, names)) {
    const { rows } = await sql<{ gone: number }>`
      select purge_environment_rows(${environmentId}, ${leaf}::regclass, ${batchSize}) as gone`.execute(db)
    if (rows[0]?.gone) return rows[0].gone
  }
  return 0
}

/** A part of every statement that deletes: between the look and the deletion it may have come back. */
function isLeft(environmentId: string) {
  const name = replicationName(environmentId)
  return sql<boolean>`(
    exists (select 1 from environment where id = ${environmentId} and state in ('departed', 'arriving'))
    and not exists (select 1 from pg_publication where pubname = ${name})
    and not exists (select 1 from pg_replication_slots where slot_name = ${name})
    and not exists (select 1 from pg_subscription where subname = ${name}
      and subdbid = (select oid from pg_database where datname = current_database())))`
}

/** The last wall before rows are deleted: it does not live here, and nobody takes our changes for his own. */
async function refuseIfAlive(db: Db, environmentId: string): Promise<void> {
  if (await isPublished(db, environmentId)) throw new Error('its rows are published: nothing is deleted')
  if (await findSubscription(db, environmentId)) throw new Error('its rows are being copied here: nothing is deleted')
  const { rows } = await sql`
    select 1 from environment where id = ${environmentId} and state not in ('departed', 'arriving')`.execute(db)
  if (rows.length > 0) throw new Error('it lives in this cell: nothing is deleted')
}

/** Nobody needs the secrets of integrations that only show where to go. */
export async function blankSecrets(db: Db, environmentId: string): Promise<void> {
  await refuseIfAlive(db, environmentId)
  await sql`
    update integration set credentials = '{}' where environment_id = ${environmentId} and credentials <> '{}'
      and ${isLeft(environmentId)}`.execute(db)
  await sql`update environment set signing_secret = null where id = ${environmentId} and state = 'departed'`.execute(db)
}

/** Takes the timers out of the indexes that loops read from their head. In batches; returns how many. */
export async function stopTimers(db: Db, environmentId: string): Promise<number> {
  let stopped = 0
  for (const [table, column] of [
    ['job', 'run_at'],
    ['message', 'retry_at'],
  ] as const) {
    for (const { leaf } of await listLeaves(db, [table])) {
      for (let more = true; more; ) {
        await refuseIfAlive(db, environmentId)
        const { numAffectedRows = 0n } = await sql`
          update ${sql.table(leaf)} t set ${sql.ref(column)} = null where t.ctid = any (array(
            select o.ctid from ${sql.table(leaf)} o
            where o.environment_id = ${environmentId} and o.${sql.ref(column)} is not null limit ${batchSize}))
            and ${isLeft(environmentId)}`.execute(db)
        stopped += Number(numAffectedRows)
        more = numAffectedRows > 0n
      }
    }
  }
  return stopped
}

/**
 * In the target, before it is active. Whoever had claimed a key for a request that was not over at the freeze was refused,
 * and could not let go of it: the same request, repeated here, must not wait for him.
 */
export async function dropOpenClaims(db: Db, environmentId: string): Promise<void> {
  await sql`
    delete from idempotency i using environment e where e.id = ${environmentId} and e.state = 'arriving'
      and i.environment_id = e.id and i.status is null and i.leased_until is not null`.execute(db)
}

/** The small tables that show where it went, and its own row: as they are in the source. */
export type Signposts = { environment: string; tables: Record<string, string> }

export async function readSignposts(db: Db, environmentId: string): Promise<Signposts> {
  const tables: Record<string, string> = {}
  for (const table of signposts) {
    const { rows } = await sql<{ text: string }>`
      select coalesce(json_agg(t), '[]')::text as text from ${sql.table(table)} t
      where environment_id = ${environmentId}`.execute(db)
    tables[table] = rows[0]?.text ?? '[]'
  }
  const { rows } = await sql<{ text: string }>`
    select json_build_object('name', e.name, 'signing_secret', e.signing_secret, 'color', e.color, 'parent_id', e.parent_id,
      'protected', e.protected, 'send_bounds', e.send_bounds, 'organization', o.name)::text as text
    from environment e join organization o on o.id = e.organization_id where e.id = ${environmentId}`.execute(db)
  return { environment: rows[0]?.text ?? '{}', tables }
}

/** In the target, while it arrives. All rows that the source has, and no others. */
export async function writeSignposts(db: Db, environmentId: string, from: Signposts): Promise<void> {
  await inTransactionOf(db, async (trx) => {
    for (const table of signposts) {
      const text = from.tables[table] ?? '[]'
      const { rows } = await sql<{ set: string }>`
        select string_agg(format('%1$I = excluded.%1$I', attname), ', ') as set from pg_attribute
        where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attname not in ('environment_id', 'id')`.execute(
        trx,
      )
      // A primary integration of before may be another one now: no two at a time.
      await sql`
        delete from ${sql.table(table)} t where t.environment_id = ${environmentId} and not exists (
          select 1 from json_to_recordset(${text}::json) as s (id uuid) where s.id = t.id)`.execute(trx)
      if (table === 'integration')
        await sql`update integration set is_primary = false, deleted_at = coalesce(deleted_at, now())
          where environment_id = ${environmentId}`.execute(trx)
      await sql`
        insert into ${sql.table(table)} select * from json_populate_recordset(null::${sql.table(table)}, ${text}::json)
        on conflict (environment_id, id) do update set ${sql.raw(rows[0]?.set ?? '')}`.execute(trx)
    }
    await sql`
      update environment e set name = g.name, signing_secret = g.signing_secret, color = coalesce(g.color, e.color),
        parent_id = g.parent_id, protected = coalesce(g.protected, e.protected),
        send_bounds = coalesce(g.send_bounds, e.send_bounds)
      from json_to_record(${from.environment}::json)
        as g (name text, signing_secret text, color text, parent_id uuid, protected boolean, send_bounds jsonb)
      where e.id = ${environmentId} and e.state = 'arriving'`.execute(trx)
  })
}

/** The caller's transaction, if it has one. */
function inTransactionOf(db: Db, work: (trx: Db) => Promise<void>): Promise<void> {
  return db.isTransaction ? work(db) : inTransaction(db, work)
}

/** People whose inbox was open at a node of the old cell. */
export async function listPresent(db: Db, environmentId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct subscriber_id as id from presence where environment_id = ${environmentId}`.execute(db)
  return rows.map((row) => row.id)
}

/** In the new cell: who has not come again is not there. */
export async function markAbsent(db: Db, environmentId: string, subscriberIds: readonly string[]): Promise<void> {
  await inTransaction(db, async (trx) => {
    await sql`select enter_environment(${environmentId})`.execute(trx)
    await sql`
      select 1 from subscriber s where s.environment_id = ${environmentId} and s.id = any (${subscriberIds}::uuid[])
      order by s.id for no key update of s`.execute(trx)
    await sql`
      update subscriber s set is_online = false, last_online_at = now(), version = version + 1, updated_at = now()
      where s.environment_id = ${environmentId} and s.id = any (${subscriberIds}::uuid[]) and s.is_online
        and not exists (select 1 from presence p where p.environment_id = s.environment_id and p.subscriber_id = s.id)`.execute(
      trx,
    )
  })
}
