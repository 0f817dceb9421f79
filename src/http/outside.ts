import { ApiError } from '../errors.ts'
import type { Outside } from '../store/database.ts'
import type { Aside } from './environment-concurrency.ts'

class NeedsWork extends Error {
  readonly key: string
  readonly work: () => Promise<unknown>
  readonly waits: boolean

  constructor(key: string, work: () => Promise<unknown>, waits: boolean) {
    super('a handler asked for work outside its transaction')
    this.key = key
    this.work = work
    this.waits = waits
  }
}

// A second time, because somebody changed what the first result depended on; more often is a loop.
const mostRounds = 10

/**
 * For one request: `repeat` runs its transaction, and again after each piece of work that `outside` asked for. `aside`:
 * for work that only waits, so that the request does not keep its place.
 */
export function createOutside(aside: Aside = (work) => work()): {
  outside: Outside
  repeat<T>(transaction: () => Promise<T>): Promise<T>
} {
  const results = new Map<string, unknown>()
  return {
    async outside<T>(key: string, work: () => Promise<T>, about: { waits?: true } = {}) {
      // The same key asked for a result of this type.
      if (results.has(key)) return results.get(key) as T
      throw new NeedsWork(key, work, about.waits === true)
    },
    async repeat(transaction) {
      for (let round = 1; ; round++) {
        try {
          return await transaction()
        } catch (error) {
          if (!(error instanceof NeedsWork)) throw error
          if (round === mostRounds) throw new ApiError('too_many_requests', { retryAfterSeconds: 1 })
          results.set(error.key, await (error.waits ? aside(error.work) : error.work()))
        }
      }
    },
  }
}
