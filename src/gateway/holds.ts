/** How it ends: go on, go on as the one who tries, too late, no room, or the client left. */
export type Held = 'open' | 'try' | 'late' | 'full' | 'gone'

export type Holds = {
  /** Waits while the environment is held. At once 'open' when it is not. */
  pass(holder: string | null, deadline: number, left: AbortSignal): Promise<Held>
  /** A cell said that it is held. Who was the first tries again by itself; everybody else waits for that one. */
  begin(holder: string): 'try' | 'wait'
  /** The one who tried got another answer. */
  end(holder: string): void
  /** The one who tried cannot go on: the next one tries. */
  resign(holder: string): void
  count(): number
}

type Waiter = { settle(how: Held): void }

// All let go at once would fill the cell's places, and some would be refused.
const groupSize = 32
const groupEveryMs = 10

/** One request tries while the others of its environment wait: a frozen cell is not asked a thousand times a second. */
export function createHolds(most: number): Holds {
  const gates = new Map<string, Set<Waiter>>()
  let count = 0

  const letGo = (waiters: Set<Waiter>) => {
    for (const waiter of [...waiters].slice(0, groupSize)) waiter.settle('open')
    if (waiters.size > 0) setTimeout(letGo, groupEveryMs, waiters)
  }

  return {
    count: () => count,
    pass(holder, deadline, left) {
      const waiters = holder === null ? undefined : gates.get(holder)
      if (!waiters) return Promise.resolve('open')
      if (count >= most) return Promise.resolve('full')
      return new Promise((resolve) => {
        const settle = (how: Held) => {
          clearTimeout(timer)
          left.removeEventListener('abort', leave)
          if (waiters.delete(waiter)) count--
          resolve(how)
        }
        const leave = () => settle('gone')
        const waiter = { settle }
        const timer = setTimeout(settle, Math.max(0, deadline - performance.now()), 'late')
        left.addEventListener('abort', leave)
        waiters.add(waiter)
        count++
      })
    },
    begin(holder) {
      if (gates.has(holder)) return 'wait'
      gates.set(holder, new Set())
      return 'try'
    },
    end(holder) {
      const waiters = gates.get(holder)
      gates.delete(holder)
      if (waiters) letGo(waiters)
    },
    resign(holder) {
      const [next] = gates.get(holder) ?? []
      if (next) next.settle('try')
      else gates.delete(holder)
    },
  }
}
