import { type StepName, stepNames } from '../../../src/core/moves/progress.ts'
import { expectAtLeast, expectThat, shorten } from '../../lib/red.ts'
import { failedCalls, longestMs, untilMore } from './mixed-load.ts'
import { lastStep, resume, untilStep } from './mover.ts'
import { type CellName, type CellStage, cellNames } from './stage.ts'
import { startUnderLoad } from './under-load.ts'
import { judgeMoved } from './verdict.ts'

const fewSteps: readonly StepName[] = ['subscribed', 'frozen', 'departed']
const isBeforeCommit = (step: StepName) => stepNames.indexOf(step) < stepNames.indexOf('ready')

/** The mover is killed at every step, under load; then the same command goes on, or the move is given up. */
export async function killedMovers(stage: CellStage): Promise<string> {
  const { world } = stage
  const { tenant, load, watch } = await startUnderLoad(stage, 40)
  let home: CellName = 'ca'
  let [kills, givenUp, resumed] = [0, 0, 0]
  const landed: string[] = []
  for (const step of world.small ? fewSteps : stepNames) {
    const to = world.random.pick(cellNames.filter((name) => name !== home))
    const mover = stage.move(tenant.environmentId, '--to', to)
    if (await untilStep(mover, step)) kills++
    await mover.kill()
    landed.push(lastStep(mover.output()) ?? 'nothing')
    if (load.hasFailed()) break
    // 'checked' stands before anything was begun.
    if (isBeforeCommit(step) && step !== 'checked' && world.random.chance(0.4)) {
      await giveUp(stage, tenant.environmentId)
      givenUp++
    } else {
      await resume(stage, tenant, to)
      home = to
      resumed++
    }
    await untilMore(load, 15)
  }
  await load.stop()
  const told = await judgeMoved(stage, home, tenant, load.book)
  const watched = await watch.stop()
  expectAtLeast(kills, world.small ? 3 : stepNames.length - 2, 'movers killed at their step')
  return `${kills} × kill -9 (last words: ${landed.join(', ')}), ${resumed} gone on with, ${givenUp} given up; failed calls: ${failedCalls(load.book) || 'none'}, longest ${longestMs(load.book).toFixed(0)} ms; ${told}; ${watched}`
}

export async function giveUp(stage: CellStage, environmentId: string): Promise<void> {
  const mover = stage.move(environmentId, '--give-up')
  const how = await mover.over
  expectThat(how === 'exit 0', `giving up ended with ${how}: ${shorten(mover.output(), 1500)}`)
}
