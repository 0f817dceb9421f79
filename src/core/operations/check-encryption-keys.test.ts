import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { createSealer } from '../../lib/seal.ts'
import { listEncryptionKeys, retireOlderEncryptionKeys } from '../../store/access/encryption-keys.ts'
import { inTransaction } from '../../store/database.ts'
import { beginToSealWith, checkEncryptionKeys } from './check-encryption-keys.ts'

const h = useHarness()
const key = (id: string, byte: number) => ({ id, bytes: Buffer.alloc(32, byte) })
const start = (...keys: ReturnType<typeof key>[]) => checkEncryptionKeys(h.admin, createSealer(keys))
const useKey = (key: { id: string; bytes: Buffer }) =>
  inTransaction(h.admin, (trx) => beginToSealWith(trx, createSealer([key]), key.id))
const known = async () =>
  (await listEncryptionKeys(h.admin)).map(({ id, retired }) => (retired ? `${id} retired` : id)).toSorted()

beforeEach(() => sql`delete from encryption_key`.execute(h.admin))

describe('a start', () => {
  test('on an empty database remembers the first key, and only that one; the same again changes nothing', async () => {
    await start(key('b', 2), key('a', 1))
    const before = await listEncryptionKeys(h.admin)
    await start(key('b', 2), key('a', 1))
    expect(await listEncryptionKeys(h.admin)).toEqual(before)
    expect(await known()).toEqual(['b'])
  })

  test('of many nodes at once is one row', async () => {
    await Promise.all(Array.from({ length: 10 }, () => start(key('a', 1))))
    expect(await known()).toEqual(['a'])
  })

  test('with another key first does not use it: nodes that lack it may run', async () => {
    await start(key('a', 1))
    const sealer = createSealer([key('b', 2), key('a', 1)])
    await checkEncryptionKeys(h.admin, sealer)
    expect(sealer.currentKeyId()).toBe('a')
    expect(await known()).toEqual(['a'])
  })

  test('without a key that rows may be sealed with is refused, naming it and what to do', async () => {
    await start(key('a', 1))
    await expect(start(key('b', 2))).rejects.toThrow(/"a".*ENCRYPTION_KEYS lacks.*secrets reseal/)
    // Nothing was written: the next start with the right keys works as before.
    expect(await known()).toEqual(['a'])
    await useKey(key('b', 2))
    await start(key('a', 1), key('b', 2))
    await expect(start(key('a', 1))).rejects.toThrow('"b"')
    expect(await known()).toEqual(['a', 'b'])
  })

  test('with other bytes under a known id is refused, first or not', async () => {
    await start(key('a', 1))
    await expect(start(key('a', 9))).rejects.toThrow(/"a".*bytes are not those/)
    await expect(start(key('b', 2), key('a', 9))).rejects.toThrow(/"a".*bytes are not those/)
    expect(await known()).toEqual(['a'])
  })

  test('may go without a retired key; one that is used again is needed again', async () => {
    await start(key('a', 1))
    await useKey(key('b', 2))
    expect(await retireOlderEncryptionKeys(h.admin, 'b', new Date())).toEqual(['a'])
    await start(key('b', 2))
    expect(await known()).toEqual(['a retired', 'b'])
    await useKey(key('a', 1))
    expect(await known()).toEqual(['a', 'b'])
    await expect(start(key('b', 2))).rejects.toThrow('"a"')
    // The key that was used again is the newest now, so it is the other one that can be retired.
    expect(await retireOlderEncryptionKeys(h.admin, 'b', new Date())).toEqual([])
    expect(await retireOlderEncryptionKeys(h.admin, 'a', new Date())).toEqual(['b'])
  })

  test('says nothing of the keys themselves', async () => {
    await start(key('a', 1))
    const refusal = await start(key('a', 9)).catch((error: unknown) => error)
    expect(String(refusal)).not.toMatch(/CQkJ|AQEB/)
  })
})
