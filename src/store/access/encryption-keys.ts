import { sql } from 'kysely'
import type { Db } from '../database.ts'

export type KnownEncryptionKey = { id: string; checkValue: string; firstUsedAt: Date; retired: boolean }

export async function listEncryptionKeys(db: Db): Promise<KnownEncryptionKey[]> {
  const { rows } = await sql<KnownEncryptionKey>`
    select id, check_value as "checkValue", first_used_at as "firstUsedAt", retired_at is not null as retired
    from encryption_key`.execute(db)
  return rows
}

/** From now on rows may be sealed with this key; a retired one is in use again. */
export async function rememberEncryptionKey(db: Db, key: { id: string; checkValue: string; now: Date }): Promise<void> {
  await sql`
    insert into encryption_key (id, check_value, first_used_at) values (${key.id}, ${key.checkValue}, ${key.now})
    on conflict (id) do update set retired_at = null where encryption_key.retired_at is not null`.execute(db)
}

/** For when nothing is sealed with another key any more. Returns the keys it retired. */
export async function retireOtherEncryptionKeys(db: Db, currentId: string, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update encryption_key set retired_at = ${now} where id <> ${currentId} and retired_at is null returning id`.execute(
    db,
  )
  return rows.map((row) => row.id)
}
