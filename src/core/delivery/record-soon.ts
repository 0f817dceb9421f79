import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../../context.ts'
import { notBegun } from '../../lib/outbound.ts'
import { writePatiently } from '../../store/connect/write-patiently.ts'
import type { Env } from '../../store/database.ts'
import { withdrawAttempts } from '../../store/history/attempts.ts'
import type { Ending } from './attempt.ts'
import { recordEach } from './record-each.ts'

// Answers of so many milliseconds are recorded together, and all those that come while others are being recorded.
const gatherMs = 5
const mostTogether = 64
// A record that waits for somebody else's lock does not hold up the others: after this long another one is begun.
const patienceMs = 100
const writesAtOnce = 4

type Waiting = { ending: Ending; ended(fault: unknown): void }
/** Of one environment. */
type Records = { waiting: Waiting[]; writing: number; timer?: NodeJS.Timeout }

/** Of each process; a test may have several in one. */
const ofProcess = new WeakMap<Ctx, Map<string, Records>>()

function recordsOf(ctx: Ctx, { environmentId }: Env): Records {
  const all = ofProcess.get(ctx) ?? new Map<string, Records>()
  ofProcess.set(ctx, all)
  const known = all.get(environmentId) ?? { waiting: [], writing: 0 }
  all.set(environmentId, known)
  return known
}

/** Records the ending of a try in one transaction with others of its environment. Resolves when it is committed. */
export function recordSoon(ctx: Ctx, env: Env, ending: Ending): Promise<void> {
  const records = recordsOf(ctx, env)
  return new Promise((resolve, reject) => {
    records.waiting.push({ ending, ended: (fault) => (fault === undefined ? resolve() : reject(fault)) })
    if (records.writing === 0) void write(ctx, env, records)
    else records.timer ??= setTimeout(() => beginAnother(ctx, env, records), patienceMs)
  })
}

/** Answers that are not being recorded yet. Many: the database does not keep up. */
export function unrecorded(ctx: Ctx, env: Env): number {
  return recordsOf(ctx, env).waiting.length
}

function beginAnother(ctx: Ctx, env: Env, records: Records): void {
  delete records.timer
  if (records.waiting.length === 0) return
  if (records.writing < writesAtOnce) void write(ctx, env, records)
  records.timer = setTimeout(() => beginAnother(ctx, env, records), patienceMs)
}

/** Writes until none waits. Never throws: each ending has its own result. */
async function write(ctx: Ctx, env: Env, records: Records): Promise<void> {
  records.writing++
  while (records.waiting.length > 0) {
    if (records.waiting.length < mostTogether) await sleep(gatherMs)
    await writeTogether(ctx, env, records.waiting.splice(0, mostTogether))
  }
  records.writing--
  if (records.writing > 0) return
  clearTimeout(records.timer)
  ofProcess.get(ctx)?.delete(env.environmentId)
}

async function writeTogether(ctx: Ctx, env: Env, some: readonly Waiting[]): Promise<void> {
  const { begun = [], left = [] } = Object.groupBy(some, ({ ending }) => (isNotBegun(ending) ? 'left' : 'begun'))
  const faults = await recordEach(
    ctx,
    env,
    begun.map(({ ending }) => ending),
  ).catch((error: unknown) => new Map(begun.map(({ ending }) => [ending, error])))
  for (const { ending, ended } of begun) ended(faults.get(ending))
  const fault = await withdraw(ctx, env, left).catch((error: unknown) => error)
  for (const { ended } of left) ended(fault)
}

/** It still waited for a connection when the process began to stop. A part of a push message may have been sent. */
function isNotBegun({ outcome, settledTargets }: Ending): boolean {
  return outcome.kind === 'retry' && outcome.reason === notBegun && !settledTargets?.length
}

/** As if these tries had never been committed: others make them, at once. */
async function withdraw(ctx: Ctx, env: Env, left: readonly Waiting[]): Promise<void> {
  const ids = left.flatMap(({ ending }) => ending.attempt?.id ?? [])
  if (ids.length === 0) return
  await writePatiently(() => ctx.database.write(env, (db) => withdrawAttempts(db, env, ids, ctx.clock())))
}
