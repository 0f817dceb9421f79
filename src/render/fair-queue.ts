import type { Call } from './render-call.ts'

/** A part of a call: the places of the items that one thread renders, one after the other. */
export type Work = { call: Call; places: number[] }

/**
 * Work that waits for a thread. Owners take turns, whoever asks most. Whoever had an item killed shares all threads but
 * one with others like it for a while, so that a thread stays free for everybody else.
 */
export type FairQueue = {
  push(work: Work): void
  /** The next one that may start beside those that run; undefined if none may. */
  take(running: readonly Work[], threads: number): Work | undefined
  /** An item of this owner had to be killed. */
  blame(owner: string): void
}

const blameMs = 60_000

export function createFairQueue(): FairQueue {
  // The order of the keys is the order of the turns.
  const waiting = new Map<string, Work[]>()
  const blamedUntil = new Map<string, number>()

  const isBlamed = (owner: string): boolean => {
    const until = blamedUntil.get(owner)
    if (until !== undefined && until < performance.now()) blamedUntil.delete(owner)
    return blamedUntil.has(owner)
  }
  const mayStart = ({ call }: Work, running: readonly Work[], threads: number): boolean => {
    if (call.oneAtATime && running.some((it) => it.call.oneAtATime && it.call.owner === call.owner)) return false
    if (!isBlamed(call.owner)) return true
    return running.filter((it) => isBlamed(it.call.owner)).length < Math.max(1, threads - 1)
  }

  return {
    push(work) {
      const { owner } = work.call
      const own = waiting.get(owner)
      if (own) own.push(work)
      else waiting.set(owner, [work])
    },
    take(running, threads) {
      for (const [owner, own] of waiting) {
        const at = own.findIndex((work) => mayStart(work, running, threads))
        const [work] = at < 0 ? [] : own.splice(at, 1)
        if (!work) continue
        waiting.delete(owner)
        if (own.length > 0) waiting.set(owner, own)
        return work
      }
      return undefined
    },
    blame(owner) {
      blamedUntil.set(owner, performance.now() + blameMs)
    },
  }
}
