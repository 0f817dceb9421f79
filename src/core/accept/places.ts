import { LRUCache } from 'lru-cache'

/**
 * How many calls may at the same time write their events to the end on this node. Under a flood the others are accepted
 * fast and left to the queue, whose workers take turns between environments.
 */
export type Places = {
  /** Null: none is free. Otherwise to be called at the end. */
  enter(environmentId: string): (() => void) | null
  /** It did not go well: for some seconds its events are left to the queue. */
  close(environmentId: string): void
}

const closedForMs = 5_000

export function createPlaces(ofEnvironment: number, ofNode: number): Places {
  const taken = new Map<string, number>()
  const closed = new LRUCache<string, true>({ max: 10_000, ttl: closedForMs })
  let all = 0
  return {
    enter(environmentId) {
      const own = taken.get(environmentId) ?? 0
      if (own >= ofEnvironment || all >= ofNode || closed.has(environmentId)) return null
      taken.set(environmentId, own + 1)
      all += 1
      return () => {
        const left = (taken.get(environmentId) ?? 1) - 1
        if (left > 0) taken.set(environmentId, left)
        else taken.delete(environmentId)
        all -= 1
      }
    },
    close: (environmentId) => void closed.set(environmentId, true),
  }
}
