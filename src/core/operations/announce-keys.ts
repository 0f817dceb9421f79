import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../../context.ts'
import { listEncryptionKeys } from '../../store/access/encryption-keys.ts'
import { type AnnouncedNode, announceNode, nodeGoneAfterMs, removeNode, renewNode } from '../../store/access/nodes.ts'
import { isDatabaseUnavailable, sqlState } from '../../store/database.ts'
import { version } from '../../version.ts'
import { checkEncryptionKeys } from './check-encryption-keys.ts'

export type Announcement = {
  id: string
  /** True, or in words which key this process lacks, or that it may not seal now. */
  check(): true | string
  /** Removes the announcement. Call it when nothing in this process seals any more. */
  end(): Promise<void>
}

const renewEveryMs = 5_000
// The pause after a failure is shorter, so the process can seal again soon after an outage.
const renewAgainMs = 1_000
// This process stops sealing 10 s before the other processes continue without it.
const sealForMs = nodeGoneAfterMs - 10_000
const undefinedTable = '42P01'

type AnnounceContext = Pick<Ctx, 'database' | 'sealer' | 'log' | 'metrics'>

/**
 * Checks the encryption keys of this process and tells the other processes which ones it holds, before it seals or opens
 * anything, and from then on every few seconds. A process that was silent for too long (frozen, or without the database)
 * seals nothing until it has checked its keys again.
 */
export async function announceKeys(ctx: AnnounceContext, role: string): Promise<Announcement> {
  const { sealer, metrics, log } = ctx
  const id = randomUUID()
  const { keyIds, keyFingerprints } = sealer
  const about = { id, role, host: hostname(), pid: process.pid, version, keyIds, keyFingerprints }
  await announce(ctx, about).catch((error: unknown) => {
    // Under row-level security the owner migrates, perhaps after this start. Until then this process is not ready.
    if (sqlState(error) !== undefinedTable) throw error
    sealer.learn([], 0)
  })
  let isKnownToLack = false
  const report = () => {
    const missing = sealer.missingKeyIds()
    metrics.missingKeys.set(missing.length)
    if (missing.length > 0 && !isKnownToLack) log.error({ keyIds: missing }, describeMissingKeys(missing))
    isKnownToLack = missing.length > 0
  }
  const stopping = new AbortController()
  const renewing = renewUntil(stopping.signal, () => renew(ctx, about).finally(report), log)
  return {
    id,
    check() {
      const missing = sealer.missingKeyIds()
      if (missing.length > 0) return describeMissingKeys(missing)
      return sealer.maySeal() || 'this process could not announce its encryption keys, and seals nothing until it has'
    },
    async end() {
      stopping.abort()
      await renewing
      await removeNode(ctx.database.db, id).catch(() => {})
    },
  }
}

async function renewUntil(
  stopping: AbortSignal,
  renewOnce: () => Promise<void>,
  log: AnnounceContext['log'],
): Promise<void> {
  for (let pauseMs = renewEveryMs; !stopping.aborted; ) {
    await sleep(pauseMs, undefined, { signal: stopping, ref: false }).catch(() => {})
    if (stopping.aborted) return
    pauseMs = await renewOnce().then(
      () => renewEveryMs,
      (error: unknown) => {
        log[isDatabaseUnavailable(error) ? 'debug' : 'warn'](
          { err: error },
          'this process could not announce its encryption keys',
        )
        return renewAgainMs
      },
    )
  }
}

type NodeDescription = Omit<AnnouncedNode, 'sealingKey'>

async function announce({ database, sealer }: AnnounceContext, about: NodeDescription): Promise<void> {
  const sealUntilMs = performance.now() + sealForMs
  await checkEncryptionKeys(database.db, sealer, (trx) =>
    announceNode(trx, { ...about, sealingKey: sealer.currentKeyId() }),
  )
  sealer.learn(await listEncryptionKeys(database.db), sealUntilMs)
}

async function renew(ctx: AnnounceContext, about: NodeDescription): Promise<void> {
  const { database, sealer } = ctx
  const sealUntilMs = performance.now() + sealForMs
  // This process learned its key at the previous renewal. What it sealed with an older key is stored by now.
  if (!(await renewNode(database.db, { id: about.id, sealingKey: sealer.currentKeyId() }))) return announce(ctx, about)
  sealer.learn(await listEncryptionKeys(database.db), sealUntilMs)
}

function describeMissingKeys(missing: readonly string[]): string {
  const names = missing.map((it) => `"${it}"`).join(', ')
  return `ENCRYPTION_KEYS of this process lacks ${names}, with which stored secrets are sealed. Add it and restart. Until then, work that needs those secrets waits.`
}
