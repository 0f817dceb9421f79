import { setTimeout as sleep } from 'node:timers/promises'
import { setArriving } from '../../store/access/environment-states.ts'
import { ensurePartitions } from '../../store/history/partitions.ts'
import { findKnownEnvironment, findWeeks } from '../../store/moves/cell-facts.ts'
import { analyze, countRows, listFilled } from '../../store/moves/compare-rows.ts'
import { deleteRows, readSignposts, writeSignposts } from '../../store/moves/left-rows.ts'
import { noteSubscription } from '../../store/moves/move-records.ts'
import type { MovedTable } from '../../store/moves/moved-tables.ts'
import { deleteOpenTasks } from '../../store/moves/open-tasks.ts'
import {
  findSubscription,
  makeSlot,
  publish,
  readCopyState,
  readSlot,
  subscribe,
} from '../../store/moves/replication.ts'
import type { Move } from './move.ts'
import { toSize } from './progress.ts'

/** Fills the target: everything that is there, and from then on every change. Ends when the target follows. */
export async function copyRows(move: Move): Promise<void> {
  const { source, target, environmentId, progress } = move
  const [here, there] = [source.database.db, target.database.db]
  // Rows without a subscription are left from an earlier stay, or from a move that was given up.
  const isBegun = (await findSubscription(there, environmentId)) !== null
  // Changes are missing: a new slot would begin after them.
  if (isBegun && !(await readSlot(here, environmentId))) throw new Error(lostSlot(source.name))
  if (!isBegun) await clearTarget(move)
  await progress.step('cleared', `no rows of it in ${target.name}`)

  const weeks = await findWeeks(here)
  if (weeks) await ensurePartitions(there, weeks.first, weeks.last)
  await arrive(move)
  await progress.step('arriving', `${target.name} knows that it comes`)

  await publish(here, environmentId, move.tables)
  await makeSlot(here, environmentId)
  await progress.step('published', `${move.tables.length} tables are published in ${source.name}`)
  await subscribe(there, environmentId, source.url)
  const made = await findSubscription(there, environmentId)
  if (made) await noteSubscription(here, environmentId, made.oid)
  await progress.step('subscribed', `${target.name} copies them`)
  await untilCopied(move)
  // Nobody has looked at these rows yet: without it the first requests would be planned as for empty tables.
  for (const table of move.tables) await analyze(there, table.name)
  await progress.step('copied', `${target.name} has all tables, and follows`)
}

async function arrive({ source, target, environmentId, generation }: Move): Promise<void> {
  const it = await findKnownEnvironment(source.database.db, environmentId)
  if (!it) throw new Error(`${source.name} has no environment ${environmentId}`)
  const { bootstrapKeys: _, ...row } = it
  if (!(await setArriving(target.database.db, { ...row, sourceCell: source.name, generation })))
    throw new Error(`${target.name} has it in another state, or of a later generation: nothing was changed`)
  await writeSignposts(target.database.db, environmentId, await readSignposts(source.database.db, environmentId))
}

/** Deletes what an earlier stay has left there: its rows are older than those that come. */
export async function clearTarget({ target, environmentId, tables, progress }: Move): Promise<void> {
  const { db } = target.database
  await deleteOpenTasks(db, environmentId)
  const names = [...tables.map((table) => table.name), 'outcome_tally', 'presence']
  const filled = await listFilled(db, environmentId, names)
  if (filled.length === 0) return
  const total = await countAll(db, environmentId, tables)
  progress.part(0, `${total} rows of an earlier stay are deleted from ${target.name}`)
  await deleteRows(db, environmentId, filled, (table, deleted) =>
    progress.part(
      deleted / Math.max(total, deleted),
      `${deleted} of ${total} old rows deleted from ${target.name} (${table})`,
    ),
  )
}

async function countAll(db: Move['source']['database']['db'], environmentId: string, tables: readonly MovedTable[]) {
  let total = 0
  for (const table of tables) total += await countRows(db, environmentId, table)
  return total
}

const lookEveryMs = 200
// The target tries again every few seconds whatever went wrong: a network that is away comes back.
const mostErrorsInARow = 10

async function untilCopied(move: Move): Promise<void> {
  const { source, target, environmentId, tables, progress } = move
  const counts = new Map<string, number>()
  for (const table of tables) counts.set(table.name, await countRows(source.database.db, environmentId, table))
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  let before = { done: -1, errors: 0 }
  for (; ; await sleep(lookEveryMs)) {
    const state = await readCopyState(target.database.db, environmentId)
    const slot = await readSlot(source.database.db, environmentId)
    if (!slot || slot.isLost) throw new Error(lostSlot(source.name))
    const done = state.ready.reduce((sum, name) => sum + (counts.get(name) ?? 0), 0) + state.rowsUnderWay
    if (done !== before.done) before = { done, errors: state.errors }
    if (state.errors - before.errors >= mostErrorsInARow)
      throw new Error(
        `${target.name} refused what came ${state.errors} times; its PostgreSQL log says why. Mend it and run the same command again, or give up`,
      )
    progress.part(
      total === 0 ? state.ready.length / Math.max(state.tables, 1) : done / total,
      `${state.ready.length} of ${state.tables} tables, ${Math.min(done, total)} of ${total} rows; ${source.name} keeps ${toSize(slot.keptBytes)} of log${state.isRunning ? '' : '; the subscription is not running'}`,
    )
    if (state.tables > 0 && state.ready.length === state.tables) return
  }
}

export function lostSlot(cell: string): string {
  return `${cell} has lost the replication slot (a failover, or max_slot_wal_keep_size): changes are missing. Give up (--give-up) and move it again`
}
