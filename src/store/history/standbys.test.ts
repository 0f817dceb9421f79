import { expect, test } from 'vitest'
import { countWanted } from './standbys.ts'

test.each([
  ['', 0],
  ['node2', 1],
  ['*', 1],
  ['node2, node3', 1],
  ['"1 (odd)"', 1],
  ['ANY 1 (node2,node3)', 1],
  ['any 2 ("node2", "node3", "node4")', 2],
  ['FIRST 2 (a, b, c)', 2],
  ['3 (a, b, c, d)', 3],
])('synchronous_standby_names = %s waits for %i', (names, wanted) => {
  expect(countWanted(names)).toBe(wanted)
})
