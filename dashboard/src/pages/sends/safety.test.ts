import { expect, test } from 'vitest'
import { draftOf, isWhole, settingsOf } from './safety.ts'

const given = {
  canaryFrom: null,
  canaryPercent: 1,
  canaryAtLeast: 100,
  goesOn: 'person',
  goesOnAfterSeconds: 900,
  guardFrom: 5_000,
  failuresPercent: 10,
  complaintsPercent: 0.3,
  slowOnJumps: false,
} as const

test('what was read and not changed is saved as it was', () => {
  expect(settingsOf(draftOf(given))).toEqual(given)
})

test('a switch turned on begins with a usual size, turned off it is none', () => {
  expect(settingsOf({ ...draftOf(given), hasCanary: true }).canaryFrom).toBe(10_000)
  expect(settingsOf({ ...draftOf(given), hasGuard: false }).guardFrom).toBeNull()
})

test('only numbers are sent, and only what is used has to be one', () => {
  expect(isWhole({ ...draftOf(given), failuresPercent: '' })).toBe(false)
  expect(isWhole({ ...draftOf(given), canaryFrom: 'many' })).toBe(true)
  expect(isWhole({ ...draftOf(given), hasCanary: true, canaryFrom: 'many' })).toBe(false)
})
