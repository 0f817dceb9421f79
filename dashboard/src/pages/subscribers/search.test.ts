import { expect, test } from 'vitest'
import { fixedList } from '../../lib/pages.ts'
import { countOf } from './search.ts'

test('a count says its noun, and when it is only a bound', () => {
  const list = fixedList([1])
  expect(countOf(list, 'topic')).toBe('1 topic')
  expect(countOf({ ...list, total: 0 }, 'topic')).toBe('0 topics')
  expect(countOf({ ...list, total: 50_000, totalCapped: true }, 'subscriber')).toBe('more than 50,000 subscribers')
  expect(countOf({ ...list, total: null }, 'topic')).toBe('')
  expect(countOf({ ...list, isPending: true }, 'topic')).toBe('')
})
