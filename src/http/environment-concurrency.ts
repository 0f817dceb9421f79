import { ApiError } from '../errors.ts'
import { EncryptionKeyUnavailable } from '../lib/seal.ts'
import { isDatabaseUnavailable } from '../store/database.ts'

// They hold their bodies in memory. At some hundred requests a second this is a second or two of work.
const mostWaiting = 500
// Who waited this long behind a request that found the database away is told so, too. Otherwise, while a commit waits ten
// seconds for a standby that is gone, the last in line would be told after minutes.
const patienceMs = 1_000

/**
 * Limits how many requests of one environment run at a time on this node; the rest of its requests wait in order. Without
 * it one busy environment would hold every database connection, and all others would wait behind it. Past a bound they
 * are told to come again.
 */
export type EnvironmentConcurrency = { run<T>(environmentId: string, work: (aside: Aside) => Promise<T>): Promise<T> }

/** Others have the place of this request while it waits for something else; then it stands in line again. */
export type Aside = <T>(wait: () => Promise<T>) => Promise<T>

type Waiting = { sinceMs: number; begin(): void; refuse(error: Error): void }
type Queue = { running: number; waiting: Waiting[] }

export function createEnvironmentConcurrency(limit: number): EnvironmentConcurrency {
  const queues = new Map<string, Queue>()

  /** `turn`: null where there is a place. */
  function enter(environmentId: string): { queue: Queue; turn: Promise<void> | null } {
    const queue = queues.get(environmentId) ?? { running: 0, waiting: [] }
    queues.set(environmentId, queue)
    if (queue.running >= limit && queue.waiting.length >= mostWaiting) {
      throw new ApiError('too_many_requests', { retryAfterSeconds: 1 })
    }
    if (queue.running >= limit) {
      const stand = (begin: () => void, refuse: (error: Error) => void) =>
        queue.waiting.push({ sinceMs: performance.now(), begin, refuse })
      return { queue, turn: new Promise<void>(stand) }
    }
    queue.running += 1
    return { queue, turn: null }
  }

  function leave(environmentId: string, queue: Queue): void {
    // The next in line takes this place, so `running` stays as it is.
    const next = queue.waiting.shift()
    if (next) next.begin()
    else queue.running -= 1
    if (queue.running === 0) queues.delete(environmentId)
  }

  return {
    async run(environmentId, work) {
      const first = enter(environmentId)
      if (first.turn) await first.turn
      let place: Queue | null = first.queue
      const aside: Aside = async (wait) => {
        if (place) leave(environmentId, place)
        place = null
        const waited = await wait()
        const again = enter(environmentId)
        await again.turn
        place = again.queue
        return waited
      }
      try {
        return await work(aside)
      } catch (error) {
        // A missing encryption key says nothing about the requests that wait.
        if (place && isDatabaseUnavailable(error) && !(error instanceof EncryptionKeyUnavailable)) refuseLate(place)
        throw error
      } finally {
        if (place) leave(environmentId, place)
      }
    },
  }
}

/** They stand in the order in which they came. */
function refuseLate({ waiting }: Queue): void {
  const before = performance.now() - patienceMs
  while (waiting[0] && waiting[0].sinceMs < before) {
    waiting.shift()?.refuse(new ApiError('service_unavailable', { retryAfterSeconds: 2 }))
  }
}
