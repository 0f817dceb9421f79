import { setTimeout as sleep } from 'node:timers/promises'
import type { Sealer } from '../../lib/seal.ts'
import { abandonArrival, stateOf, thaw } from '../../store/access/environment-states.ts'
import { inTransaction } from '../../store/database.ts'
import { claimMove, letGo, listPartitioned } from '../../store/moves/cell-facts.ts'
import { blankSecrets } from '../../store/moves/left-rows.ts'
import { beginMove, findMove, type MoveRecord, removeMove } from '../../store/moves/move-records.ts'
import { listMovedTables } from '../../store/moves/moved-tables.ts'
import { type Cell, type Cells, findSource } from './cells.ts'
import { checkMove, findKeyFaults } from './check-move.ts'
import { compareAll, type Difference, describe } from './compare.ts'
import { clearTarget, copyRows } from './copy-rows.ts'
import { activateTarget, cleanSource, compareSnapshots, dropReplication } from './finish-move.ts'
import { type Move, timed } from './move.ts'
import type { Progress } from './progress.ts'
import { createSnapshots } from './snapshots.ts'
import { PutOff, switchOver } from './switch-over.ts'

export type Moved = {
  from: string
  to: string
  times: Record<string, number>
  /** Null: the snapshots were lost with the mover that took them. */
  differences: Difference[] | null
}

// A provider that hangs, a burst: the next try may find a better moment.
const mostTries = 5
const againAfterMs = 2_000
const mostClaims = 10
const claimAgainMs = 300

type Given = { environmentId: string; to: string }

/** Moves an environment, or goes on with a move that was begun. Whatever kills it, the same call goes on. */
export async function moveEnvironment(
  cells: Cells,
  { environmentId, to }: Given,
  sealer: Sealer,
  progress: Progress,
  hint: (text: string) => void = () => {},
): Promise<Moved> {
  const target = cells.get(to)
  const { cell: source, move: begun, state } = await findSource(cells, environmentId)
  if (begun && isOpen(begun) && begun.toCell !== to)
    throw new Error(`It is being moved from ${source.name} to ${begun.toCell}. Finish that move, or give it up, first`)
  return alone(source, environmentId, async () => {
    const record = await findMove(source.database.db, environmentId)
    if (source.name === to && !(record && isOpen(record))) throw new Error(`It lives in ${to} already.`)
    const move = await prepareMove(source, target, environmentId, progress)
    if (record?.step !== 'departed' && state?.state !== 'departed') {
      const { faults, hints, facts } = await checkMove(source, target, environmentId, sealer)
      if (faults.length > 0) throw new Error(`It cannot be moved yet; nothing was changed:\n- ${faults.join('\n- ')}`)
      for (const text of hints) hint(text)
      await progress.step('checked', `from ${source.name} to ${target.name}`)
      await beginMove(source.database.db, {
        environmentId,
        fromCell: source.name,
        toCell: to,
        targetSystem: facts.target.system,
      })
    }
    return work(move, cells, sealer)
  })
}

async function work(move: Move, cells: Cells, sealer: Sealer): Promise<Moved> {
  const { source, target, environmentId } = move
  const snapshots = createSnapshots(move)
  try {
    if (!(await hasDeparted(source, environmentId))) {
      await timed(move, 'copy', () => copyRows(move))
      await verifyKeys(move, sealer)
      await verify(move)
      await switchSomeTime(move, () => switchOver(move, snapshots))
    }
    await move.progress.step('departed', `${source.name} sends everybody to ${target.name}`)
    await activateTarget(move, cells)
    const both = snapshots.both()
    await cleanSource(move, both?.source ?? null)
    return {
      from: source.name,
      to: target.name,
      times: move.times,
      differences: both ? await compareSnapshots(move, both) : null,
    }
  } finally {
    await snapshots.release()
  }
}

/** From the copy on, `secrets reseal` refuses to run in both cells. Until then it may have changed their keys. */
async function verifyKeys({ source, target }: Move, sealer: Sealer): Promise<void> {
  const faults = await findKeyFaults(source, target, sealer)
  if (faults.length > 0)
    throw new Error(
      `The encryption keys changed while the copy began; nothing was switched:\n- ${faults.join('\n- ')}\nGive up (--give-up), fix this, and move it again`,
    )
}

async function verify(move: Move): Promise<void> {
  const differences = await timed(move, 'verify', () => compareAll(move, 'verified'))
  if (differences.length > 0)
    throw new Error(
      `${move.target.name} differs from ${move.source.name}; nothing was switched:\n- ${differences.slice(0, 20).map(describe).join('\n- ')}\nGive up (--give-up) and move it again`,
    )
  await move.progress.step('verified', 'all ranges agree')
}

async function switchSomeTime(move: Move, attempt: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      // Its answer may have been lost on the way.
      if (await hasDeparted(move.source, move.environmentId).catch(() => false)) return
      if (!(error instanceof PutOff)) throw error
      if (tries >= mostTries)
        throw new Error(
          `The switch was put off ${tries} times, the last time because ${error.message}. It works on in ${move.source.name}; run the same command again, or give up`,
        )
      move.progress.part(0, `put off: ${error.message}; try ${tries + 1} of ${mostTries}`)
      await sleep(againAfterMs)
    }
  }
}

/** Takes everything back, as long as it has not departed. */
export async function giveUpMove(cells: Cells, environmentId: string, progress: Progress): Promise<string> {
  const { cell: source } = await findSource(cells, environmentId)
  return alone(source, environmentId, async () => {
    const { db } = source.database
    const record = await findMove(db, environmentId)
    if (!record || !isOpen(record)) throw new Error('No move of it is under way.')
    if (await hasDeparted(source, environmentId))
      throw new Error(
        `It has departed from ${source.name}: it can only go on. Run: environments move ${environmentId} --to ${record.toCell}`,
      )
    const target = cells.get(record.toCell)
    const move = await prepareMove(source, target, environmentId, progress)
    await thaw(db, environmentId)
    const isTargetThere = await dropReplication(move)
    // The source is free of it, and that is what cannot wait.
    if (!isTargetThere)
      throw new Error(
        `${source.name} has dropped its slot and works on. ${target.name} does not answer: give up once more when it does, to delete what was copied there`,
      )
    const there = await stateOf(target.database.db, environmentId)
    if (there?.state === 'arriving') {
      await clearTarget(move)
      await abandonArrival(target.database.db, environmentId)
      await blankSecrets(target.database.db, environmentId)
    }
    await removeMove(db, environmentId)
    return source.name
  })
}

async function prepareMove(source: Cell, target: Cell, environmentId: string, progress: Progress): Promise<Move> {
  const { db } = source.database
  const state = await stateOf(db, environmentId)
  return {
    environmentId,
    source,
    target,
    generation: state?.generation ?? 1,
    tables: await listMovedTables(db),
    partitioned: await listPartitioned(db),
    progress,
    times: {},
  }
}

/** One mover at a time. The lock goes with its connection: whoever dies leaves none. */
export async function alone<T>(source: Cell, environmentId: string, work: () => Promise<T>): Promise<T> {
  return source.database.db.connection().execute(async (connection) => {
    // PostgreSQL takes a moment to notice that a mover was killed.
    for (let tries = 0; !(await claimMove(connection, environmentId)); tries++) {
      if (tries < mostClaims) await sleep(claimAgainMs)
      else throw new Error('Another mover is at work on this environment. See: npm start -- environments moves')
    }
    return work().finally(() => letGo(connection))
  })
}

/** In a transaction, which ends only when what it read is on the standby too: else a failover would bring it back here. */
async function hasDeparted(source: Cell, environmentId: string): Promise<boolean> {
  const state = await inTransaction(source.database.db, (trx) => stateOf(trx, environmentId))
  return state?.state === 'departed'
}

export function isOpen({ step }: Pick<MoveRecord, 'step'>): boolean {
  return step === 'copying' || step === 'departed'
}
