import { describe, expect, test } from 'vitest'
import { type Place, walk } from './listbox-keys.ts'

/** Where a row of keys leads in a list of so many; `-` is a key that is not the list's. */
function after(keys: string, count: number, start: Place = { active: -1, walked: false }): (number | '-')[] {
  let place = start
  return keys.split(' ').map((key) => {
    const next = walk(place, { down: 'ArrowDown', up: 'ArrowUp' }[key] ?? key, count)
    if (!next) return '-'
    place = next
    return next.active
  })
}

describe('a list of suggestions', () => {
  test('is walked with the arrows, round both ends', () => {
    expect(after('down down down down', 3)).toEqual([0, 1, 2, 0])
    expect(after('up up up up', 3)).toEqual([2, 1, 0, 2])
    expect(after('down up', 1)).toEqual([0, 0])
  })

  test('starts at the first where that one is active already', () => {
    expect(after('down up up', 3, { active: 0, walked: false })).toEqual([1, 0, 2])
  })

  test('leaves Home and End to the text until an arrow has walked into it', () => {
    expect(after('Home End', 4)).toEqual(['-', '-'])
    expect(after('Home End', 4, { active: 0, walked: false })).toEqual(['-', '-'])
    expect(after('down End Home', 4)).toEqual([0, 3, 0])
  })

  test('leaves every other key alone', () => {
    expect(after('Enter Escape Tab a ArrowLeft', 4)).toEqual(['-', '-', '-', '-', '-'])
  })

  test('is on none while it is empty, and on one that is there when it has become shorter', () => {
    expect(after('down up', 0)).toEqual([-1, -1])
    expect(after('up', 2, { active: 7, walked: true })).toEqual([1])
    expect(after('down', 2, { active: 7, walked: true })).toEqual([0])
  })
})
