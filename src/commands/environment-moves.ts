import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { type Cells, openCells } from '../core/moves/cells.ts'
import { describe } from '../core/moves/compare.ts'
import { type Verified, verifyMoved } from '../core/moves/find-missing.ts'
import { forgetEnvironment, graceDays } from '../core/moves/forget-environment.ts'
import { giveUpMove, type Moved, moveEnvironment } from '../core/moves/move-environment.ts'
import { type Progress, progressBar, toSize } from '../core/moves/progress.ts'
import { createSealer } from '../lib/seal.ts'
import { listMoves, type MoveRecord } from '../store/moves/move-records.ts'
import { listLeftBehind } from '../store/moves/replication.ts'
import type { Say } from './prepare.ts'

const usage =
  'Say: environments move <id> --to <cell> | environments move <id> --give-up | environments move <id> --verify | environments moves | environments forget <id> [--now]'

/** `environments move`, `environments moves`, `environments forget`: between the cells of CELL_DATABASES. */
export async function movesCommand(config: Config, verb: string, args: string[], say: Say): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: {
      to: { type: 'string' },
      'give-up': { type: 'boolean' },
      verify: { type: 'boolean' },
      now: { type: 'boolean' },
    },
    allowPositionals: true,
  })
  const [id, ...more] = positionals
  if (more.length > 0 || (verb === 'moves') === (id !== undefined)) throw new Error(usage)
  if (id !== undefined && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id))
    throw new Error(`"${id}" is not the id of an environment (npm start -- environments list)`)
  const own = config.cellDatabases.get(config.cell)
  const cells = openCells(config.cellDatabases, config.controlDatabaseUrl ?? own ?? config.databaseUrl)
  const shown = show(say)
  try {
    if (id === undefined) return await sayMoves(cells, say)
    if (verb === 'forget') return await forget(cells, id, values.now ?? false, say, shown)
    if (values['give-up']) {
      const cell = await giveUpMove(cells, id, shown)
      say(`The move is given up. It works on in ${cell}; nothing of the copy is left.`)
      return
    }
    if (values.verify) return sayVerified(await verifyMoved(cells, id, shown), say)
    if (values.to === undefined) throw new Error(usage)
    const sealer = createSealer(config.encryptionKeys)
    const hint: Say = (text) => say(`note: ${text}`)
    sayMoved(await moveEnvironment(cells, { environmentId: id, to: values.to }, sealer, shown, hint), say)
  } finally {
    await cells.close()
  }
}

// A log need not hold every look; whoever sits before a screen wants to see it move.
const everyMs = { screen: 100, log: 5_000 }

function show(say: Say): Progress {
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
      say(`${name.padEnd(10)} ${text}`)
    },
    part(part, text) {
      if (performance.now() - shownAt < (stdout.isTTY ? everyMs.screen : everyMs.log)) return
      shownAt = performance.now()
      const line = progressBar(part, text)
      if (!stdout.isTTY) return say(line)
      isOpen = true
      stdout.write(`\r\u001b[K${line.slice(0, (stdout.columns ?? 80) - 1)}`)
    },
  }
}

function sayMoved({ from, to, times, differences }: Moved, say: Say): void {
  say(`It has moved from ${from} to ${to}. ${toTimes(times)}`)
  if (differences === null)
    say(
      'Every row was compared while it was copied; the comparison after the switch was lost with the mover before. See: environments move <id> --verify',
    )
  for (const it of differences ?? []) say(`DIFFERS: ${describe(it)}`)
  if (differences && differences.length > 0) process.exitCode = 1
  say(`Its rows in ${from} stay for ${graceDays} days. Then: npm start -- environments forget <id>`)
}

function sayVerified({ from, to, missing, differences }: Verified, say: Say): void {
  if (differences === null) say('At the switch the rows were not compared: the mover ended before.')
  else say(differences.length === 0 ? 'At the switch every row was the same.' : 'At the switch these differed:')
  for (const difference of differences ?? []) say(`DIFFERS: ${difference}`)
  if (missing.length === 0) say(`Now ${to} has every row that ${from} has kept.`)
  for (const { table, rows, example } of missing)
    say(`${table}: ${rows} rows of ${from} are not in ${to} (deleted since, or lost), such as ${example}`)
  if (differences && differences.length > 0) process.exitCode = 1
}

function toTimes(times: Record<string, number>): string {
  return Object.entries(times)
    .map(([part, value]) => (part === 'tasks copied' ? `${part} ${value}` : `${part} ${value} ms`))
    .join(', ')
}

async function forget(cells: Cells, id: string, now: boolean, say: Say, progress: Progress): Promise<void> {
  const done = await forgetEnvironment(cells, id, { now, progress })
  if (done.length === 0) say('No cell has rows of it left.')
  for (const { cell, rows } of done)
    say(`${rows} rows were deleted from ${cell}. Requests are still sent on from there.`)
}

/** Every move that a cell knows of, and what is left of movers that died. */
async function sayMoves(cells: Cells, say: Say): Promise<void> {
  for (const { name, database } of cells.all) {
    const moves = await listMoves(database.db)
    for (const move of moves) say(toLine(move))
    const isMoving = moves.some(({ step }) => step === 'copying' || step === 'departed')
    for (const { kind, name: of, keptBytes } of await listLeftBehind(database.db)) {
      const kept = keptBytes === null ? '' : `, which keeps ${toSize(keptBytes)} of log`
      say(`  ${name}: ${kind} ${of}${kept}${isMoving ? '' : '  (no move from here is under way)'}`)
    }
  }
}

function toLine({ environmentId, fromCell, toCell, step, startedAt, departedAt, report }: MoveRecord): string {
  const differences = Array.isArray(report.differences) ? report.differences.length : 0
  const what = { copying: 'is being copied', departed: 'has departed, is to be finished' } as Record<string, string>
  const when = departedAt ? `departed ${departedAt.toISOString()}` : `begun ${startedAt.toISOString()}`
  const next = step === 'copying' || step === 'departed' ? '  (run the same command again to go on)' : ''
  return `${environmentId}  ${fromCell} → ${toCell}  ${what[step] ?? step}, ${when}${differences > 0 ? `, ${differences} ranges DIFFER` : ''}${next}`
}
