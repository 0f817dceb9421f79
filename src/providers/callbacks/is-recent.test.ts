import { expect, test } from 'vitest'
import { isRecent } from './is-recent.ts'

const now = new Date(1_000_000_000_000)

test.each([
  ['1000000000', true],
  ['999999700', true],
  ['999999699', false],
  ['1000000300', true],
  ['1000000301', false],
  ['', false],
  ['1e9', false],
  ['-1000000000', false],
  [' 1000000000', false],
])('%j is within five minutes: %s', (seconds, expected) => {
  expect(isRecent(seconds, now)).toBe(expected)
})

test('what may be older may not be later', () => {
  expect(isRecent('999996400', now, 3_600_000)).toBe(true)
  expect(isRecent('999996399', now, 3_600_000)).toBe(false)
  expect(isRecent('1000000301', now, 3_600_000)).toBe(false)
})
