import { expect, test } from 'vitest'
import { inARow, toWords } from './holdings.ts'

test('what an environment holds is said in words, and nothing of what it has none of', () => {
  const of = { one: 'topic', many: 'topics' }
  expect(toWords({ ...of, count: 0 })).toEqual([])
  expect(toWords({ ...of, count: 1 })).toEqual(['one topic'])
  expect(toWords({ ...of, count: 50_000, capped: true })).toEqual(['50,000 or more topics'])
  expect(inARow(['a'])).toBe('a')
  expect(inARow(['a', 'b', 'c'])).toBe('a, b and c')
})
