import { expect, test } from 'vitest'
import { createFairQueue, type Work } from './fair-queue.ts'

const work = (owner: string, oneAtATime?: true): Work => ({
  call: {
    owner,
    ...(oneAtATime && { oneAtATime }),
    timeoutMs: 1,
    toChunk: () => ({ kind: 'texts', items: [] }),
    receive() {},
    fail() {},
    isFinished: () => false,
    reject() {},
  },
  places: [],
})

test('owners take turns, whoever asked for more', () => {
  const queue = createFairQueue()
  for (const owner of ['a', 'a', 'a', 'b', 'c', 'c']) queue.push(work(owner))
  const taken = Array.from({ length: 7 }, () => queue.take([], 2)?.call.owner)
  expect(taken).toEqual(['a', 'b', 'c', 'a', 'c', 'a', undefined])
})

test('of calls that may have one thread only, the second waits while the first runs; others pass it', () => {
  const queue = createFairQueue()
  const [first, second] = [work('a', true), work('a', true)]
  const [page, other] = [work('a'), work('b', true)]
  for (const it of [first, second, page, other]) queue.push(it)
  expect(queue.take([], 4)).toBe(first)
  expect(queue.take([first], 4)).toBe(other)
  expect(queue.take([first, other], 4)).toBe(page)
  expect(queue.take([first, other, page], 4)).toBeUndefined()
  expect(queue.take([page], 4)).toBe(second)
})

test('those whose work had to be killed leave a thread to everybody else', () => {
  const queue = createFairQueue()
  const bombs = ['x', 'x', 'y'].map((owner) => work(owner))
  for (const it of bombs) queue.push(it)
  queue.blame('x')
  queue.blame('y')
  expect(queue.take([], 2)).toBe(bombs[0])
  expect(queue.take(bombs.slice(0, 1), 2)).toBeUndefined()
  const innocent = work('b')
  queue.push(innocent)
  expect(queue.take(bombs.slice(0, 1), 2)).toBe(innocent)
  expect(queue.take([innocent], 2)).toBe(bombs[2])
})
