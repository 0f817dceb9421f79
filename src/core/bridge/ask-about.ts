import type { Ctx } from '../../context.ts'
import type { Outcome } from '../../providers/outcome.ts'
import type { CallEnding, TakenCall } from '../../store/bridge/calls.ts'
import { detail } from '../../store/history/detail.ts'
import { retryDelayMs } from '../delivery/retry-schedule.ts'
import type { Answer } from './answer.ts'
import { askBridge, type Said } from './ask.ts'
import type { Call } from './load-calls.ts'
import { readOutputs } from './read-answer.ts'
import type { Ended } from './record-answers.ts'
import type { SigningKey } from './signature.ts'

/** A step is asked about for so long; then it has failed. */
export const askForMs = 24 * 3_600_000

/** `outcome`: what it says about the bridge; null: nothing was asked. */
export type AboutStep = { ended: Ended; outcome: Outcome | null }

/** Asks about one step for one person, and says what is to be recorded. */
export async function askAbout(ctx: Ctx, target: { url: string; key: SigningKey }, call: Call): Promise<AboutStep> {
  const said = await askBridge(ctx, target, call.question)
  const now = ctx.clock()
  const count = (outcome: string) => ctx.metrics.bridgeCalls.inc({ outcome })
  switch (said.kind) {
    case 'answered':
      count('answered')
      return {
        ended: toEnded(call.taken, readOutputs(said.json, call.step.type, now), now),
        outcome: { kind: 'sent' },
      }
    case 'refused':
      count('refused')
      return {
        ended: givenUp(call.taken, `The bridge refused: ${said.why}`, now, said.byUs ? said.why : true),
        // One step that is refused says nothing about others.
        outcome: { kind: 'rejected', reason: said.why },
      }
    case 'later':
      count('later')
      return { ended: askAgain(call.taken, said, now), outcome: said.outcome }
    case 'not begun': {
      const { jobId, number, failures } = call.taken
      return {
        ended: { ending: { jobId, number, answer: null, nextAt: now, failures, details: [] }, heard: null },
        outcome: null,
      }
    }
  }
}

function toEnded({ jobId, number, failures }: TakenCall, answer: Answer, now: Date): Ended {
  const details = answer.kind === 'failed' ? [] : [detail(now, 'Success', 'The bridge has answered')]
  return { ending: { jobId, number, answer, nextAt: null, failures, details }, heard: true }
}

/** What it says about itself stands in the activity. */
function askAgain(taken: TakenCall, said: Extract<Said, { kind: 'later' }>, now: Date): Ended {
  const failures = taken.failures + 1
  const afterMs = said.outcome.kind === 'retry' ? said.outcome.afterMs : undefined
  const pauseMs = retryDelayMs(failures, afterMs, Math.random)
  // When its time is over somebody has to look, whether it is asked then or not.
  const nextAt = new Date(Math.min(now.getTime() + pauseMs, taken.since.getTime() + askForMs))
  const text = `The bridge did not answer (try ${taken.number}); it is asked again at ${nextAt.toISOString()}`
  const ending: CallEnding = {
    jobId: taken.jobId,
    number: taken.number,
    answer: null,
    nextAt,
    failures,
    details: [detail(now, 'Warning', text, { raw: said.why, retry: true })],
  }
  return { ending, heard: said.why }
}

/** For good: the step fails by it. */
export function givenUp(
  { jobId, number, failures }: TakenCall,
  why: string,
  now: Date,
  heard: Ended['heard'] = null,
): Ended {
  const answer: Answer = { kind: 'failed', at: now.toISOString(), why }
  return { ending: { jobId, number, answer, nextAt: null, failures, details: [] }, heard }
}
