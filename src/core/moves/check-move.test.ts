import { expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { createSealer } from '../../lib/seal.ts'
import { retireOlderEncryptionKeys } from '../../store/access/encryption-keys.ts'
import { inTransaction } from '../../store/database.ts'
import { beginToSealWith } from '../operations/check-encryption-keys.ts'
import { openCells } from './cells.ts'
import { checkMove } from './check-move.ts'

const [source, target] = [useHarness(), useHarness()]

test('a move to a cell that has retired the key of the secrets is refused: its nodes need not have that key any more', async () => {
  const { environmentId } = await source.environment()
  const [t1, t2] = [1, 2].map((byte) => ({ id: `t${byte}`, bytes: Buffer.alloc(32, byte) }))
  if (!t1 || !t2) throw new Error('two keys')
  const sealer = createSealer([t1, t2])
  const cells = openCells(
    new Map([
      ['ca', source.databaseUrl],
      ['cb', target.databaseUrl],
    ]),
    undefined,
  )
  const keyFaults = async () =>
    (await checkMove(cells.get('ca'), cells.get('cb'), environmentId, sealer)).faults.filter((it) => /key/.test(it))
  expect(await keyFaults()).toEqual([])
  await inTransaction(target.admin, (trx) => beginToSealWith(trx, sealer, 't2'))
  expect(await keyFaults()).toEqual([])
  expect(await retireOlderEncryptionKeys(target.admin, 't2', new Date())).toEqual(['t1'])
  expect(await keyFaults()).toEqual([
    expect.stringMatching(/^cb does not use the encryption key "t1".*secrets reseal.*in ca/),
  ])
  await cells.close()
})
