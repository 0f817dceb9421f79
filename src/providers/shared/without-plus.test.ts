import { expect, test } from 'vitest'
import { withoutPlus } from './without-plus.ts'

test.each([
  ['+15005550006', '15005550006'],
  ['15005550006', '15005550006'],
  ['Acme', 'Acme'],
  ['+Acme', '+Acme'],
  ['++1', '++1'],
])('%s becomes %s', (given, expected) => {
  expect(withoutPlus(given)).toBe(expected)
})
