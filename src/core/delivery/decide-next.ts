import type { Outcome } from '../../providers/outcome.ts'
import { pauseMs, retryDelayMs } from './retry-schedule.ts'

/** The situation of a message after a try. */
export type AfterTry = {
  /** Failed tries, including this one. A 429 is none. */
  failures: number
  /** This try or an earlier one had no clear answer, and no idempotency key accounts for it. */
  mayHaveBeenSent: boolean
  /** Some device tokens of the message were delivered to. */
  partlySent: boolean
  /** From then on another try could make a second copy where that is forbidden (atMostOnce). */
  repeatableUntilMs: number
  /** Some integration has not refused us yet. */
  othersLeft: boolean
  /** The next try goes to another integration. */
  changesIntegration: boolean
  expiresAtMs: number
}

export type Next = {
  /** `canceled`: only by settle.ts. */
  delivery: 'open' | 'sent' | 'rejected' | 'unknown' | 'dead' | 'canceled'
  status: 'sent' | 'error' | 'warning'
  errorId: string | null
  retryAtMs: number | null
}

/** What happens to the message next. The only place that decides this. */
export function decideNext(outcome: Outcome, after: AfterTry, nowMs: number, random: () => number): Next {
  switch (outcome.kind) {
    case 'sent':
      return sent(after)
    case 'rejected':
      if (after.partlySent) return sent(after)
      if (outcome.because === 'integration') {
        return after.othersLeft ? retryAt(after, nowMs) : giveUp(after, 'integration_refused')
      }
      // It can be redriven when the workspace is connected again.
      if (outcome.because === 'connection') return giveUp(after, 'connection_refused')
      if (after.mayHaveBeenSent) return inDoubt(after)
      return outcome.because === 'suppressed'
        ? { delivery: 'rejected', status: 'warning', errorId: 'suppressed', retryAtMs: null }
        : { delivery: 'rejected', status: 'error', errorId: 'provider_rejected', retryAtMs: null }
    case 'unknown':
      return retryLater(after, undefined, nowMs, random)
    case 'retry':
      // The pace of the integration, or of the address, decides when it is this message's turn.
      if (outcome.paces) return retryAt(after, nowMs + pauseMs(outcome.afterMs))
      return retryLater(after, outcome.afterMs, nowMs, random)
  }
}

function retryLater(after: AfterTry, afterMs: number | undefined, nowMs: number, random: () => number): Next {
  const at = after.changesIntegration ? nowMs : nowMs + retryDelayMs(after.failures, afterMs, random)
  return retryAt(after, at)
}

function retryAt(after: AfterTry, atMs: number): Next {
  if (atMs >= after.repeatableUntilMs) return inDoubt(after)
  if (atMs >= after.expiresAtMs) return giveUp(after, 'delivery_expired')
  const errorId = after.mayHaveBeenSent ? 'delivery_unknown' : 'delivery_pending'
  return { delivery: 'open', status: 'warning', errorId, retryAtMs: atMs }
}

function giveUp(after: AfterTry, errorId: string): Next {
  if (after.partlySent) return sent(after)
  if (!after.mayHaveBeenSent) return { delivery: 'dead', status: 'error', errorId, retryAtMs: null }
  // What may be sent at most once is no dead letter: a redrive would send it again.
  if (after.repeatableUntilMs !== Number.POSITIVE_INFINITY) return inDoubt(after)
  return { delivery: 'dead', status: 'warning', errorId: 'delivery_unknown', retryAtMs: null }
}

function sent(after: AfterTry): Next {
  return after.mayHaveBeenSent
    ? { delivery: 'sent', status: 'warning', errorId: 'delivery_unknown', retryAtMs: null }
    : { delivery: 'sent', status: 'sent', errorId: null, retryAtMs: null }
}

/** It may have been sent, and is not tried again. */
function inDoubt(after: AfterTry): Next {
  const delivery = after.partlySent ? 'sent' : 'unknown'
  return { delivery, status: 'warning', errorId: 'delivery_unknown', retryAtMs: null }
}
