import { expectAtLeast, expectThat } from '../../lib/red.ts'
import { equipTenant, failedCalls, longestMs, startMixedLoad, untilMore } from './mixed-load.ts'
import { move } from './mover.ts'
import type { CellName, CellStage } from './stage.ts'
import { judgeMoved } from './verdict.ts'
import { watchStates } from './watch-states.ts'

/** Through all cells and home again, in use all the time, with the workers of every cell at work. */
export async function moves(stage: CellStage): Promise<string> {
  const { world, gatewayUrl } = stage
  const way: CellName[] = world.small ? ['cb'] : ['cb', 'cc', 'ca', 'cb']
  const tenant = await stage.tenant('ca')
  await equipTenant(gatewayUrl, tenant, stage.providers)
  const load = startMixedLoad({ url: gatewayUrl, tenant, random: world.random })
  const watch = watchStates(stage, tenant.environmentId)
  const holds: number[] = []
  let tasks = 0
  await untilMore(load, 60)
  for (const to of way) {
    const times = await move(stage, tenant, to)
    holds.push(times.held ?? Number.NaN)
    console.log(`    to ${to}: ${JSON.stringify(times)}`)
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
  return `${way.length} moves, held ${holds.join(', ')} ms, ${tasks} tasks taken along, longest call ${longestMs(load.book).toFixed(0)} ms; ${told}; ${watched}`
}
