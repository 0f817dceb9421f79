import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { groupOf } from './engine.ts'
import { type Lane, lanes } from './lanes.ts'
import type { TakenTask } from './run-batch.ts'
import { takeTasks } from './take-tasks.ts'

type Workers = Record<Lane, number>

/** A queue in memory, as PostgreSQL keeps it: the most urgent first, then the oldest. */
function openQueue(workers: Workers, batchSize: number, isFull?: (task: TakenTask) => boolean) {
  let waiting: TakenTask[] = []
  const running: { tasks: TakenTask[]; free(): void; end(): void }[] = []
  const fetches: { minPriority: number; found: number }[] = []
  let [ran, added, mostRunning] = [0, 0, 0]
  const taker = takeTasks({
    task: { name: 'q', batchSize, workers },
    async claim({ minPriority, batchSize: most, ignoreGroups }) {
      await nextTurn()
      const taken = waiting
        .filter((it) => it.priority >= minPriority && !ignoreGroups.includes(groupOf(it.data, it.priority)))
        .toSorted((a, b) => b.priority - a.priority)
        .slice(0, most)
      waiting = waiting.filter((it) => !taken.includes(it))
      fetches.push({ minPriority, found: taken.length })
      return taken
    },
    work(tasks, freeWorker) {
      const { promise, resolve } = Promise.withResolvers<void>()
      running.push({ tasks, free: freeWorker, end: resolve })
      ran += tasks.length
      mostRunning = Math.max(mostRunning, running.length)
      return promise
    },
    groupOf: ({ data, priority }) => groupOf(data, priority),
    ...(isFull && { isFull }),
    onFault(error) {
      throw error
    },
  })
  return {
    taker,
    fetches,
    running,
    ran: () => ran,
    mostRunning: () => mostRunning,
    /** Without a signal. */
    add(count: number, lane: Lane = 'bulk', environmentId = 'e') {
      for (let n = 0; n < count; n++) {
        waiting.push({ id: String(added++), name: 'q', priority: lanes[lane], retryCount: 0, data: { environmentId } })
      }
    },
    async endAll() {
      for (const { end } of running.splice(0)) end()
      await turns()
    },
  }
}

async function turns(): Promise<void> {
  for (let n = 0; n < 50; n++) await nextTurn()
}

const plenty = { critical: 1, transactional: 1, bulk: 9 }

test('a signal makes one worker look once, and what it took is no reason to look again', async () => {
  const queue = openQueue(plenty, 3)
  queue.add(1)
  queue.taker.wake('bulk')
  await turns()
  await queue.endAll()
  expect(queue.fetches).toEqual([{ minPriority: lanes.bulk, found: 1 }])
})

test('a signal that comes while a fetch is under way is not lost', async () => {
  const queue = openQueue(plenty, 3)
  queue.taker.wake('bulk')
  queue.taker.wake('bulk')
  await turns()
  expect(queue.fetches).toHaveLength(2)
})

test('one that comes while all are busy is kept for the first who is not', async () => {
  const queue = openQueue({ critical: 0, transactional: 0, bulk: 1 }, 3)
  queue.add(1)
  queue.taker.wake('bulk')
  await turns()
  queue.add(1)
  expect(queue.taker.wake('bulk')).toBe(false)
  await turns()
  expect(queue.ran()).toBe(1)
  await queue.endAll()
  expect(queue.ran()).toBe(2)
})

test.each([
  { batchSize: 10, workers: { critical: 4, transactional: 6, bulk: 6 }, atOnce: 6 },
  { batchSize: 3, workers: plenty, atOnce: 9 },
])('a burst of 1000 tasks for one signal is taken by all workers of its lane ($batchSize at once)', async (it) => {
  const queue = openQueue(it.workers, it.batchSize)
  for (let n = 0; n < 1000; n++) queue.add(1, 'bulk', `e${n}`)
  queue.taker.wake('bulk')
  await turns()
  expect(queue.mostRunning()).toBe(it.atOnce)
  for (let n = 0; n < 100; n++) await queue.endAll()
  expect(queue.ran()).toBe(1000)
  expect(queue.taker.inHand()).toEqual([])
})

test('an urgent task is taken by the workers of its lane, and by those of lower ones when they are busy', async () => {
  const queue = openQueue({ critical: 1, transactional: 0, bulk: 1 }, 1)
  for (let n = 0; n < 2; n++) {
    queue.add(1, 'critical')
    queue.taker.wake('critical')
    await turns()
  }
  expect(queue.fetches.slice(0, 1)).toEqual([{ minPriority: lanes.critical, found: 1 }])
  expect(queue.ran()).toBe(2)
})

test('while bulk keeps its workers busy, one that is urgent still finds one', async () => {
  const queue = openQueue({ critical: 1, transactional: 1, bulk: 1 }, 1)
  queue.add(10)
  queue.taker.wake()
  await turns()
  expect(queue.ran()).toBe(1)
  queue.add(1, 'critical')
  queue.taker.wake('critical')
  await turns()
  expect(queue.ran()).toBe(2)
})

test('an environment gets as many workers as leave half of them to others, and none of its tasks is left behind', async () => {
  const queue = openQueue(plenty, 3)
  queue.add(100, 'bulk', 'loud')
  queue.taker.wake('bulk')
  await turns()
  expect(queue.running.map((it) => it.tasks.length)).toEqual([3, 3, 3])
  queue.add(1, 'bulk', 'quiet')
  // Another process may have room for more of the loud one.
  expect(queue.taker.wake('bulk')).toBe(false)
  await turns()
  expect(queue.ran()).toBe(10)
  for (let n = 0; n < 40; n++) await queue.endAll()
  expect(queue.ran()).toBe(101)
})

test('while many environments wait, one claim serves several workers, and none gets more than its part', async () => {
  const queue = openQueue(plenty, 3)
  for (let n = 0; n < 300; n++) queue.add(1, 'bulk', `e${n % 20}`)
  queue.taker.wake('bulk')
  await turns()
  expect(queue.fetches.map((it) => it.found)).toEqual([3, 9, 9, 6])
  queue.add(500, 'bulk', 'loud')
  for (let n = 0; n < 300; n++) {
    const loud = queue.running.flatMap((it) => it.tasks).filter((it) => it.data.environmentId === 'loud')
    expect(loud.length).toBeLessThanOrEqual(9)
    await queue.endAll()
  }
  expect(queue.ran()).toBe(800)
})

test('an environment that gets room again while a fetch passes it over is not forgotten', async () => {
  const queue = openQueue(plenty, 3)
  queue.add(100)
  queue.taker.wake('bulk')
  while (queue.running.length < 3) await nextTurn()
  // A claim without it is under way now.
  for (let n = 0; n < 40; n++) await queue.endAll()
  expect(queue.ran()).toBe(100)
})

test('what stops takes no more, and has ended when what it took is done', async () => {
  const queue = openQueue(plenty, 3)
  queue.add(3)
  queue.taker.wake('bulk')
  await turns()
  let ended = false
  const stopping = queue.taker.stop().then(() => {
    ended = true
  })
  queue.add(1)
  expect(queue.taker.wake('bulk')).toBe(false)
  await turns()
  expect([ended, queue.ran()]).toEqual([false, 3])
  await queue.endAll()
  await stopping
  expect(queue.ran()).toBe(3)
})

test('a worker that only waits for others is free for the next, once, and its task stays in hand', async () => {
  const queue = openQueue({ critical: 0, transactional: 0, bulk: 1 }, 1)
  queue.add(4)
  queue.taker.wake('bulk')
  await turns()
  expect(queue.ran()).toBe(1)
  queue.running[0]?.free()
  queue.running[0]?.free()
  await turns()
  expect(queue.ran()).toBe(2)
  expect(queue.taker.inHand().map((it) => it.id)).toEqual(['0', '1'])
  queue.running[0]?.end()
  await turns()
  expect(queue.ran()).toBe(2)
  queue.running[1]?.end()
  await turns()
  expect(queue.ran()).toBe(3)
})

test('what would only wait stays in the queue, others pass it, and it is taken when there is room again', async () => {
  let isFull = false
  const queue = openQueue({ critical: 0, transactional: 0, bulk: 3 }, 2, ({ data }) =>
    data.environmentId === 'slow' ? isFull : false,
  )
  queue.add(2, 'bulk', 'slow')
  queue.taker.wake('bulk')
  await turns()
  isFull = true
  queue.add(6, 'bulk', 'slow')
  queue.add(1, 'bulk', 'sound')
  expect(queue.taker.wake('bulk')).toBe(false)
  await turns()
  expect(queue.running.map(({ tasks }) => tasks.map((it) => it.data.environmentId))).toEqual([
    ['slow', 'slow'],
    ['sound'],
  ])
  // Answers are awaited, and there is room for the next: without a signal.
  isFull = false
  queue.running[0]?.free()
  await turns()
  expect(queue.ran()).toBe(7)
})
