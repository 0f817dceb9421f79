import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  countOpenTries,
  depart,
  freeze,
  isFrozenUntil,
  startDraining,
  thaw,
} from '../../store/access/environment-states.ts'
import { inTransaction, isDatabaseUnavailable, lockNotAvailable, sqlState } from '../../store/database.ts'
import { foldTalliesOf, makeSafe, readMarker, readTime, writeMarker } from '../../store/moves/cell-facts.ts'
import type { HotPart } from '../../store/moves/compare-rows.ts'
import { readSignposts, writeSignposts } from '../../store/moves/left-rows.ts'
import { noteStep } from '../../store/moves/move-records.ts'
import { readOpenTasks, replaceOpenTasks } from '../../store/moves/open-tasks.ts'
import { readSlot } from '../../store/moves/replication.ts'
import { longestTryMs } from '../delivery/attempt.ts'
import { chooseHotParts, compareHot, withBoth } from './compare.ts'
import { lostSlot } from './copy-rows.ts'
import { type Move, timed } from './move.ts'
import { toSize } from './progress.ts'
import type { Snapshots } from './snapshots.ts'

/** Draining and freezing, up to the commit point. Until that everything can be taken back, and a lease does so by itself. */

// Renewed while we live: if we die, the environment works again after this.
const drainLeaseMs = 15_000
// After the last answer it is still to be recorded.
const recordWithinMs = 15_000
/** Nobody is held longer, whatever becomes of us. */
const freezeMs = 10_000
// A gateway holds a call for five seconds: a try that is put off must be over by then, or calls fail for nothing.
const catchUpWithinMs = 3_000
// The freeze is short only if little is left to do in it.
const readyLagBytes = 16 * 1024 * 1024
const recentMs = 5 * 60_000
const foldAtOnce = 20_000

/** Why this try did not get to the commit point: the environment works on in its old cell, and another try may. */
export class PutOff extends Error {}

/** Ends when the environment has departed. Throws `PutOff` when it works on where it was. */
export async function switchOver(move: Move, snapshots: Snapshots): Promise<void> {
  const { source, environmentId, progress } = move
  const { db } = source.database
  try {
    await progress.step('draining', `${source.name} begins nothing new for it; requests are answered`)
    const { parts, since } = await timed(move, 'drain', () => drain(move))
    await progress.step('drained', `no try is under way, the target is level`)
    await frozen(move, snapshots, parts, since)
  } catch (error) {
    await snapshots.release()
    await thaw(db, environmentId).catch(() => false)
    throw error
  }
}

/** Requests go on. Ends when no answer of a provider is awaited and little is left to copy. */
async function drain(move: Move): Promise<{ parts: HotPart[]; since: Date }> {
  const { source, environmentId, progress } = move
  const { db } = source.database
  if (!(await startDraining(db, environmentId, drainLeaseMs)))
    throw new PutOff('writers did not end within two seconds')
  const stop = keepDraining(move)
  try {
    const deadline = performance.now() + longestTryMs + recordWithinMs
    for (; ; await sleep(50)) {
      const [tries, slot] = await Promise.all([countOpenTries(db, environmentId), readSlot(db, environmentId)])
      if (!slot || slot.isLost) throw new Error(lostSlot(source.name))
      const isLevel = slot.lagBytes < readyLagBytes
      if (tries === 0 && isLevel) break
      progress.part(0, `draining: ${tries} tries under way, lag ${toSize(slot.lagBytes)}`)
      if (performance.now() > deadline)
        throw new PutOff(`${tries} tries and a lag of ${toSize(slot.lagBytes)} did not end in time`)
    }
    while ((await foldTalliesOf(db, environmentId, foldAtOnce)) > 0);
    const since = new Date((await readTime(db)).getTime() - recentMs)
    const parts = await withBoth(move, (both) => chooseHotParts(move, both, since))
    return { parts, since }
  } finally {
    await stop()
  }
}

/** Renews the lease. Who stops it waits for a renewal under way: after the freeze it would end it. */
function keepDraining({ source, environmentId }: Move): () => Promise<unknown> {
  let renewing: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    renewing = startDraining(source.database.db, environmentId, drainLeaseMs).catch(() => null)
  }, drainLeaseMs / 3)
  return () => {
    clearInterval(timer)
    return renewing
  }
}

async function frozen(move: Move, snapshots: Snapshots, parts: HotPart[], since: Date): Promise<void> {
  const { source, target, environmentId, progress } = move
  const [here, there] = [source.database.db, target.database.db]
  await withBoth(move, async (both) => {
    move.heldFrom = performance.now()
    const held = await timed(move, 'freeze', () => freeze(here, environmentId, freezeMs))
    if (!held) throw new PutOff('writers did not end within two seconds')
    await progress.step('frozen', `requests are held until ${held.until.toISOString()} at most`)
    if ((await countOpenTries(here, environmentId)) > 0) throw new PutOff('a try began while it was drained')
    // At the same time: tasks and signposts are not replicated.
    const level = timed(move, 'catch up', () => catchUp(move))
    const ended = await Promise.allSettled([level, timed(move, 'tasks', () => copyTasks(move))])
    for (const end of ended) if (end.status === 'rejected') throw end.reason
    await progress.step('caught up', `${target.name} has everything that was committed, and the open tasks`)
    const differ = await timed(move, 'compare', () => compareHot(move, both, parts, since))
    if (differ.length > 0) throw new PutOff(`the cells differ: ${differ.join('; ')}`)
    // What a comparison will read later, while both cells go on.
    await timed(move, 'snapshot', () => snapshots.take())
    await timed(move, 'make safe', () => makeSafe(there))
    await progress.step('ready', `${parts.length} kinds of rows agree`)
    const departed = await timed(move, 'depart', () =>
      inTransaction(here, async (trx) => {
        if (!(await isFrozenUntil(trx, environmentId, held))) return false
        if (!(await depart(trx, environmentId, target.name))) return false
        await noteStep(trx, environmentId, 'departed', { times: move.times })
        return true
      }).catch((error: unknown) => {
        if (sqlState(error) === lockNotAvailable) throw new PutOff('writers did not end within two seconds')
        if (isDatabaseUnavailable(error)) throw new PutOff('its transaction was ended before the commit point')
        throw error
      }),
    )
    if (!departed) throw new PutOff('the freeze ran out before the commit point')
    move.newGeneration = held.generation + 1
  })
}

/** A marker that the target shows when it has everything before it. */
async function catchUp({ source, target, environmentId }: Move): Promise<void> {
  const [here, there] = [source.database.db, target.database.db]
  const deadline = performance.now() + catchUpWithinMs
  while ((await foldTalliesOf(here, environmentId, foldAtOnce)) > 0);
  const marker = randomUUID()
  await writeMarker(here, environmentId, marker)
  while ((await readMarker(there, environmentId)) !== marker) {
    if (performance.now() > deadline)
      throw new PutOff(`${target.name} was not level within ${catchUpWithinMs / 1000} s`)
    await sleep(5)
  }
}

async function copyTasks({ source, target, environmentId, times }: Move): Promise<void> {
  const [{ tasks, count }, signposts] = await Promise.all([
    readOpenTasks(source.database.db, environmentId),
    readSignposts(source.database.db, environmentId),
  ])
  await inTransaction(target.database.db, async (trx) => {
    await replaceOpenTasks(trx, environmentId, tasks)
    await writeSignposts(trx, environmentId, signposts)
  })
  times['tasks copied'] = count
}
