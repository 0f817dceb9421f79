/**
 * One environment has only so many requests in hand at a time on this node; more of its own wait for those, in order, and
 * nobody else's do. A flood of one key would otherwise hold all connections to the database, and everybody would queue
 * behind it.
 */
export type Turns = { run<T>(environmentId: string, work: () => Promise<T>): Promise<T> }

type Line = { running: number; waiting: (() => void)[] }

export function createTurns(atOnce: number): Turns {
  const lines = new Map<string, Line>()

  return {
    async run(environmentId, work) {
      const line = lines.get(environmentId) ?? { running: 0, waiting: [] }
      lines.set(environmentId, line)
      if (line.running < atOnce) line.running += 1
      else await new Promise<void>((resolve) => line.waiting.push(resolve))
      try {
        return await work()
      } finally {
        const next = line.waiting.shift()
        // The turn is handed on, or given up.
        if (next) next()
        else line.running -= 1
        if (line.running === 0) lines.delete(environmentId)
      }
    },
  }
}
