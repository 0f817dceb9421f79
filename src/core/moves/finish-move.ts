import { setTimeout as sleep } from 'node:timers/promises'
import { chunks } from '../../lib/chunks.ts'
import { activate, stateOf } from '../../store/access/environment-states.ts'
import { type Db, isDatabaseUnavailable } from '../../store/database.ts'
import { readAlike } from '../../store/moves/compare-rows.ts'
import { dropOpenClaims, listPresent, markAbsent, stopTimers } from '../../store/moves/left-rows.ts'
import { findMove, noteStep, placeEnvironment, removeMove } from '../../store/moves/move-records.ts'
import { deleteOpenTasks, wakeWorkers } from '../../store/moves/open-tasks.ts'
import { dropPublishing, dropSubscription, stopSubscription } from '../../store/moves/replication.ts'
import type { Cells } from './cells.ts'
import { compareOnce, type Difference, describe } from './compare.ts'
import { type Move, timed } from './move.ts'

/** After the commit point there is only forward, and anybody may do it: each part finds out whether it was done. */

/** Tries until the target answers: nobody serves the environment meanwhile. */
export async function activateTarget(move: Move, cells: Cells): Promise<void> {
  const { source, target, environmentId, progress } = move
  // Who has just departed does not ask: the old cell may be gone by now.
  const generation = move.newGeneration ?? (await stateOf(source.database.db, environmentId))?.generation
  if (generation === undefined) throw new Error(`${source.name} has forgotten the environment`)
  await timed(move, 'activate', () => patiently(move, () => bringUp(target.database.db, environmentId, generation)))
  if (move.heldFrom !== undefined) move.times.held = Math.round(performance.now() - move.heldFrom)
  // An earlier move away from there is over.
  await removeMove(target.database.db, environmentId)
  await progress.step('active', `it works in ${target.name}, generation ${generation}`)
  // Gateways find their way without it, by the answer of the old cell: so it does not hold up what follows.
  const placed = await placeEnvironment(cells.control.db, { environmentId, cell: target.name, generation }).then(
    () => true,
    () => false,
  )
  if (!placed)
    throw new Error('it works in its new cell, but the control database does not answer: run the same command again')
  await progress.step('placed', 'the directory knows it')
}

async function bringUp(db: Db, environmentId: string, generation: number): Promise<void> {
  // Nothing that the old cell does to its leftovers reaches the new one.
  await stopSubscription(db, environmentId)
  await dropOpenClaims(db, environmentId)
  if (!(await activate(db, environmentId, generation))) throw new Error('the new cell does not expect it')
  await wakeWorkers(db)
}

async function patiently({ target, progress }: Move, work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      progress.part(
        1,
        `${target.name} does not answer (${tries} tries); it has departed and works as soon as this one does`,
      )
      await sleep(Math.min(tries * 100, 2_000))
    }
  }
}

/** Slots, publication, subscription; then timers and tasks of the old cell. In this order: see `deleteRows`. */
export async function cleanSource(move: Move, snapshot: Db | null): Promise<void> {
  const { source, target, environmentId, progress } = move
  const { db } = source.database
  if (!(await timed(move, 'drop', () => dropReplication(move))))
    throw new Error(`It has moved, but ${target.name} does not answer: run the same command again, to clean up`)
  await progress.step('dropped', 'publication, slot and subscription are gone')
  const people = await listPresent(snapshot ?? db, environmentId)
  for (const some of chunks(people, 1_000)) await markAbsent(target.database.db, environmentId, some)
  await timed(move, 'defuse', async () => {
    await deleteOpenTasks(db, environmentId)
    await stopTimers(db, environmentId)
  })
  await noteStep(db, environmentId, 'finished', { times: move.times })
  await progress.step('defused', `${source.name} has no task and no timer of it any more`)
}

/** False: the target did not answer, so its subscription is still there; the source has dropped what keeps its log. */
export async function dropReplication({
  source,
  target,
  environmentId,
}: Pick<Move, 'source' | 'target' | 'environmentId'>): Promise<boolean> {
  const record = await findMove(source.database.db, environmentId)
  const isTargetThere = await dropSubscription(target.database.db, environmentId).then(
    () => true,
    (error: unknown) => {
      if (isDatabaseUnavailable(error)) return false
      throw error
    },
  )
  await dropPublishing(source.database.db, environmentId, {
    subscriptionOid: record?.subscriptionOid ?? null,
    targetSystem: record?.targetSystem ?? null,
  })
  return isTargetThere
}

/** Every row of both cells, as they were at the switch. */
export async function compareSnapshots(move: Move, snapshots: { source: Db; target: Db }): Promise<Difference[]> {
  const { source, environmentId, progress } = move
  await Promise.all([readAlike(snapshots.source), readAlike(snapshots.target)])
  const differences = await timed(move, 'full compare', () => compareOnce(move, snapshots, 'compared'))
  await noteStep(source.database.db, environmentId, 'compared', {
    times: move.times,
    differences: differences.map(describe),
  })
  await progress.step(
    'compared',
    differences.length === 0 ? 'every row is the same in both cells' : `${differences.length} ranges DIFFER`,
  )
  return differences
}
