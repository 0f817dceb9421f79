import type { Outcome } from '../../providers/outcome.ts'
import { retryDelayMs } from './retry-schedule.ts'

/** Where a message stands after a try that has just ended. */
export type AfterTry = {
  /** Tries that failed, this one included. */
  failures: number
  /** This try or an earlier one left us in the dark, and no idempotency key makes that harmless. */
  mayHaveBeenSent: boolean
  /** Part of it was delivered: some of several device tokens. */
  partlySent: boolean
  whenUnknown: 'atLeastOnce' | 'atMostOnce'
  /** The provider still remembers the key of this message: trying again is harmless. */
  keyed: boolean
  /** An integration other than those that refused us is left. */
  othersLeft: boolean
  /** The next try goes to another integration. */
  movesOn: boolean
  expiresAtMs: number
}

export type Next = {
  delivery: 'open' | 'sent' | 'rejected' | 'unknown' | 'dead'
  status: 'sent' | 'error' | 'warning'
  errorId: string | null
  retryAtMs: number | null
}

/** What becomes of the message. Every outcome ends here, and nowhere else. */
export function decideNext(outcome: Outcome, after: AfterTry, nowMs: number, random: () => number): Next {
  switch (outcome.kind) {
    case 'sent':
      return after.mayHaveBeenSent
        ? { delivery: 'sent', status: 'warning', errorId: 'delivery_unknown', retryAtMs: null }
        : { delivery: 'sent', status: 'sent', errorId: null, retryAtMs: null }
    case 'rejected':
      if (after.partlySent) return { delivery: 'sent', status: 'sent', errorId: null, retryAtMs: null }
      if (outcome.because === 'integration') {
        return after.othersLeft ? again(after, nowMs) : dead(after, 'integration_refused')
      }
      return after.mayHaveBeenSent
        ? { delivery: 'unknown', status: 'warning', errorId: 'delivery_unknown', retryAtMs: null }
        : { delivery: 'rejected', status: 'error', errorId: 'provider_rejected', retryAtMs: null }
    case 'unknown':
      if (!after.keyed && after.whenUnknown === 'atMostOnce') {
        return { delivery: 'unknown', status: 'warning', errorId: 'delivery_unknown', retryAtMs: null }
      }
      return later(after, undefined, nowMs, random)
    case 'retry':
      return later(after, outcome.afterMs, nowMs, random)
  }
}

function later(after: AfterTry, afterMs: number | undefined, nowMs: number, random: () => number): Next {
  const at = after.movesOn ? nowMs : nowMs + retryDelayMs(after.failures, afterMs, random)
  return again(after, at)
}

function again(after: AfterTry, atMs: number): Next {
  if (atMs >= after.expiresAtMs) return dead(after, 'delivery_expired')
  const errorId = after.mayHaveBeenSent ? 'delivery_unknown' : 'delivery_pending'
  return { delivery: 'open', status: 'warning', errorId, retryAtMs: atMs }
}

function dead(after: AfterTry, errorId: string): Next {
  if (after.partlySent) return { delivery: 'sent', status: 'sent', errorId: null, retryAtMs: null }
  return after.mayHaveBeenSent
    ? { delivery: 'dead', status: 'warning', errorId: 'delivery_unknown', retryAtMs: null }
    : { delivery: 'dead', status: 'error', errorId, retryAtMs: null }
}
