/**
 * Brings together what comes at the same time under one key. The first begins at once; while it runs others wait until it
 * ends, or some milliseconds. So whoever is alone never waits.
 */
export type Together = {
  /** False: too many wait already. `run` gets some of them, in their order; all of one key give the same function. */
  join<T>(key: string, item: T, run: (items: T[]) => Promise<void>): boolean
}

type Queue = { running: number; waiting: unknown[]; timer: NodeJS.Timeout | null; isStarting: boolean }
type Options = {
  /** Of one key, at the same time. */
  mostRunning: number
  /** In one run. */
  mostItems: number
  mostWaiting: number
  waitMs: number
}

export function createTogether({ mostRunning, mostItems, mostWaiting, waitMs }: Options): Together {
  const queues = new Map<string, Queue>()

  return {
    join<T>(key: string, item: T, run: (items: T[]) => Promise<void>) {
      const queue = queues.get(key) ?? { running: 0, waiting: [], timer: null, isStarting: false }
      if (queue.waiting.length >= mostWaiting) return false
      queues.set(key, queue)
      queue.waiting.push(item)

      const schedule = () => {
        if (queue.waiting.length === 0) {
          if (queue.running === 0) queues.delete(key)
        } else if (queue.running < mostRunning) {
          if (queue.running === 0 || queue.waiting.length >= mostItems) start()
          else queue.timer ??= setTimeout(start, waitMs)
        }
      }
      const start = () => {
        if (queue.timer) clearTimeout(queue.timer)
        queue.timer = null
        if (queue.isStarting) return
        queue.isStarting = true
        // What is read from the network in the same turn comes along.
        setImmediate(async () => {
          queue.isStarting = false
          queue.running += 1
          const items = queue.waiting.splice(0, mostItems) as T[]
          schedule()
          await run(items).finally(() => {
            queue.running -= 1
            if (queue.waiting.length > 0) start()
            else schedule()
          })
        })
      }
      schedule()
      return true
    },
  }
}
