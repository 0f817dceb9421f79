import { setTimeout as sleep } from 'node:timers/promises'
import type { Sealer } from '../../lib/seal.ts'
import {
  listEncryptionKeys,
  lockEncryptionKeys,
  retireOlderEncryptionKeys,
} from '../../store/access/encryption-keys.ts'
import { type LiveNode, listLiveNodes, listOpenWrites, nodeGoneAfterMs } from '../../store/access/nodes.ts'
import { type Db, inTransaction } from '../../store/database.ts'
import { isMoving } from '../../store/history/retention.ts'
import { beginToSealWith } from './check-encryption-keys.ts'
import { resealPasses } from './reseal-passes.ts'

// A node that was killed counts for a minute. A node that runs announces the new key within two renewals.
const waitForNodesMs = nodeGoneAfterMs + 20_000
// PostgreSQL ends a transaction that does nothing after a minute, and a statement after half a minute.
const waitForWritesMs = 100_000
const lookMs = 250

type Options = {
  now: Date
  progress: (table: string, done: number) => void
  /** The id of the node that this process announced. The process does not wait for itself. */
  self?: string
  /** Called with the nodes that it waits for. */
  waits?: (nodes: readonly string[]) => void
}

/**
 * Makes the first key of ENCRYPTION_KEYS the one that seals, reseals everything with it while requests run, and marks the
 * older keys as no longer needed. Each step begins only when no process can undo the previous one:
 *
 * 1. Every node can open what the new key seals; otherwise nothing is changed.
 * 2. Every node seals with the new key, and the transactions that an older key sealed for have ended.
 * 3. Nothing that an older key sealed is stored.
 */
export async function resealSecrets(db: Db, sealer: Sealer, options: Options): Promise<{ retired: string[] }> {
  const keyId = sealer.keyIds[0] ?? ''
  await changeKey(db, sealer, keyId, options.self)
  await waitForNodes(db, keyId, options)
  await waitForWrites(db)
  for (const pass of resealPasses(sealer, keyId)) {
    let done = 0
    for (let count = -1; count !== 0; done += count) {
      count = await inTransaction(db, async (trx) => {
        await refuseMove(trx)
        await refuseOtherKey(trx, keyId)
        return pass.run(trx)
      })
      if (count > 0) options.progress(pass.table, done + count)
    }
  }
  return inTransaction(db, async (trx) => {
    await lockEncryptionKeys(trx)
    await refuseMove(trx)
    await refuseOtherKey(trx, keyId)
    return { retired: await retireOlderEncryptionKeys(trx, keyId, options.now) }
  })
}

/** Rows that are copied between cells would keep their old seal, whose key is about to be retired. */
async function refuseMove(trx: Db): Promise<void> {
  if (await isMoving(trx))
    throw new Error('An environment is being moved. Run `secrets reseal` again when that has ended.')
}

/**
 * Another `secrets reseal` made another key the one that seals. It may already have gone through a table, and retires the
 * key that this one would bring back there.
 */
async function refuseOtherKey(db: Db, keyId: string): Promise<void> {
  const newest = (await listEncryptionKeys(db)).find((key) => !key.retired)
  if (newest?.id !== keyId)
    throw new Error(
      `Another \`secrets reseal\` was started meanwhile: the key "${newest?.id}" seals now, and this one stops. Let the other one end, or run this again after it.`,
    )
}

/** Makes the key the one that seals. Holds the lock, so that no node without the key starts meanwhile. */
async function changeKey(db: Db, sealer: Sealer, keyId: string, self: string | undefined): Promise<void> {
  const changed = await inTransaction(db, async (trx) => {
    await lockEncryptionKeys(trx)
    await refuseMove(trx)
    const others = (await listLiveNodes(trx)).filter((node) => node.id !== self)
    const lacking = others.filter((node) => !node.keyIds.includes(keyId))
    if (lacking.length > 0) throw new Error(refusal(keyId, lacking))
    const own = sealer.keyFingerprints[sealer.keyIds.indexOf(keyId)]
    const different = others.filter((node) => node.keyFingerprints[node.keyIds.indexOf(keyId)] !== own)
    if (different.length > 0) throw new Error(differentBytes(keyId, different))
    const known = await listEncryptionKeys(trx)
    const newest = known.find((key) => !key.retired)
    if (newest?.id !== keyId) await beginToSealWith(trx, sealer, keyId)
    return listEncryptionKeys(trx)
  })
  sealer.learn(changed)
}

async function waitForNodes(db: Db, keyId: string, { self, waits }: Options): Promise<void> {
  for (const until = performance.now() + waitForNodesMs; ; await sleep(lookMs)) {
    await refuseOtherKey(db, keyId)
    const nodes = await listLiveNodes(db)
    const others = nodes.filter((node) => node.id !== self && node.sealingKey !== keyId).map(describeNode)
    if (others.length === 0) return
    if (performance.now() > until)
      throw new Error(`These nodes still seal with an older key, so nothing was resealed: ${others.join('; ')}.`)
    waits?.(others)
  }
}

/** Waits for open transactions: the passes would miss a row that an older key sealed and that is not committed yet. */
async function waitForWrites(db: Db): Promise<void> {
  const before = await listOpenWrites(db)
  for (const until = performance.now() + waitForWritesMs; ; await sleep(lookMs)) {
    const now = new Set((await listOpenWrites(db)).map(({ id }) => id))
    const open = before.filter(({ id }) => now.has(id))
    if (open.length === 0) return
    if (performance.now() > until)
      throw new Error(
        `These PostgreSQL sessions have kept a transaction open for too long: ${open.map(({ pid }) => `pid ${pid}`).join(', ')}. Run \`secrets reseal\` again when it has ended.`,
      )
  }
}

function refusal(keyId: string, lacking: readonly LiveNode[]): string {
  return `Nothing was resealed, because these running nodes lack the key "${keyId}": ${lacking.map(describeNode).join('; ')}. Add the key to their ENCRYPTION_KEYS, restart them, and run this again. A node that was killed counts until it has been silent for ${nodeGoneAfterMs / 1000} s.`
}

function differentBytes(keyId: string, different: readonly LiveNode[]): string {
  return `Nothing was resealed, because these running nodes have other bytes under the id "${keyId}": ${different.map(describeNode).join('; ')}. Give all nodes and this command the same key, restart the nodes, and run this again.`
}

function describeNode({ role, host, pid, keyIds, silentSeconds }: LiveNode): string {
  return `${role} on ${host} (pid ${pid}, holds ${keyIds.join(', ')}, last seen ${silentSeconds} s ago)`
}
