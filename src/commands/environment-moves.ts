import type { Config } from '../config.ts'
import { type Cells, openCells } from '../core/moves/cells.ts'
import { describe } from '../core/moves/compare.ts'
import { type Verified, verifyMoved } from '../core/moves/find-missing.ts'
import { forgetEnvironment, graceDays } from '../core/moves/forget-environment.ts'
import { giveUpMove, isOpen, type Moved, moveEnvironment } from '../core/moves/move-environment.ts'
import { type Progress, progressBar, toSize } from '../core/moves/progress.ts'
import { createSealer } from '../lib/seal.ts'
import { listMoves, type MoveRecord } from '../store/moves/move-records.ts'
import { listLeftBehind } from '../store/moves/replication.ts'
import type { Host, Output } from './host.ts'

type MoveOptions = { to?: string; giveUp?: true; verify?: true }

/** Moves an environment between the cells of CELL_DATABASES. Returns 1 if the rows of both cells differ. */
export async function moveCommand(host: Host, id: string, { to, giveUp, verify }: MoveOptions): Promise<number> {
  const { print } = host
  return onEnvironment(host, id, async (cells, progress, config) => {
    if (giveUp) {
      const cell = await giveUpMove(cells, id, progress)
      print(`The move was given up. The environment stays in ${cell}, and nothing of the copy is left.`)
      return 0
    }
    if (verify) return printVerified(await verifyMoved(cells, id, progress), print)
    if (to === undefined) throw new Error('Give the other cell with --to <cell>, or one of --give-up and --verify.')
    const sealer = createSealer(config.encryptionKeys)
    const hint: Output = (text) => print(`note: ${text}`)
    return printMoved(await moveEnvironment(cells, { environmentId: id, to }, sealer, progress, hint), print)
  })
}

/** Lists every move that a cell knows of, and what is left of movers that died. */
export async function movesCommand(host: Host): Promise<void> {
  await withCells(host.settings(), (cells) => printMoves(cells, host.print))
}

/** Deletes the rows that a moved environment left in its old cell. */
export async function forgetCommand(host: Host, id: string, { now = false }: { now?: boolean }): Promise<void> {
  const { print } = host
  await onEnvironment(host, id, async (cells, progress) => {
    const done = await forgetEnvironment(cells, id, { now, progress })
    if (done.length === 0) print('No cell has rows of this environment left.')
    for (const { cell, rows } of done)
      print(`${rows} rows were deleted from ${cell}, which still forwards requests to the new cell.`)
  })
}

async function onEnvironment<T>(
  { settings, print }: Host,
  id: string,
  work: (cells: Cells, progress: Progress, config: Config) => Promise<T>,
): Promise<T> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id))
    throw new Error(`"${id}" is not the id of an environment; npm start -- environments list shows them.`)
  const config = settings()
  return withCells(config, (cells) => work(cells, show(print), config))
}

async function withCells<T>(config: Config, work: (cells: Cells) => Promise<T>): Promise<T> {
  const own = config.cellDatabases.get(config.cell)
  const cells = openCells(config.cellDatabases, config.controlDatabaseUrl ?? own ?? config.databaseUrl)
  try {
    return await work(cells)
  } finally {
    await cells.close()
  }
}

// A person at a terminal wants to see progress; a log needs only a line now and then.
const everyMs = { screen: 100, log: 5_000 }

function show(print: Output): Progress {
  const stdout = process.stdout
  let shownAt = Number.NEGATIVE_INFINITY
  let isOpen = false
  const end = () => {
    if (isOpen) stdout.write('\r\u001b[K')
    isOpen = false
  }
  return {
    async step(name, text) {
      end()
      print(`${name.padEnd(10)} ${text}`)
    },
    part(part, text) {
      if (performance.now() - shownAt < (stdout.isTTY ? everyMs.screen : everyMs.log)) return
      shownAt = performance.now()
      const line = progressBar(part, text)
      if (!stdout.isTTY) return print(line)
      isOpen = true
      stdout.write(`\r\u001b[K${line.slice(0, (stdout.columns ?? 80) - 1)}`)
    },
  }
}

function printMoved({ from, to, times, differences }: Moved, print: Output): number {
  print(`The environment has moved from ${from} to ${to}. ${toTimes(times)}`)
  if (differences === null)
    print(
      'Every row was compared while it was copied. The comparison after the switch was lost with an earlier mover. To compare again: npm start -- environments move <id> --verify',
    )
  for (const it of differences ?? []) print(`DIFFERS: ${describe(it)}`)
  print(`Its rows in ${from} stay for ${graceDays} days. Then delete them: npm start -- environments forget <id>`)
  return differences && differences.length > 0 ? 1 : 0
}

function printVerified({ from, to, missing, differences }: Verified, print: Output): number {
  if (differences === null) print('At the switch the rows were not compared, because the mover had ended.')
  else print(differences.length === 0 ? 'At the switch every row was the same.' : 'At the switch these differed:')
  for (const difference of differences ?? []) print(`DIFFERS: ${difference}`)
  if (missing.length === 0) print(`Now ${to} has every row that ${from} has kept.`)
  for (const { table, rows, example } of missing)
    print(`${table}: ${rows} rows of ${from} are not in ${to} (deleted since, or lost), such as ${example}`)
  return differences && differences.length > 0 ? 1 : 0
}

function toTimes(times: Record<string, number>): string {
  return Object.entries(times)
    .map(([part, value]) => (part === 'tasks copied' ? `${part} ${value}` : `${part} ${value} ms`))
    .join(', ')
}

async function printMoves(cells: Cells, print: Output): Promise<void> {
  const found = await Promise.all(
    cells.all.map(async ({ name, database }) => ({
      name,
      moves: await listMoves(database.db),
      left: await listLeftBehind(database.db),
    })),
  )
  const isMoving = found.some(({ moves }) => moves.some(isOpen))
  for (const { name, moves, left } of found) {
    for (const move of moves) print(toLine(move))
    for (const { kind, name: of, keptBytes } of left) {
      const kept = keptBytes === null ? '' : `, which keeps ${toSize(keptBytes)} of log`
      print(`  ${name}: ${kind} ${of}${kept}${isMoving ? '' : '  (no move is under way: drop it)'}`)
    }
  }
}

function toLine({ environmentId, fromCell, toCell, step, startedAt, departedAt, report }: MoveRecord): string {
  const differences = Array.isArray(report.differences) ? report.differences.length : 0
  const what = { copying: 'is being copied', departed: 'has departed, is to be finished' } as Record<string, string>
  const when = departedAt ? `departed ${departedAt.toISOString()}` : `begun ${startedAt.toISOString()}`
  const next = isOpen({ step }) ? '  (run the same command again to go on)' : ''
  return `${environmentId}  ${fromCell} → ${toCell}  ${what[step] ?? step}, ${when}${differences > 0 ? `, ${differences} ranges DIFFER` : ''}${next}`
}
