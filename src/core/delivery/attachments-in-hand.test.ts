import { expect, test } from 'vitest'
import { groupsThatFit, withRoomForFiles } from './attachments-in-hand.ts'

const mb = 1024 * 1024

test('files beyond 16 MB wait in order; what is larger goes alone; a failure gives its room back', async () => {
  const order: string[] = []
  const ends = new Map<string, () => void>()
  const begin = (name: string, bytes: number) =>
    withRoomForFiles(bytes, async () => {
      order.push(name)
      await new Promise<void>((resolve) => ends.set(name, resolve))
      if (name === 'b') throw new Error('b failed')
    }).catch(() => order.push(`${name} failed`))
  const all = [begin('a', 10 * mb), begin('b', 6 * mb), begin('c', mb), begin('large', 40 * mb), begin('d', mb)]
  await expect.poll(() => order).toEqual(['a', 'b'])
  ends.get('b')?.()
  await expect.poll(() => order).toEqual(['a', 'b', 'c', 'b failed'])
  ends.get('a')?.()
  ends.get('c')?.()
  await expect.poll(() => order.at(-1)).toBe('large')
  ends.get('large')?.()
  await expect.poll(() => order.at(-1)).toBe('d')
  ends.get('d')?.()
  await Promise.all(all)
})

test('messages of one event go together as far as their files fit, and at least one', () => {
  const sizesOf = (bytes: number) =>
    groupsThatFit(
      Array.from({ length: 7 }, (_, n) => n),
      () => bytes,
      (n) => (n < 5 ? 'first' : 'second'),
    ).map((group) => group.length)
  expect(sizesOf(1024)).toEqual([5, 2])
  expect(sizesOf(5 * mb)).toEqual([3, 2, 2])
  expect(sizesOf(40 * mb)).toEqual([1, 1, 1, 1, 1, 1, 1])
})
