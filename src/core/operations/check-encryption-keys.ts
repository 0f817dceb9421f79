import type { Sealer } from '../../lib/seal.ts'
import { secretPlaces } from '../../lib/secret-places.ts'
import {
  type KnownEncryptionKey,
  listEncryptionKeys,
  lockEncryptionKeys,
  useEncryptionKey,
} from '../../store/access/encryption-keys.ts'
import { type Db, inTransaction } from '../../store/database.ts'

const checkText = 'tidings'

/**
 * Throws if stored secrets could not be opened with these keys. On an empty database the first key begins to seal; after
 * that only `secrets reseal` changes which key seals. Tells the sealer what the database knows. `andThen` runs last, in the
 * same transaction.
 */
export async function checkEncryptionKeys(
  db: Db,
  sealer: Sealer,
  andThen: (trx: Db) => Promise<void> = async () => {},
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await lockEncryptionKeys(trx)
    const known = await listEncryptionKeys(trx)
    sealer.learn(known)
    for (const key of known) refuseWrong(sealer, key)
    if (!known.some((key) => !key.retired)) {
      await beginToSealWith(trx, sealer, sealer.keyIds[0] ?? '')
      sealer.learn(await listEncryptionKeys(trx))
    }
    await andThen(trx)
  })
}

/** Makes this the key that seals. The caller holds the lock, and knows that every node has the key. */
export async function beginToSealWith(trx: Db, sealer: Sealer, id: string): Promise<void> {
  await useEncryptionKey(trx, { id, checkValue: sealer.sealWith(id, secretPlaces.keyCheck(id), checkText) })
}

function refuseWrong(sealer: Sealer, key: KnownEncryptionKey): void {
  if (!sealer.keyIds.includes(key.id)) {
    if (key.retired) return
    throw new Error(
      `The database holds secrets sealed with the key "${key.id}", which ENCRYPTION_KEYS lacks. Add it back. To stop needing it, put the new key first and run: npm start -- secrets reseal`,
    )
  }
  if (!opens(sealer, key)) {
    throw new Error(
      `ENCRYPTION_KEYS has a key "${key.id}", but its bytes are not those with which this database was sealed.`,
    )
  }
}

function opens(sealer: Sealer, { id, checkValue }: KnownEncryptionKey): boolean {
  try {
    return sealer.open(secretPlaces.keyCheck(id), checkValue) === checkText
  } catch {
    return false
  }
}
