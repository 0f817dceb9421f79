import { findRangeEnd, listKeys, type Range } from '../../store/moves/compare-rows.ts'
import { listMovedTables } from '../../store/moves/moved-tables.ts'
import { type Cell, type Cells, findWhereabouts } from './cells.ts'
import { withBoth } from './compare.ts'
import type { Progress } from './progress.ts'

/** Rows that the old cell has kept and the new one does not have. It is in use: it may have deleted them since. */
export type Missing = { table: string; rows: number; example: string }
export type Verified = { from: string; to: string; missing: Missing[]; differences: string[] | null }

const keysAtOnce = 10_000

/**
 * After a move: what was compared at the switch, and whether the new cell has every row that the old one has kept. For when
 * the mover died before it had compared, or somebody doubts.
 */
export async function verifyMoved(cells: Cells, environmentId: string, progress: Progress): Promise<Verified> {
  const { known } = await findWhereabouts(cells, environmentId)
  const left = known.find(({ state, move }) => state?.state === 'departed' && move && move.step !== 'forgotten')
  const record = left?.move
  if (!left || !record) throw new Error('No cell has kept rows of it: there is nothing to compare with.')
  if (record.step === 'departed') throw new Error('The move is not finished: run it again first.')
  const target = cells.get(record.toCell)
  const missing = await findMissing(left.cell, target, environmentId, progress)
  const { differences } = record.report
  return {
    from: left.cell.name,
    to: target.name,
    missing,
    differences: Array.isArray(differences) ? differences.map(String) : null,
  }
}

async function findMissing(source: Cell, target: Cell, environmentId: string, progress: Progress): Promise<Missing[]> {
  const tables = await listMovedTables(source.database.db)
  return withBoth({ source, target }, async (both) => {
    const found: Missing[] = []
    for (const [n, table] of tables.entries()) {
      progress.part(n / tables.length, `${table.name}: are all rows of ${source.name} in ${target.name}?`)
      for await (const range of rangesOf((after) =>
        findRangeEnd(both.source, environmentId, table, after, keysAtOnce),
      )) {
        const [here, there] = await Promise.all([
          listKeys(both.source, environmentId, table, range),
          listKeys(both.target, environmentId, table, range),
        ])
        const known = new Set(there)
        const lost = here.filter((key) => !known.has(key))
        const [example] = lost
        if (example !== undefined) add(found, { table: table.name, rows: lost.length, example })
      }
    }
    return found
  })
}

async function* rangesOf(findEnd: (after: Range['after']) => Promise<string[] | null>): AsyncGenerator<Range> {
  for (let after: Range['after'] = null; ; ) {
    const upTo: string[] | null = await findEnd(after)
    yield { after, upTo }
    if (upTo === null) return
    after = upTo
  }
}

function add(found: Missing[], it: Missing): void {
  const known = found.find(({ table }) => table === it.table)
  if (known) known.rows += it.rows
  else found.push(it)
}
