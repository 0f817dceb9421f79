import type { WebhookEndpoint } from '../../api/types.ts'
import type { Tone } from '../../ui/badge.tsx'
import { fullTime } from '../../ui/time.tsx'

type Standing = Pick<WebhookEndpoint, 'status' | 'disabledReason' | 'failingSince'>
/** `gaveUp`: we disabled it, because it took nothing or said that it is gone. */
export type EndpointState = 'enabled' | 'failing' | 'disabled' | 'gaveUp'

export function stateOf({ status, disabledReason, failingSince }: Standing): EndpointState {
  if (status === 'disabled') return disabledReason === null ? 'disabled' : 'gaveUp'
  return failingSince === null ? 'enabled' : 'failing'
}

export const tones: Record<EndpointState, Tone> = { enabled: 'ok', failing: 'warn', disabled: 'neutral', gaveUp: 'bad' }
export const stateWords: Record<EndpointState, string> = {
  enabled: 'enabled',
  failing: 'failing',
  disabled: 'disabled',
  gaveUp: 'disabled',
}

const isoTime = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g

/** The server writes times for programs. */
export const reasonWords = (reason: string) => reason.replaceAll(isoTime, (time) => fullTime(time))

// As the overview judges: three tries have failed by then.
const failingMs = 15 * 60_000

/** Whether somebody who looks at all endpoints must be told of this one. */
export function needsAttention(endpoint: Standing, nowMs: number): boolean {
  const state = stateOf(endpoint)
  const forMs = nowMs - Date.parse(endpoint.failingSince ?? '')
  return state === 'gaveUp' || (state === 'failing' && forMs >= failingMs)
}

const fiveDaysMs = 5 * 86_400_000

/** When an endpoint that fails is disabled, if nothing is delivered until then. */
export const disabledAt = (failingSince: string) => new Date(Date.parse(failingSince) + fiveDaysMs).toISOString()
