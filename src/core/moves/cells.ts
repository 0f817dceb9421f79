import { type EnvironmentState, stateOf } from '../../store/access/environment-states.ts'
import { type Database, openDatabase } from '../../store/database.ts'
import { findMove, type MoveRecord } from '../../store/moves/move-records.ts'

export type Cell = { name: string; url: string; database: Database }
export type Cells = {
  get(name: string): Cell
  all: readonly Cell[]
  /** Where gateways look up environments that were moved. */
  control: Database
  close(): Promise<void>
}

/** Three are kept for long: the lock, the comparison, the snapshot. */
const poolSize = 6

export function openCells(databases: ReadonlyMap<string, string>, controlUrl: string | undefined): Cells {
  const open = (url: string) =>
    // Comparing and deleting take as long as they take.
    openDatabase({ url, poolSize, rowLevelSecurity: false, onError() {}, statementTimeoutMs: 0 })
  const all = [...databases].map(([name, url]) => ({ name, url, database: open(url) }))
  const [first] = all
  if (!first) {
    throw new Error('Set CELL_DATABASES to the databases of all cells: ca=postgres://…,cb=postgres://…')
  }
  const own = controlUrl === undefined ? undefined : open(controlUrl)
  return {
    all,
    control: own ?? first.database,
    get(name) {
      const found = all.find((cell) => cell.name === name)
      if (!found) throw new Error(`CELL_DATABASES has no cell "${name}"; it has ${[...databases.keys()].join(', ')}`)
      return found
    },
    async close() {
      await Promise.all([...all.map((cell) => cell.database.close()), own?.close()])
    },
  }
}

export type Whereabouts = { cell: Cell; state: EnvironmentState | null; move: MoveRecord | null }

/** What each cell knows of an environment. One that does not answer is named in `away`. */
export async function findWhereabouts(
  cells: Cells,
  environmentId: string,
): Promise<{ known: Whereabouts[]; away: { cell: Cell; why: string }[] }> {
  const known: Whereabouts[] = []
  const away: { cell: Cell; why: string }[] = []
  await Promise.all(
    cells.all.map(async (cell) => {
      const { db } = cell.database
      try {
        known.push({ cell, state: await stateOf(db, environmentId), move: await findMove(db, environmentId) })
      } catch (error) {
        away.push({ cell, why: error instanceof Error ? error.message : String(error) })
      }
    }),
  )
  return { known, away }
}

const unfinished = new Set<string>(['copying', 'departed'])

/** The cell that is left: the one of an unfinished move, else the one in which the environment lives. */
export async function findSource(cells: Cells, environmentId: string): Promise<Whereabouts> {
  const { known, away } = await findWhereabouts(cells, environmentId)
  const moving = known.find(({ move }) => move && unfinished.has(move.step))
  if (moving) return moving
  const home = known.find(({ state }) => state && state.state !== 'arriving' && state.state !== 'departed')
  if (home) return home
  const hint = away.map(({ cell, why }) => `${cell.name} does not answer: ${why}`).join('; ')
  throw new Error(`No cell of CELL_DATABASES has the environment ${environmentId}.${hint ? ` ${hint}` : ''}`)
}
