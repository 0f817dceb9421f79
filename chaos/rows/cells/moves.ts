import { expectAtLeast, expectThat } from '../../lib/red.ts'
import { failedCalls, untilMore } from './mixed-load.ts'
import { longestCall, move } from './mover.ts'
import type { CellName, CellStage } from './stage.ts'
import { startUnderLoad } from './under-load.ts'
import { judgeMoved } from './verdict.ts'

/** Through all cells and home again, in use all the time, with the workers of every cell at work. */
export async function moves(stage: CellStage): Promise<string> {
  const way: CellName[] = stage.world.small ? ['cb'] : ['cb', 'cc', 'ca', 'cb']
  const { tenant, load, watch } = await startUnderLoad(stage, 60)
  const holds: number[] = []
  const longest: string[] = []
  let tasks = 0
  for (const to of way) {
    const from = performance.now()
    const { times, steps } = await move(stage, tenant, to)
    longest.push(
      longestCall(
        load.book.calls.filter(({ started }) => started >= from),
        steps,
      ),
    )
    holds.push(times.held ?? Number.NaN)
    tasks += times['tasks copied'] ?? 0
    await untilMore(load, 40)
  }
  await load.stop()
  const home = way.at(-1) ?? 'ca'
  // Tasks that were left behind are found by nobody for half a minute.
  const told = await judgeMoved(stage, home, tenant, load.book, 25_000)
  const watched = await watch.stop()
  expectThat(failedCalls(load.book) === '', `calls failed: ${failedCalls(load.book)}`)
  expectAtLeast(tasks, 1, 'tasks that waited in a freeze')
  return `${way.length} moves, held ${holds.join(', ')} ms, ${tasks} tasks taken along, longest calls ${longest.join(', ')}; ${told}; ${watched}`
}
