/**
 * How many calls may at the same time write their events to the end on this node. Under a flood the others are accepted
 * fast and left to the queue, whose workers take turns between environments.
 */
export type Places = {
  /** Null: all are taken. Otherwise to be called at the end. */
  enter(environmentId: string): (() => void) | null
}

export function createPlaces(ofEnvironment: number, ofNode: number): Places {
  const taken = new Map<string, number>()
  let all = 0
  return {
    enter(environmentId) {
      const own = taken.get(environmentId) ?? 0
      if (own >= ofEnvironment || all >= ofNode) return null
      taken.set(environmentId, own + 1)
      all += 1
      return () => {
        const left = (taken.get(environmentId) ?? 1) - 1
        if (left > 0) taken.set(environmentId, left)
        else taken.delete(environmentId)
        all -= 1
      }
    },
  }
}
