import { setTimeout as sleep } from 'node:timers/promises'
import { patient } from '../../lib/patience.ts'
import { expectThat, shorten } from '../../lib/red.ts'
import { failedCalls, untilMore } from './mixed-load.ts'
import { resume, untilStep } from './mover.ts'
import type { CellStage } from './stage.ts'
import { startUnderLoad } from './under-load.ts'
import { judgeMoved } from './verdict.ts'

// The freeze is a lease of ten seconds.
const sleepMs = 12_000
// Who slept in the very transaction of the commit point has lost it and its lock three seconds later.
const answerWithinMs = 18_000

/**
 * The mover sleeps in the freeze until its lease has run out: the environment works again where it was, and what is
 * accepted then must not be left behind when the mover wakes up.
 */
export async function sleepingMover(stage: CellStage): Promise<string> {
  const { tenant, load, watch } = await startUnderLoad(stage, 40)
  const mover = stage.move(tenant.environmentId, '--to', 'cb')
  expectThat(await untilStep(mover, 'ready'), `it did not come to its freeze: ${shorten(mover.output(), 1500)}`)
  process.kill(mover.pid, 'SIGSTOP')
  await sleep(sleepMs)
  const before = load.acknowledged()
  await untilMore(load, 20)
  process.kill(mover.pid, 'SIGCONT')
  const while_ = load.acknowledged() - before
  const how = await mover.over
  const isPutOff = /the freeze ran out|its transaction was ended/.test(mover.output())
  // The next try may find the machine too slow: the same command goes on.
  if (how !== 'exit 0') await resume(stage, tenant, 'cb')
  await untilMore(load, 15)
  await load.stop()
  const told = await judgeMoved(stage, 'cb', tenant, load.book)
  const watched = await watch.stop()
  const longestMs = Math.max(...load.book.calls.map(({ ms }) => ms))
  expectThat(longestMs < patient(answerWithinMs), `a call took ${Math.round(longestMs)} ms`)
  return `slept for ${sleepMs / 1000} s in its freeze, ${while_} events accepted meanwhile, ${isPutOff ? 'put off, then moved' : 'moved'}; failed calls: ${failedCalls(load.book) || 'none'}; ${told}; ${watched}`
}
