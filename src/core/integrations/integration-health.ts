import type { Outcome } from '../../providers/outcome.ts'
import { pauseMs } from '../delivery/retry-schedule.ts'

/** `paced`: all nodes together call it at a pace (see pace.ts). */
export type Admission = { kind: 'ok' } | { kind: 'paced' } | { kind: 'paused' | 'broken'; untilMs: number }

/** `open`: the breaker is open and only probes go out. `paced`: the vendor asked us to slow down. */
export type HealthState = 'ok' | 'paced' | 'open'
const healthStates: readonly HealthState[] = ['ok', 'paced', 'open']

/**
 * How well each integration works, as this process has seen it. Lost in a restart, and learnt again from the next
 * answers.
 */
export type Health = {
  /** Whether a message may go out now. While a breaker is open, one goes through every ten seconds. */
  admit(integrationId: string, nowMs: number): Admission
  learn(integrationId: string, outcome: Outcome, nowMs: number, providerId?: string): void
  /** How many integrations of each provider are in which state. */
  countStates(nowMs: number): { providerId: string; state: HealthState; count: number }[]
  /** Messages that it took within the last second. */
  acceptedPerSecond(integrationId: string, nowMs: number): number
  /**
   * Takes a place for up to so many messages of this integration, and says for how many. 0: it already has its share of
   * the workers, or as many calls as it has proved to bear.
   */
  enter(integrationId: string, nowMs: number, messages: number): number
  leave(integrationId: string, enteredMs: number, messages: number): void
}

type State = {
  providerId: string
  calls: { atMs: number; failed: boolean }[]
  pausedUntilMs: number
  isBroken: boolean
  probeAtMs: number
  /** Calls at a time that it has borne without a 429. */
  bears: number
  slowedMs: number
}

const windowMs = 30_000
const fewestCalls = 20
const failingShare = 0.5
const probeEveryMs = 10_000
// Tasks of one integration that may run at once, and how many once one of them is slow: an integration that hangs must
// leave workers for the others.
const [tasksAtOnce, slowTasksAtOnce] = [8, 4]
const slowMs = 2_000
// Calls at a time to an integration nobody knows yet, and one more for each that it takes: a vendor that allows few
// refuses ten, not hundreds, before the first 429 is read.
const [bearsAtFirst, bearsAtMost] = [10, 1_000]
// As long as a pace lasts (release_paced_messages).
const slowedForMs = 10 * 60_000
// Only the newest calls of the window count, so that under full load the last seconds decide.
const mostCalls = 1_000

export function createHealth(): Health {
  const states = new Map<string, State>()
  /** When each running task began. */
  const runningTasks = new Map<string, number[]>()
  const callsAtOnce = new Map<string, number>()
  const stateOf = (id: string) => {
    const known = states.get(id)
    if (known) return known
    const fresh: State = {
      providerId: '',
      calls: [],
      pausedUntilMs: 0,
      isBroken: false,
      probeAtMs: 0,
      bears: bearsAtFirst,
      slowedMs: Number.NEGATIVE_INFINITY,
    }
    states.set(id, fresh)
    return fresh
  }
  return {
    acceptedPerSecond(id, nowMs) {
      return states.get(id)?.calls.filter((call) => !call.failed && call.atMs > nowMs - 1_000).length ?? 0
    },

    enter(id, nowMs, messages) {
      const calls = callsAtOnce.get(id) ?? 0
      const room = Math.min(messages, (states.get(id)?.bears ?? bearsAtFirst) - calls)
      const since = runningTasks.get(id) ?? []
      const isSlow = since.some((enteredMs) => nowMs - enteredMs > slowMs)
      if (since.length >= (isSlow ? slowTasksAtOnce : tasksAtOnce) || room < 1) return 0
      runningTasks.set(id, [...since, nowMs])
      callsAtOnce.set(id, calls + room)
      return room
    },

    leave(id, enteredMs, messages) {
      const calls = (callsAtOnce.get(id) ?? 0) - messages
      if (calls > 0) callsAtOnce.set(id, calls)
      else callsAtOnce.delete(id)
      const left = runningTasks.get(id)?.toSpliced(runningTasks.get(id)?.indexOf(enteredMs) ?? 0, 1) ?? []
      if (left.length > 0) runningTasks.set(id, left)
      else runningTasks.delete(id)
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
      // One address that is busy says nothing about the others.
      if (outcome.kind === 'retry' && outcome.paces === 'target') return
      if (outcome.kind === 'retry' && outcome.paces) {
        // Asking us to slow down is not a failure of the integration.
        state.pausedUntilMs = Math.max(state.pausedUntilMs, nowMs + pauseMs(outcome.afterMs))
        Object.assign(state, { bears: bearsAtFirst, slowedMs: nowMs })
        return
      }
      const failed = isFailureOfIntegration(outcome)
      if (!failed && state.isBroken) Object.assign(state, { isBroken: false, calls: [] })
      if (outcome.kind === 'sent' && nowMs > state.slowedMs + slowedForMs) {
        state.bears = Math.min(state.bears + 1, bearsAtMost)
      }
      state.calls.push({ atMs: nowMs, failed })
      // In their order: mostly one is over, and looking at a thousand for every call takes longer than the call.
      const isOver = ([oldest]: State['calls']) => oldest !== undefined && oldest.atMs <= nowMs - windowMs
      while (isOver(state.calls) || state.calls.length > mostCalls) state.calls.shift()
      if (failed && !state.isBroken && isFailing(state.calls)) {
        Object.assign(state, { isBroken: true, probeAtMs: nowMs + probeEveryMs })
      }
    },

    countStates: (nowMs) =>
      [...Map.groupBy(states.values(), (state) => state.providerId)].flatMap(([providerId, own]) =>
        healthStates.map((state) => ({
          providerId,
          state,
          count: own.filter((it) => healthOf(it, nowMs) === state).length,
        })),
      ),
  }
}

function healthOf(state: State, nowMs: number): HealthState {
  if (state.isBroken) return 'open'
  return nowMs < state.pausedUntilMs ? 'paced' : 'ok'
}

function isFailing(calls: State['calls']): boolean {
  return calls.length >= fewestCalls && calls.filter((call) => call.failed).length >= calls.length * failingShare
}

/** A rejected message is not the integration's failure. */
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
