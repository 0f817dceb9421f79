import { expect, test } from 'vitest'
import { fixedList } from '../../lib/pages.ts'
import { uniqueRows } from './live-list.ts'

test('a row that moved down to the next page between two requests is shown once, where it was first, as it is now', () => {
  const list = fixedList([
    { _id: 'a', n: 1 },
    { _id: 'b', n: 1 },
    { _id: 'a', n: 2 },
    { _id: 'c', n: 1 },
  ])
  expect(uniqueRows(list).rows).toEqual([
    { _id: 'a', n: 2 },
    { _id: 'b', n: 1 },
    { _id: 'c', n: 1 },
  ])
})
