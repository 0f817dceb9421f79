import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createTogether } from './together.ts'

const options = { mostRunning: 2, mostOfRun: 10, mostWaiting: 25, waitMs: 20, mostWaitMs: 60_000 }

/** Runs that end when they are told to. */
function open() {
  const together = createTogether(options)
  const runs: { items: number[]; end: (error?: Error) => void }[] = []
  const run = (items: { n: number }[]) =>
    new Promise<void>((resolve, reject) => {
      runs.push({ items: items.map(({ n }) => n), end: (error) => (error ? reject(error) : resolve()) })
    })
  const join = (n: number, key = 'a', weight = 1) =>
    together.join(key, { n, weight }, (items) => run(items).catch(() => {}))
  return { runs, join }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('together', () => {
  test('who comes alone begins at once; who comes in the same turn comes along', async () => {
    const { runs, join } = open()
    join(1)
    await turn()
    expect(runs.map(({ items }) => items)).toEqual([[1]])
    runs[0]?.end()
    await turn()
    for (const n of [2, 3, 4]) join(n)
    await turn()
    expect(runs[1]?.items).toEqual([2, 3, 4])
  })

  test('while one runs the others wait until it ends', async () => {
    const { runs, join } = open()
    join(1)
    await turn()
    for (const n of [2, 3]) join(n)
    await turn()
    expect(runs).toHaveLength(1)
    runs[0]?.end()
    await turn()
    await turn()
    expect(runs[1]?.items).toEqual([2, 3])
  })

  test('or for some milliseconds, while fewer run than may', async () => {
    const { runs, join } = open()
    for (const n of [1, 2, 3]) {
      join(n)
      await sleep(60)
    }
    // The third finds both places taken.
    expect(runs.map(({ items }) => items)).toEqual([[1], [2]])
    runs[1]?.end()
    await expect.poll(() => runs[2]?.items).toEqual([3])
  })

  test('who waited too long for those before it is refused, and who came later is not', async () => {
    const together = createTogether({ ...options, mostRunning: 1, mostWaitMs: 500 })
    const [ran, refused]: [number[][], number[]] = [[], []]
    let end = () => {}
    const join = (n: number) =>
      together.join(
        'a',
        { n, weight: 1 },
        (items) => {
          ran.push(items.map((it) => it.n))
          return new Promise((resolve) => {
            end = resolve
          })
        },
        (items) => refused.push(...items.map((it) => it.n)),
      )
    join(1)
    await turn()
    for (const n of [2, 3]) join(n)
    await sleep(700)
    join(4)
    end()
    await expect.poll(() => ran).toEqual([[1], [4]])
    expect(refused).toEqual([2, 3])
  })

  test('a full group waits for nobody; more than may wait are refused', async () => {
    const { runs, join } = open()
    join(0)
    await turn()
    const taken = Array.from({ length: 40 }, (_, n) => join(n + 1))
    await turn()
    expect(runs[1]?.items).toHaveLength(10)
    expect(taken.filter(Boolean)).toHaveLength(25)
    expect(runs).toHaveLength(2)
  })

  test('what weighs more than a run runs alone, and nobody passes it by', async () => {
    const { runs, join } = open()
    join(1, 'a', 6)
    join(2, 'a', 12)
    join(3, 'a', 1)
    for (const place of [0, 1, 2]) {
      await expect.poll(() => runs.length).toBeGreaterThan(place)
      runs[place]?.end()
    }
    expect(runs.map(({ items }) => items)).toEqual([[1], [2], [3]])
  })

  test('keys do not wait for each other, and a fault ends only its own run', async () => {
    const { runs, join } = open()
    join(1, 'a')
    join(2, 'b')
    await turn()
    expect(runs.map(({ items }) => items)).toEqual([[1], [2]])
    join(3, 'a')
    runs[0]?.end(new Error('broken'))
    await turn()
    await turn()
    await turn()
    expect(runs[2]?.items).toEqual([3])
  })

  test('never more run than may, whatever comes between two turns', async () => {
    const together = createTogether({ mostRunning: 2, mostOfRun: 10, mostWaiting: 100, waitMs: 5, mostWaitMs: 60_000 })
    const ends: (() => void)[] = []
    let [running, most] = [0, 0]
    const run = () =>
      new Promise<void>((resolve) => {
        running++
        most = Math.max(most, running)
        ends.push(() => {
          running--
          resolve()
        })
      })
    const join = () => together.join('a', { weight: 1 }, run)
    join()
    await sleep(20)
    join()
    await expect.poll(() => running).toBe(2)
    join()
    ends[0]?.()
    for (let n = 0; n < 5; n++) await null
    join()
    await turn()
    join()
    await sleep(40)
    expect(most).toBe(2)
  })
})
