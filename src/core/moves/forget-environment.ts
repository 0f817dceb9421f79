import { stateOf } from '../../store/access/environment-states.ts'
import { countRows, listFilled } from '../../store/moves/compare-rows.ts'
import { blankSecrets, deleteRows } from '../../store/moves/left-rows.ts'
import { findMove, isGraceOver, noteStep } from '../../store/moves/move-records.ts'
import { listMovedTables } from '../../store/moves/moved-tables.ts'
import { deleteOpenTasks } from '../../store/moves/open-tasks.ts'
import type { Cell, Cells } from './cells.ts'
import { findWhereabouts } from './cells.ts'
import { alone, isOpen } from './move-environment.ts'
import type { Progress } from './progress.ts'

/** Leftovers are the last resort of whoever finds that something was lost: they stay for a week. */
export const graceDays = 7

/**
 * Deletes what an environment has left in the cells that it moved away from. What shows where it went stays: its own row,
 * its keys and the ids of its integrations. Returns the names of the cells, and how many rows went.
 */
export async function forgetEnvironment(
  cells: Cells,
  environmentId: string,
  { now, progress }: { now: boolean; progress: Progress },
): Promise<{ cell: string; rows: number }[]> {
  const { known, away } = await findWhereabouts(cells, environmentId)
  for (const { cell, why } of away) throw new Error(`${cell.name} does not answer: ${why}`)
  const isHome = known.some(({ state }) => state && !['arriving', 'departed'].includes(state.state))
  if (!isHome) throw new Error('No cell has it as active: nothing is deleted before one has.')
  const left = known.filter(({ state, move }) => state?.state === 'departed' && move && move.step !== 'forgotten')
  const done: { cell: string; rows: number }[] = []
  for (const { cell } of left) {
    done.push({
      cell: cell.name,
      rows: await alone(cell, environmentId, () => forget(cell, environmentId, now, progress)),
    })
  }
  return done
}

async function forget(cell: Cell, environmentId: string, isForced: boolean, progress: Progress): Promise<number> {
  const { db } = cell.database
  const record = await findMove(db, environmentId)
  if (!record || isOpen(record)) throw new Error(`${cell.name}: the move is not finished: run it again first`)
  if ((await stateOf(db, environmentId))?.state !== 'departed') throw new Error(`${cell.name}: it has not departed`)
  const differences = record.report.differences
  if (Array.isArray(differences) && differences.length > 0 && !isForced)
    throw new Error(
      `${cell.name}: the cells differed at the switch (environments moves shows where); with --now they are deleted all the same`,
    )
  if (!isForced && !(await isGraceOver(db, environmentId, graceDays)))
    throw new Error(
      `${cell.name}: it departed less than ${graceDays} days ago; with --now its rows are deleted all the same`,
    )
  const tables = await listMovedTables(db)
  const filled = await listFilled(db, environmentId, [...tables.map(({ name }) => name), 'outcome_tally', 'presence'])
  let total = 0
  for (const table of tables) total += await countRows(db, environmentId, table)
  const rows = await deleteRows(db, environmentId, filled, (table, deleted) =>
    progress.part(
      deleted / Math.max(total, deleted),
      `${deleted} of ${total} rows deleted from ${cell.name} (${table})`,
    ),
  )
  await deleteOpenTasks(db, environmentId)
  await blankSecrets(db, environmentId)
  await noteStep(db, environmentId, 'forgotten')
  return rows
}
