import { expect, test } from 'vitest'
import { fullTime } from '../../ui/time.tsx'
import { disabledAt, needsAttention, reasonWords, stateOf } from './states.ts'

const since = '2026-11-13T08:00:00.000Z'

test.each([
  ['enabled', { status: 'enabled', disabledReason: null, failingSince: null }],
  ['failing', { status: 'enabled', disabledReason: null, failingSince: since }],
  ['disabled', { status: 'disabled', disabledReason: null, failingSince: since }],
  ['gaveUp', { status: 'disabled', disabledReason: 'It answered 410 (gone).', failingSince: null }],
] as const)('%s', (state, endpoint) => {
  expect(stateOf(endpoint)).toBe(state)
})

test('a reason is shown with its time as people read it', () => {
  expect(reasonWords(`Nothing could be delivered since ${since}.`)).toBe(
    `Nothing could be delivered since ${fullTime(since)}.`,
  )
  expect(reasonWords('It answered 410 (gone).')).toBe('It answered 410 (gone).')
})

test('it is disabled five days after everything began to fail', () => {
  expect(disabledAt(since)).toBe('2026-11-18T08:00:00.000Z')
})

test('the list tells of what was disabled for its failures, and of what has failed for a while', () => {
  const failing = { status: 'enabled', disabledReason: null, failingSince: since } as const
  const at = (minutes: number) => Date.parse(since) + minutes * 60_000
  expect([1, 14, 15, 900].map((minutes) => needsAttention(failing, at(minutes)))).toEqual([false, false, true, true])
  expect(needsAttention({ ...failing, status: 'disabled' }, at(900))).toBe(false)
  expect(needsAttention({ ...failing, status: 'disabled', disabledReason: 'gone' }, at(1))).toBe(true)
  expect(needsAttention({ ...failing, failingSince: null }, at(1))).toBe(false)
})
