import { expect, test } from 'vitest'
import { eventsWords, replayAll } from './replay.ts'

test('goes on where the server stopped, until nothing is left, and says how far it is', async () => {
  const parts = [
    { replayed: 5000, next: 'a' },
    { replayed: 5000, next: 'b' },
    { replayed: 7, next: null },
  ]
  const asked: (string | undefined)[] = []
  const told: number[] = []
  const send = async (after: string | undefined) => {
    asked.push(after)
    const part = parts[asked.length - 1]
    if (!part) throw new Error('asked too often')
    return part
  }
  expect(await replayAll(send, (done) => told.push(done))).toBe(10_007)
  expect(asked).toEqual([undefined, 'a', 'b'])
  expect(told).toEqual([5000, 10_000, 10_007])
})

test('a fault ends it', async () => {
  const broken = new Error('unreachable')
  await expect(
    replayAll(
      () => Promise.reject(broken),
      () => {},
    ),
  ).rejects.toBe(broken)
})

test('how many, in words', () => {
  expect(eventsWords({ n: 1, capped: false })).toBe('1 event')
  expect(eventsWords({ n: 1200, capped: false })).toBe('1,200 events')
  expect(eventsWords({ n: 50_000, capped: true })).toBe('50,000+ events')
})
