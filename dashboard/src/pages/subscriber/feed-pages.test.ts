import { expect, test } from 'vitest'
import { nextAfter } from './feed-pages.ts'

test('the feed goes on after the last one shown, and ends when the server says so', () => {
  expect(nextAfter({ data: [{ id: 'a' }, { id: 'b' }], hasMore: true })).toBe('b')
  expect(nextAfter({ data: [{ id: 'a' }], hasMore: false })).toBeUndefined()
  expect(nextAfter({ data: [], hasMore: true })).toBeUndefined()
})
