import type { Outcome } from '../../providers/outcome.ts'
import { pauseMs } from '../delivery/retry-schedule.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** The pause after the first failure, the second, and so on: as Standard Webhooks advises, over three days. */
const pausesMs = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const

/** However it goes, an event is given up after this long: an endpoint may ask us to wait for ever. */
const longestMs = 5 * day

/** An endpoint that took nothing for this long is disabled. */
export const disabledAfterMs = 5 * day

export type Next = { state: 'open' | 'delivered' | 'failed'; nextAtMs: number | null; failures: number }

/** What happens to an event after a try. The only place that decides this. */
export function decideNext(
  outcome: Outcome,
  { failures, sinceMs }: { failures: number; sinceMs: number },
  nowMs: number,
  random: () => number,
): Next {
  if (outcome.kind === 'sent') return { state: 'delivered', nextAtMs: null, failures }
  const isPaced = outcome.kind === 'retry' && outcome.paces !== undefined
  const made = isPaced ? failures : failures + 1
  const waitMs = isPaced ? pauseMs(outcome.afterMs) : failurePauseMs(outcome, made, random)
  if (waitMs === null || nowMs + waitMs > sinceMs + longestMs)
    return { state: 'failed', nextAtMs: null, failures: made }
  return { state: 'open', nextAtMs: nowMs + waitMs, failures: made }
}

/** A tenth more or less, so that what failed together is not tried together. Null: it was the last try. */
function failurePauseMs(outcome: Outcome, failures: number, random: () => number): number | null {
  const pause = pausesMs[failures - 1]
  if (pause === undefined) return null
  const jittered = Math.round(pause * (0.9 + 0.2 * random()))
  const asked = outcome.kind === 'retry' && outcome.afterMs !== undefined ? pauseMs(outcome.afterMs) : 0
  return Math.max(jittered, asked)
}
