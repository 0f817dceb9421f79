import type { Logger } from 'pino'
import type { Database, Env } from '../../store/database.ts'
import { saveRefused, saveTold, type ToldEvent } from '../../store/feedback/callback-arrivals.ts'

/** Notes that a vendor called, for whoever sets the integration up. */
export type Arrivals = {
  told(env: Env, integrationId: string, events: readonly ToldEvent[], now: Date): void
  refused(env: Env, integrationId: string, why: string, now: Date): void
  /** Writes what waits. */
  close(): Promise<void>
}

// A vendor may call hundreds of times a second, and strangers too: one row takes one write a second.
const everyMs = 1_000

/**
 * The first call is written at once; of those that follow within a second, the last one when the second is over. A write
 * that fails is forgotten: the next call is noted anew.
 */
export function createArrivals(database: Pick<Database, 'write'>, log: Logger): Arrivals {
  type Write = () => Promise<void>
  const slots = new Map<string, { timer: NodeJS.Timeout; next: Write | null }>()
  const running = new Set<Promise<void>>()

  const run = (write: Write) => {
    const done = write()
      .catch((error) => log.warn({ err: error }, 'a callback was taken, and could not be noted as the last one'))
      .finally(() => running.delete(done))
    running.add(done)
  }
  const wait = (key: string) => {
    const timer = setTimeout(() => {
      const next = slots.get(key)?.next
      slots.delete(key)
      if (!next) return
      run(next)
      wait(key)
    }, everyMs).unref()
    slots.set(key, { timer, next: null })
  }
  const note = (key: string, write: Write) => {
    const slot = slots.get(key)
    if (slot) {
      slot.next = write
      return
    }
    run(write)
    wait(key)
  }
  return {
    told: (env, id, events, now) =>
      note(`told ${id}`, () => database.write(env, (db) => saveTold(db, env, id, events, now))),
    refused: (env, id, why, now) =>
      note(`refused ${id}`, () => database.write(env, (db) => saveRefused(db, env, id, why, now))),
    async close() {
      for (const { timer, next } of slots.values()) {
        clearTimeout(timer)
        if (next) run(next)
      }
      slots.clear()
      await Promise.all(running)
    },
  }
}
