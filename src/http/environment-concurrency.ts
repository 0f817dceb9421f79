import { ApiError } from '../errors.ts'

// They hold their bodies in memory. At some hundred requests a second this is a second or two of work.
const mostWaiting = 500

/**
 * Limits how many requests of one environment run at a time on this node; the rest of its requests wait in order. Without
 * it one busy environment would hold every database connection, and all others would wait behind it. Past a bound they
 * are told to come again.
 */
export type EnvironmentConcurrency = { run<T>(environmentId: string, work: () => Promise<T>): Promise<T> }

type Queue = { running: number; waiting: (() => void)[] }

export function createEnvironmentConcurrency(limit: number): EnvironmentConcurrency {
  const queues = new Map<string, Queue>()

  return {
    async run(environmentId, work) {
      const queue = queues.get(environmentId) ?? { running: 0, waiting: [] }
      queues.set(environmentId, queue)
      if (queue.running >= limit && queue.waiting.length >= mostWaiting) {
        throw new ApiError('too_many_requests', { retryAfterSeconds: 1 })
      }
      if (queue.running < limit) queue.running += 1
      else await new Promise<void>((resolve) => queue.waiting.push(resolve))
      try {
        return await work()
      } finally {
        // The next in line takes this place, so `running` stays as it is.
        const next = queue.waiting.shift()
        if (next) next()
        else queue.running -= 1
        if (queue.running === 0) queues.delete(environmentId)
      }
    },
  }
}
