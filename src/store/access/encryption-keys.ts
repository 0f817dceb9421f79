import { sql } from 'kysely'
import type { Db } from '../database.ts'

export type KnownEncryptionKey = { id: string; checkValue: string; firstUsedAt: Date; retired: boolean }

// Any number that no other advisory lock uses.
const keysLock = 7_264_005

/**
 * Locks until the transaction ends: no other process announces its keys, and no key begins to seal. So a process that
 * starts either sees the new key, or is seen by the process that wants to use it.
 */
export async function lockEncryptionKeys(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(keysLock)})`.execute(trx)
}

export async function listEncryptionKeys(db: Db): Promise<KnownEncryptionKey[]> {
  const { rows } = await sql<KnownEncryptionKey>`
    select id, check_value as "checkValue", first_used_at as "firstUsedAt", retired_at is not null as retired
    from encryption_key order by first_used_at desc, id`.execute(db)
  return rows
}

/** Makes this the newest key, with which rows are sealed. A retired key becomes a key in use again. */
export async function useEncryptionKey(db: Db, { id, checkValue }: { id: string; checkValue: string }): Promise<void> {
  await sql`
    insert into encryption_key (id, check_value, first_used_at)
    values (${id}, ${checkValue},
      greatest(clock_timestamp(), (select max(first_used_at) + interval '1 ms' from encryption_key)))
    on conflict (id) do update set first_used_at = excluded.first_used_at, retired_at = null`.execute(db)
}

/** Retires all older keys, because nothing is sealed with them any more. Returns their ids. */
export async function retireOlderEncryptionKeys(db: Db, currentId: string, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update encryption_key set retired_at = ${now}
    where retired_at is null and first_used_at < (select first_used_at from encryption_key where id = ${currentId})
    returning id`.execute(db)
  return rows.map((row) => row.id)
}
