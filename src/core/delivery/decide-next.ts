import type { Outcome } from '../../providers/outcome.ts'
import { retryDelayMs } from './retry-schedule.ts'

/** Where a message stands after a try that has just ended. */
export type Standing = {
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
export function settleAttempt(outcome: Outcome, standing: Standing, nowMs: number, random: () => number): Next {
  switch (outcome.kind) {
    case 'sent':
      return standing.mayHaveBeenSent
        ? { delivery: 'sent', status: 'warning', errorId: 'delivery_unknown', retryAtMs: null }
        : { delivery: 'sent', status: 'sent', errorId: null, retryAtMs: null }
    case 'rejected':
      if (standing.partlySent) return { delivery: 'sent', status: 'sent', errorId: null, retryAtMs: null }
      if (outcome.because === 'integration') {
        return standing.othersLeft ? again(standing, nowMs) : dead(standing, 'integration_refused')
      }
      return standing.mayHaveBeenSent
        ? { delivery: 'unknown', status: 'warning', errorId: 'delivery_unknown', retryAtMs: null }
        : { delivery: 'rejected', status: 'error', errorId: 'provider_rejected', retryAtMs: null }
    case 'unknown':
      if (!standing.keyed && standing.whenUnknown === 'atMostOnce') {
        return { delivery: 'unknown', status: 'warning', errorId: 'delivery_unknown', retryAtMs: null }
      }
      return later(standing, undefined, nowMs, random)
    case 'retry':
      return later(standing, outcome.afterMs, nowMs, random)
  }
}

function later(standing: Standing, afterMs: number | undefined, nowMs: number, random: () => number): Next {
  const at = standing.movesOn ? nowMs : nowMs + retryDelayMs(standing.failures, afterMs, random)
  return again(standing, at)
}

function again(standing: Standing, atMs: number): Next {
  if (atMs >= standing.expiresAtMs) return dead(standing, 'delivery_expired')
  const errorId = standing.mayHaveBeenSent ? 'delivery_unknown' : 'delivery_pending'
  return { delivery: 'open', status: 'warning', errorId, retryAtMs: atMs }
}

function dead(standing: Standing, errorId: string): Next {
  if (standing.partlySent) return { delivery: 'sent', status: 'sent', errorId: null, retryAtMs: null }
  return standing.mayHaveBeenSent
    ? { delivery: 'dead', status: 'warning', errorId: 'delivery_unknown', retryAtMs: null }
    : { delivery: 'dead', status: 'error', errorId, retryAtMs: null }
}
