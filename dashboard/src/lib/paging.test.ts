import { describe, expect, test } from 'vitest'
import { byCursor, byNumber, onlyFirst, readTotal } from './paging.ts'

describe('a list by cursors', () => {
  test('begins without one, and goes on after the one it was given until there is none', () => {
    expect(byCursor.toQuery(byCursor.first)).toEqual({ after: null })
    expect(byCursor.next({ data: [1], next: 'c2' })).toBe('c2')
    expect(byCursor.toQuery('c2')).toEqual({ after: 'c2' })
    expect(byCursor.next({ data: [1], next: null })).toBeUndefined()
  })
})

describe('a list by numbers', () => {
  test('begins at zero, and goes on with the next number while there is more', () => {
    expect(byNumber.toQuery(byNumber.first)).toEqual({ page: 0 })
    expect(byNumber.next({ data: [], hasMore: true, page: 0 })).toBe(1)
    expect(byNumber.next({ data: [], hasMore: true, page: 7 })).toBe(8)
    expect(byNumber.next({ data: [1], hasMore: false, page: 8 })).toBeUndefined()
  })
})

test('to ask anew, only the first page is kept, with what it was asked by', () => {
  expect(onlyFirst({ pages: ['a', 'b', 'c'], pageParams: [0, 1, 2] })).toEqual({ pages: ['a'], pageParams: [0] })
  expect(onlyFirst(undefined)).toBeUndefined()
})

test('a total is said as the server counts it: not at all, up to a bound, or wholly', () => {
  expect(readTotal(undefined)).toEqual({ total: null, totalCapped: false })
  expect(readTotal({ data: [], hasMore: false, page: 0 })).toEqual({ total: null, totalCapped: false })
  expect(readTotal({ data: [], next: null, totalCount: 0, totalCountCapped: false }).total).toBe(0)
  expect(readTotal({ data: [], next: 'x', totalCount: 50_000, totalCountCapped: true })).toEqual({
    total: 50_000,
    totalCapped: true,
  })
})
