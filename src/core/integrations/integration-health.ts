import type { Outcome } from '../../providers/outcome.ts'
import { pauseMs } from '../delivery/retry-schedule.ts'

export type Admission = { kind: 'ok' } | { kind: 'paused' | 'broken'; untilMs: number }

/** `open`: its breaker is, and only a probe goes out now and then. `paced`: asked to slow down. */
export type HealthState = 'ok' | 'paced' | 'open'
const standings: readonly HealthState[] = ['ok', 'paced', 'open']

/**
 * How each integration has been doing, in this process. It is a memory, not the truth: lost in a restart it is learnt
 * again from the next answers.
 */
export type Health = {
  /** May a message go out now? While a breaker is open, one is let through every ten seconds. */
  admit(integrationId: string, nowMs: number): Admission
  learn(integrationId: string, outcome: Outcome, nowMs: number, providerId?: string): void
  /** How many of each provider's integrations do how well. */
  standing(nowMs: number): { providerId: string; state: HealthState; count: number }[]
  /** A place for one more task of this integration; false when it has its share of the workers. */
  enter(integrationId: string, nowMs: number): boolean
  leave(integrationId: string, enteredMs: number): void
}

type State = {
  providerId: string
  calls: { atMs: number; failed: boolean }[]
  pausedUntilMs: number
  isBroken: boolean
  probeAtMs: number
}

const windowMs = 30_000
const fewestCalls = 20
const failingShare = 0.5
const probeEveryMs = 10_000
// Tasks of one integration in hand at a time, and once one of them takes its time: an integration that hangs leaves the
// other workers to its neighbours.
const [tasksAtOnce, slowTasksAtOnce] = [8, 4]
const slowMs = 2_000
// Of the window only the newest calls count: an integration under full load is judged by its last seconds.
const mostCalls = 1_000

export function createHealth(): Health {
  const states = new Map<string, State>()
  /** When each task in hand was begun. */
  const inHand = new Map<string, number[]>()
  const stateOf = (id: string) => {
    const known = states.get(id)
    if (known) return known
    const fresh: State = { providerId: '', calls: [], pausedUntilMs: 0, isBroken: false, probeAtMs: 0 }
    states.set(id, fresh)
    return fresh
  }
  return {
    enter(id, nowMs) {
      const since = inHand.get(id) ?? []
      const isSlow = since.some((enteredMs) => nowMs - enteredMs > slowMs)
      if (since.length >= (isSlow ? slowTasksAtOnce : tasksAtOnce)) return false
      inHand.set(id, [...since, nowMs])
      return true
    },

    leave(id, enteredMs) {
      const left = inHand.get(id)?.toSpliced(inHand.get(id)?.indexOf(enteredMs) ?? 0, 1) ?? []
      if (left.length > 0) inHand.set(id, left)
      else inHand.delete(id)
    },

    admit(id, nowMs) {
      const state = states.get(id)
      if (!state) return { kind: 'ok' }
      if (state.isBroken) {
        if (nowMs < state.probeAtMs) return { kind: 'broken', untilMs: state.probeAtMs }
        state.probeAtMs = nowMs + probeEveryMs
        return { kind: 'ok' }
      }
      return nowMs < state.pausedUntilMs ? { kind: 'paused', untilMs: state.pausedUntilMs } : { kind: 'ok' }
    },

    learn(id, outcome, nowMs, providerId = '') {
      const state = stateOf(id)
      state.providerId = providerId
      if (outcome.kind === 'retry' && outcome.paces) {
        // Asked to slow down, the integration works: that is no failure of it.
        state.pausedUntilMs = Math.max(state.pausedUntilMs, nowMs + pauseMs(outcome.afterMs))
        return
      }
      const failed = isFailureOfIntegration(outcome)
      if (!failed && state.isBroken) Object.assign(state, { isBroken: false, calls: [] })
      state.calls.push({ atMs: nowMs, failed })
      state.calls = state.calls.filter((call) => call.atMs > nowMs - windowMs).slice(-mostCalls)
      if (failed && !state.isBroken && isFailing(state.calls)) {
        Object.assign(state, { isBroken: true, probeAtMs: nowMs + probeEveryMs })
      }
    },

    standing: (nowMs) =>
      [...Map.groupBy(states.values(), (state) => state.providerId)].flatMap(([providerId, own]) =>
        standings.map((state) => ({
          providerId,
          state,
          count: own.filter((it) => standsAs(it, nowMs) === state).length,
        })),
      ),
  }
}

function standsAs(state: State, nowMs: number): HealthState {
  if (state.isBroken) return 'open'
  return nowMs < state.pausedUntilMs ? 'paced' : 'ok'
}

function isFailing(calls: State['calls']): boolean {
  return calls.length >= fewestCalls && calls.filter((call) => call.failed).length >= calls.length * failingShare
}

/** A message that is refused for itself says nothing against the integration. */
function isFailureOfIntegration(outcome: Outcome): boolean {
  switch (outcome.kind) {
    case 'sent':
      return false
    case 'retry':
    case 'unknown':
      return true
    case 'rejected':
      return outcome.because === 'integration'
  }
}
