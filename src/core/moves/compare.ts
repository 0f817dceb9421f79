import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../store/database.ts'
import {
  countRows,
  findRangeEnd,
  type HotPart,
  listHotParts,
  type Range,
  readAlike,
  type Sum,
  sumHotParts,
  sumRange,
} from '../../store/moves/compare-rows.ts'
import type { MovedTable } from '../../store/moves/moved-tables.ts'
import type { Move } from './move.ts'

/** A range in which the cells do not agree, as they were seen last. */
export type Difference = { table: string; range: Range; source: Sum; target: Sum }

const rowsPerRange = 10_000
// What the source has committed is there within this, or the target lags by far more than a move can use.
const settleMs = 300
const mostLooks = 20

type Both = { source: Db; target: Db }

/**
 * Compares all rows, range by range. Cells that are in use never agree in every range at one time, so a range that
 * differs is looked at again. Returns those in which the source stays the same and the target still differs.
 */
export async function compareAll(move: Move, label: string): Promise<Difference[]> {
  return withBoth(move, async (both) => {
    const suspects = await compareOnce(move, both, label)
    return recheck(move, both, suspects)
  })
}

/** The same in two snapshots that do not change: whatever differs, differs. */
export async function compareOnce(move: Move, both: Both, label: string): Promise<Difference[]> {
  const { environmentId, tables, progress } = move
  const total = await totalOf(both.source, environmentId, tables)
  const differences: Difference[] = []
  let done = 0
  for (const table of tables) {
    for (let after: Range['after'] = null, isLast = false; !isLast; ) {
      const upTo: string[] | null = await findRangeEnd(both.source, environmentId, table, after, rowsPerRange)
      const range: Range = { after, upTo }
      const sums = await sumBoth(both, environmentId, table, range)
      done += sums.source.rows
      if (!isSame(sums)) differences.push({ table: table.name, range, ...sums })
      progress.part(
        done / Math.max(total, 1),
        `${label}: ${done} of ${total} rows (${table.name}), ${differences.length} ranges to look at again`,
      )
      after = upTo
      isLast = upTo === null
    }
  }
  return differences
}

/** Those that differ after some looks, although the source has not changed meanwhile. */
async function recheck(move: Move, both: Both, suspects: readonly Difference[]): Promise<Difference[]> {
  const byName = new Map(move.tables.map((table) => [table.name, table]))
  const sum = (db: Db, { table, range }: Difference) =>
    sumRange(db, move.environmentId, byName.get(table) ?? { name: table, key: [] }, range)
  let open = suspects.map((it) => ({ ...it, isStable: false }))
  for (let look = 0; look < mostLooks && open.length > 0; look++) {
    for (const it of open) it.source = await sum(both.source, it)
    await sleep(settleMs)
    for (const it of open) it.target = await sum(both.target, it)
    open = open.filter((it) => !isSame(it))
    // A range that changes all the time is compared in the freeze.
    for (const it of open) it.isStable = isSame({ source: it.source, target: await sum(both.source, it) })
  }
  return open.filter((it) => it.isStable)
}

async function sumBoth(both: Both, environmentId: string, table: MovedTable, range: Range) {
  const [source, target] = await Promise.all([
    sumRange(both.source, environmentId, table, range),
    sumRange(both.target, environmentId, table, range),
  ])
  return { source, target }
}

function isSame({ source, target }: { source: Sum; target: Sum }): boolean {
  return source.rows === target.rows && source.hash === target.hash
}

async function totalOf(db: Db, environmentId: string, tables: readonly MovedTable[]): Promise<number> {
  let total = 0
  for (const table of tables) total += await countRows(db, environmentId, table)
  return total
}

/** One connection of each cell, set to write values alike. */
export async function withBoth<T>(
  { source, target }: Pick<Move, 'source' | 'target'>,
  work: (both: Both) => Promise<T>,
) {
  return source.database.db.connection().execute((here) =>
    target.database.db.connection().execute(async (there) => {
      await Promise.all([readAlike(here), readAlike(there)])
      return work({ source: here, target: there })
    }),
  )
}

// Of the time that everybody is held. What does not fit is compared before the freeze only.
const hotBudgetMs = 300

/** Which hot rows can be compared in the time of a freeze: each kind is tried before, the quickest are chosen. */
export async function chooseHotParts(move: Move, { source, target }: Both, since: Date): Promise<HotPart[]> {
  const byName = new Map(move.tables.map((table) => [table.name, table]))
  const tried: { part: HotPart; ms: number }[] = []
  for (const part of listHotParts(move.tables, move.partitioned)) {
    const took = await Promise.all(
      [source, target].map(async (db) => {
        const began = performance.now()
        await sumHotParts(db, move.environmentId, [part], byName, since)
        return performance.now() - began
      }),
    )
    tried.push({ part, ms: Math.max(...took) })
  }
  let left = hotBudgetMs
  return tried
    .toSorted((a, b) => a.ms - b.ms)
    .flatMap(({ part, ms }) => {
      left -= ms
      return left >= 0 ? part : []
    })
}

/** The names of the parts in which the cells differ. */
export async function compareHot(move: Move, both: Both, parts: readonly HotPart[], since: Date): Promise<string[]> {
  const byName = new Map(move.tables.map((table) => [table.name, table]))
  const [here, there] = await Promise.all([
    sumHotParts(both.source, move.environmentId, parts, byName, since),
    sumHotParts(both.target, move.environmentId, parts, byName, since),
  ])
  return parts.flatMap(({ name }, n) => {
    const [source, target] = [here[n], there[n]]
    if (source && target && isSame({ source, target })) return []
    return `${name} (${source?.rows ?? 0} rows against ${target?.rows ?? 0})`
  })
}

/** For whoever reads it. */
export function describe({ table, range, source, target }: Difference): string {
  const key = (bound: Range['after'], open: string) => (bound ? bound.join(' ') : open)
  return `${table} from ${key(range.after, 'the first')} to ${key(range.upTo, 'the last')}: ${source.rows} rows against ${target.rows}${source.rows === target.rows ? ', with other content' : ''}`
}
