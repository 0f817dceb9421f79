import { expect, test } from 'vitest'
import { hashOf, makeCounts } from '../../chaos/soak/counts.ts'
import { eventOf, kinds, nameOf, readName } from '../../chaos/soak/kinds.ts'

test('counts grow with the numbers they are asked for', () => {
  const counts = makeCounts()
  counts.add(3)
  counts.add(3)
  counts.add(1_000_000)
  expect([counts.get(3), counts.get(4), counts.get(1_000_000), counts.get(9_000_000)]).toEqual([2, 0, 1, 0])
})

test('a count that is full stays full, and does not become 0', () => {
  const counts = makeCounts()
  for (let n = 0; n < 300; n++) counts.add(0)
  expect(counts.get(0)).toBe(255)
})

test('a key is known again', () => {
  const keys = makeCounts(4)
  keys.set(1, hashOf('msg_a'))
  expect([keys.get(1) === hashOf('msg_a'), keys.get(1) === hashOf('msg_b'), hashOf('') > 0]).toEqual([
    true,
    false,
    true,
  ])
})

test('an event is made of its kind and its number alone', () => {
  for (const kind of kinds) {
    expect(eventOf(kind, 41)).toEqual(eventOf(kind, 41))
    expect(readName(nameOf(kind, 41))).toEqual({ kind, n: 41 })
  }
  expect(readName('somebody-else-1')).toBeNull()
})
