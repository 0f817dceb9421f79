import { setTimeout as sleep } from 'node:timers/promises'
import { type StepName, stepNames } from '../../../src/core/moves/progress.ts'
import type { Tenant } from '../../lib/http.ts'
import { patient } from '../../lib/patience.ts'
import type { Running } from '../../lib/process.ts'
import { expectThat, shorten } from '../../lib/red.ts'
import type { Call } from './mixed-load.ts'
import type { CellName, CellStage } from './stage.ts'

/** From the first to the last word of the mover; an initial copy of what rows make takes seconds. */
const moveWithinMs = 120_000

/** Until the mover has come to a step, or has ended. */
export async function untilStep(mover: Running, step: StepName): Promise<boolean> {
  const line = new RegExp(`^${step.padEnd(10)} `, 'm')
  for (const began = performance.now(); mover.ended() === null; await sleep(1)) {
    if (line.test(mover.output())) return true
    expectThat(performance.now() - began < patient(moveWithinMs), `no "${step}": ${shorten(mover.output(), 1500)}`)
  }
  return line.test(mover.output())
}

/** The last step that it told of. */
export function lastStep(output: string): StepName | null {
  const told = stepNames.filter((step) => new RegExp(`^${step.padEnd(10)} `, 'm').test(output))
  return told.at(-1) ?? null
}

export async function finish(mover: Running, withinMs = moveWithinMs): Promise<string> {
  const how = await Promise.race([mover.over, sleep(patient(withinMs), 'still at work', { ref: false })])
  await mover.kill()
  expectThat(how === 'exit 0', `the mover ended with ${how}: ${shorten(mover.output(), 2000)}`)
  return mover.output()
}

export type Moved = { times: MoveTimes; steps: ReadonlyMap<StepName, number> }

/** From the first word to the last; when each step was seen. */
export async function move(
  stage: CellStage,
  { environmentId }: Tenant,
  to: CellName,
  withinMs = moveWithinMs,
): Promise<Moved> {
  const mover = stage.move(environmentId, '--to', to)
  const steps = new Map<StepName, number>()
  const timer = setInterval(() => {
    const step = lastStep(mover.output())
    if (step && !steps.has(step)) steps.set(step, performance.now())
  }, 10)
  const output = await finish(mover, withinMs).finally(() => clearInterval(timer))
  expectThat(!output.includes('DIFFERS'), `the cells differ: ${shorten(output, 2000)}`)
  return { times: readTimes(output), steps }
}

/** The longest call that was under way between two steps, and what the move was at when it began. */
export function longestCall(calls: readonly Call[], steps: Moved['steps']): string {
  const longest = calls.reduce((most, call) => (call.ms > most.ms ? call : most), { started: 0, ms: 0, status: 0 })
  const before = [...steps].findLast(([, at]) => at <= longest.started)?.[0] ?? 'no move'
  const end = [...steps].findLast(([, at]) => at <= longest.started + longest.ms)?.[0] ?? 'no move'
  return `${longest.ms.toFixed(0)} ms (from "${before}" to "${end}")`
}

export type MoveTimes = Record<string, number>

/** Parts of the move in ms, as it says them at its end. */
export function readTimes(output: string): MoveTimes {
  const line = /The environment has moved from .*$/m.exec(output)?.[0] ?? ''
  return Object.fromEntries(
    [...line.matchAll(/(?:^|\. |, )([a-z ]+) (\d+)(?: ms)?(?=,|$)/g)].map(([, n, v]) => [n, Number(v)]),
  )
}

/** Goes on with a move whose mover was killed. One that was over already says so. */
export async function resume(stage: CellStage, { environmentId }: Tenant, to: CellName): Promise<string> {
  const mover = stage.move(environmentId, '--to', to)
  const how = await Promise.race([mover.over, sleep(patient(moveWithinMs), 'still at work', { ref: false })])
  await mover.kill()
  const isDone = how === 'exit 0' || mover.output().includes(`It lives in ${to} already`)
  expectThat(isDone, `the resumed mover ended with ${how}: ${shorten(mover.output(), 2000)}`)
  return mover.output()
}
