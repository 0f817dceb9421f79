import type { Sealer } from '../../lib/seal.ts'
import { secretPlaces } from '../../lib/secret-places.ts'
import { listEncryptionKeys, rememberEncryptionKey } from '../../store/access/encryption-keys.ts'
import type { Db } from '../../store/database.ts'

const checkText = 'tidings'

/** Refuses to start if stored secrets could not be opened, before anything new is sealed. Tells the sealer its keys' age. */
export async function checkEncryptionKeys(db: Db, sealer: Sealer, now: Date): Promise<void> {
  for (const key of await listEncryptionKeys(db)) {
    if (!sealer.keyIds.includes(key.id)) {
      if (key.retired) continue
      throw new Error(
        `The database holds secrets sealed with the key "${key.id}", which ENCRYPTION_KEYS lacks. Add it back; to get rid of it, put the new key first and run: npm start -- secrets reseal`,
      )
    }
    if (!opens(sealer, key)) {
      throw new Error(`ENCRYPTION_KEYS names a key "${key.id}", but it is not the one this database was sealed with.`)
    }
  }
  const id = sealer.currentKeyId
  await rememberEncryptionKey(db, { id, checkValue: sealer.seal(secretPlaces.keyCheck(id), checkText), now })
  sealer.learnFirstUse(new Map((await listEncryptionKeys(db)).map((key) => [key.id, key.firstUsedAt])))
}

function opens(sealer: Sealer, { id, checkValue }: { id: string; checkValue: string }): boolean {
  try {
    return sealer.open(secretPlaces.keyCheck(id), checkValue) === checkText
  } catch {
    return false
  }
}
