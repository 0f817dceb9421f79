import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** A process of this service, as it announces itself. `sealingKey` is the encryption key that it seals with. */
export type AnnouncedNode = {
  id: string
  role: string
  host: string
  pid: number
  version: string
  keyIds: readonly string[]
  /** In the order of `keyIds`. */
  keyFingerprints: readonly string[]
  sealingKey: string
}
export type LiveNode = AnnouncedNode & { silentSeconds: number }

/** A node that said nothing for this long counts as gone, unless it checks its encryption keys again. */
export const nodeGoneAfterMs = 60_000

const goneBefore = sql`clock_timestamp() - ${sql.lit(nodeGoneAfterMs)} * interval '1 ms'`

/** Adds the node, or records that it is back. Removes the rows of nodes that are gone. */
export async function announceNode(db: Db, node: AnnouncedNode): Promise<void> {
  await sql`delete from node where seen_at < ${goneBefore}`.execute(db)
  await sql`
    insert into node (id, role, host, pid, version, key_ids, key_fingerprints, sealing_key, seen_at)
    values (${node.id}, ${node.role}, ${node.host}, ${node.pid}, ${node.version}, ${node.keyIds},
      ${node.keyFingerprints}, ${node.sealingKey}, clock_timestamp())
    on conflict (id) do update set sealing_key = excluded.sealing_key, seen_at = excluded.seen_at`.execute(db)
}

/** Records that the node still runs. Returns false if it was silent for so long that others may have continued without it. */
export async function renewNode(
  db: Db,
  { id, sealingKey }: Pick<AnnouncedNode, 'id' | 'sealingKey'>,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update node set sealing_key = ${sealingKey}, seen_at = clock_timestamp()
    where id = ${id} and seen_at >= ${goneBefore}`.execute(db)
  return numAffectedRows > 0n
}

export async function removeNode(db: Db, id: string): Promise<void> {
  await sql`delete from node where id = ${id}`.execute(db)
}

export async function listLiveNodes(db: Db): Promise<LiveNode[]> {
  const { rows } = await sql<LiveNode>`
    select id, role, host, pid, version, key_ids as "keyIds", key_fingerprints as "keyFingerprints",
      sealing_key as "sealingKey",
      round(extract(epoch from clock_timestamp() - seen_at))::int as "silentSeconds"
    from node where seen_at >= ${goneBefore} order by role, host, pid`.execute(db)
  return rows
}

/** Returns the write transactions that are open in this database now. */
export async function listOpenWrites(db: Db): Promise<{ id: string; pid: number }[]> {
  const { rows } = await sql<{ id: string; pid: number }>`
    select l.transactionid::text as id, l.pid from pg_locks l
    join pg_stat_activity a on a.pid = l.pid and a.datname = current_database()
    where l.locktype = 'transactionid' and l.mode = 'ExclusiveLock' and l.granted`.execute(db)
  return rows
}
