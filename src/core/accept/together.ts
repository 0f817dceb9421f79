/**
 * Brings together what comes at the same time under one key. The first begins at once; while one runs others wait until
 * none does, or some milliseconds. So whoever is alone never waits.
 */
export type Together = {
  /**
   * False: too many wait already. `run` gets some of them, in their order, and tells each how it ended; all of one key give
   * the same functions. `refuse` gets those that waited too long for the ones before them to be worth beginning.
   */
  join<T extends Weighty>(
    key: string,
    item: T,
    run: (items: T[]) => Promise<void>,
    refuse?: (items: T[]) => void,
  ): boolean
}
type Weighty = { weight: number }
type Waiting = { item: Weighty; sinceMs: number }

type Queue = {
  running: number
  waiting: Waiting[]
  /** Of those that wait. */
  weight: number
  timer: NodeJS.Timeout | null
}
type Options = {
  /** Of one key, at the same time. */
  mostRunning: number
  /** The weight of one run; an item that weighs more runs alone. */
  mostOfRun: number
  mostWaiting: number
  waitMs: number
  /** Who waited longer is refused when its turn comes. */
  mostWaitMs: number
}

export function createTogether({ mostRunning, mostOfRun, mostWaiting, waitMs, mostWaitMs }: Options): Together {
  const queues = new Map<string, Queue>()

  return {
    join<T extends Weighty>(
      key: string,
      item: T,
      run: (items: T[]) => Promise<void>,
      refuse: (items: T[]) => void = () => {},
    ) {
      const queue = queues.get(key) ?? { running: 0, waiting: [], weight: 0, timer: null }
      if (queue.weight >= mostWaiting) return false
      queues.set(key, queue)
      queue.waiting.push({ item, sinceMs: performance.now() })
      queue.weight += item.weight

      const schedule = () => {
        if (queue.waiting.length === 0) {
          if (queue.timer) clearTimeout(queue.timer)
          queue.timer = null
          if (queue.running === 0 && queues.get(key) === queue) queues.delete(key)
        } else if (queue.running < mostRunning) {
          if (queue.running === 0 || queue.weight >= mostOfRun) start()
          else queue.timer ??= setTimeout(start, waitMs)
        }
      }
      const start = () => {
        if (queue.timer) clearTimeout(queue.timer)
        queue.timer = null
        if (queue.running >= mostRunning) return
        queue.running += 1
        // What is read from the network in the same turn comes along.
        setImmediate(async () => {
          const late = takeLate(queue, mostWaitMs) as T[]
          if (late.length > 0) refuse(late)
          const items = take(queue, mostOfRun) as T[]
          schedule()
          if (items.length > 0) await run(items).catch(() => {})
          queue.running -= 1
          schedule()
        })
      }
      schedule()
      return true
    },
  }
}

function take(queue: Queue, most: number): Weighty[] {
  let [count, weight] = [0, 0]
  for (const { item } of queue.waiting) {
    if (count > 0 && weight + item.weight > most) break
    count += 1
    weight += item.weight
  }
  queue.weight -= weight
  return queue.waiting.splice(0, count).map(({ item }) => item)
}

/** They stand in the order in which they came. */
function takeLate(queue: Queue, mostWaitMs: number): Weighty[] {
  const before = performance.now() - mostWaitMs
  const inTime = queue.waiting.findIndex(({ sinceMs }) => sinceMs >= before)
  const late = queue.waiting.splice(0, inTime === -1 ? queue.waiting.length : inTime).map(({ item }) => item)
  for (const { weight } of late) queue.weight -= weight
  return late
}
