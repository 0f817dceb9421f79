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
  /** A worker of this lane takes up so many messages of this integration. Null: it would only wait beside others. */
  enter(integrationId: string, lane: string, nowMs: number, messages: number): Visit | null
  /** Whether `enter` would say no. */
  isFull(integrationId: string, lane: string, nowMs: number): boolean
  /** False: the integration has become slow, or others wait for its places already; the worker that came last goes first. */
  mayStay(visit: Visit, nowMs: number): boolean
  leave(visit: Visit): void
  /** How many calls may begin now: it bears no more, or we have no more places for it. */
  freePlaces(integrationId: string, nowMs: number): number
  /** Each call takes a place before it is committed, and gives it back when it is answered. */
  take(integrationId: string, nowMs: number, calls: number): void
  give(integrationId: string, takenMs: number, calls: number): void
  /** Calls under way, of all integrations. */
  callsUnderWay(): number
  /** Resolves when the next place becomes free. */
  whenFree(integrationId: string): Promise<void>
  /** Its breaker is open, or it asked us to wait. */
  isHeld(integrationId: string, nowMs: number): boolean
}

/** A worker at one integration. `waiting`: its messages that are not begun. */
export type Visit = { integrationId: string; lane: string; waiting: number }

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
// Workers of one integration, and how many once one of its calls is slow: an integration that hangs must leave workers
// for the others.
const [workersAtOnce, slowWorkersAtOnce] = [8, 4]
// Of these so many of a lane, with messages enough for all free places, and none beside one with many messages. One alone
// keeps all places full, and a lane has four or six workers (deliver-messages.ts), for all environments.
const [waitingAtOnce, mostWaiting] = [2, 1_000]
// Committed and not answered. More than the connections of one origin (egress), so that each is used again at once.
const [callsAtOnce, slowCallsAtOnce] = [192, 80]
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
  const visits = new Map<string, Visit[]>()
  /** The calls under way, by when they took their places. */
  const taken = new Map<string, Map<number, number>>()
  const waitingForPlace = new Map<string, PromiseWithResolvers<void>>()
  const isSlow = (id: string, nowMs: number) => {
    for (const takenMs of taken.get(id)?.keys() ?? []) if (nowMs - takenMs > slowMs) return true
    return false
  }
  const workersFor = (id: string, nowMs: number) => (isSlow(id, nowMs) ? slowWorkersAtOnce : workersAtOnce)
  const callsOf = (ofOne: ReadonlyMap<number, number> = new Map()) => [...ofOne.values()].reduce((a, b) => a + b, 0)
  const freePlaces = (id: string, nowMs: number) => {
    const calls = callsOf(taken.get(id))
    const places = isSlow(id, nowMs) ? slowCallsAtOnce : callsAtOnce
    return Math.max(0, Math.min(states.get(id)?.bears ?? bearsAtFirst, places) - calls)
  }
  const waitingIn = (id: string, lane: string) =>
    (visits.get(id) ?? []).filter((visit) => visit.lane === lane && visit.waiting > 0)
  const isFull = (id: string, lane: string, nowMs: number) => {
    if ((visits.get(id)?.length ?? 0) >= workersFor(id, nowMs)) return true
    const waiting = waitingIn(id, lane)
    const messages = waiting.reduce((sum, visit) => sum + visit.waiting, 0)
    return messages >= mostWaiting || (waiting.length >= waitingAtOnce && messages >= freePlaces(id, nowMs))
  }
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

    isFull,

    enter(id, lane, nowMs, messages) {
      if (isFull(id, lane, nowMs)) return null
      const visit = { integrationId: id, lane, waiting: messages }
      visits.set(id, [...(visits.get(id) ?? []), visit])
      return visit
    },

    mayStay(visit, nowMs) {
      const { integrationId: id, lane } = visit
      if ((visits.get(id)?.indexOf(visit) ?? 0) >= workersFor(id, nowMs)) return false
      return freePlaces(id, nowMs) > 0 || waitingIn(id, lane).indexOf(visit) < waitingAtOnce
    },

    leave(visit) {
      const left = visits.get(visit.integrationId)?.filter((it) => it !== visit) ?? []
      if (left.length > 0) visits.set(visit.integrationId, left)
      else visits.delete(visit.integrationId)
    },

    freePlaces,

    take(id, nowMs, calls) {
      const ofOne = taken.get(id) ?? new Map<number, number>()
      taken.set(id, ofOne.set(nowMs, (ofOne.get(nowMs) ?? 0) + calls))
    },

    give(id, takenMs, calls) {
      const ofOne = taken.get(id)
      const left = (ofOne?.get(takenMs) ?? 0) - calls
      if (left > 0) ofOne?.set(takenMs, left)
      else ofOne?.delete(takenMs)
      if (ofOne?.size === 0) taken.delete(id)
      waitingForPlace.get(id)?.resolve()
      waitingForPlace.delete(id)
    },

    callsUnderWay: () => [...taken.values()].reduce((sum, ofOne) => sum + callsOf(ofOne), 0),

    whenFree(id) {
      const known = waitingForPlace.get(id) ?? Promise.withResolvers<void>()
      waitingForPlace.set(id, known)
      return known.promise
    },

    isHeld(id, nowMs) {
      const state = states.get(id)
      return state !== undefined && (state.isBroken || nowMs < state.pausedUntilMs)
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
