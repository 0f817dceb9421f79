import type { Outcome } from '../../providers/outcome.ts'
import { retryDelayMs } from './retry-schedule.ts'

/** The situation of a message after a try. */
export type AfterTry = {
  /** Failed tries, including this one. */
  failures: number
  /** This try or an earlier one had no clear answer, and no idempotency key makes a second send harmless. */
  mayHaveBeenSent: boolean
  /** Some device tokens of the message were delivered to. */
  partlySent: boolean
  whenUnknown: 'atLeastOnce' | 'atMostOnce'
  /** The provider still remembers the key of this message: a second send is harmless. */
  keyed: boolean
  /** Some integration has not refused us yet. */
  othersLeft: boolean
  /** The next try goes to another integration. */
  changesIntegration: boolean
  expiresAtMs: number
}

export type Next = {
  delivery: 'open' | 'sent' | 'rejected' | 'unknown' | 'dead'
  status: 'sent' | 'error' | 'warning'
  errorId: string | null
  retryAtMs: number | null
}

/** What happens to the message next. The only place that decides this. */
export function decideNext(outcome: Outcome, after: AfterTry, nowMs: number, random: () => number): Next {
  switch (outcome.kind) {
    case 'sent':
      return after.mayHaveBeenSent
        ? { delivery: 'sent', status: 'warning', errorId: 'delivery_unknown', retryAtMs: null }
        : { delivery: 'sent', status: 'sent', errorId: null, retryAtMs: null }
    case 'rejected':
      if (after.partlySent) return { delivery: 'sent', status: 'sent', errorId: null, retryAtMs: null }
      if (outcome.because === 'integration') {
        return after.othersLeft ? retryAt(after, nowMs) : giveUp(after, 'integration_refused')
      }
      return after.mayHaveBeenSent
        ? { delivery: 'unknown', status: 'warning', errorId: 'delivery_unknown', retryAtMs: null }
        : { delivery: 'rejected', status: 'error', errorId: 'provider_rejected', retryAtMs: null }
    case 'unknown':
      if (!after.keyed && after.whenUnknown === 'atMostOnce') {
        return { delivery: 'unknown', status: 'warning', errorId: 'delivery_unknown', retryAtMs: null }
      }
      return retryLater(after, undefined, nowMs, random)
    case 'retry':
      return retryLater(after, outcome.afterMs, nowMs, random)
  }
}

function retryLater(after: AfterTry, afterMs: number | undefined, nowMs: number, random: () => number): Next {
  const at = after.changesIntegration ? nowMs : nowMs + retryDelayMs(after.failures, afterMs, random)
  return retryAt(after, at)
}

function retryAt(after: AfterTry, atMs: number): Next {
  if (atMs >= after.expiresAtMs) return giveUp(after, 'delivery_expired')
  const errorId = after.mayHaveBeenSent ? 'delivery_unknown' : 'delivery_pending'
  return { delivery: 'open', status: 'warning', errorId, retryAtMs: atMs }
}

function giveUp(after: AfterTry, errorId: string): Next {
  if (after.partlySent) return { delivery: 'sent', status: 'sent', errorId: null, retryAtMs: null }
  return after.mayHaveBeenSent
    ? { delivery: 'dead', status: 'warning', errorId: 'delivery_unknown', retryAtMs: null }
    : { delivery: 'dead', status: 'error', errorId, retryAtMs: null }
}
