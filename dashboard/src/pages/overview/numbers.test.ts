import { expect, test } from 'vitest'
import type { Numbers, NumbersSeries } from '../../api/types.ts'
import { bucketsOf, totalOf, valuesOf } from './numbers.ts'

const numbers = { from: '2026-03-01T10:00:00Z', to: '2026-03-01T13:00:00Z', step: 'hour' } as Numbers
const series: NumbersSeries[] = [
  {
    key: { outcome: 'sent', channel: 'sms' },
    total: 5,
    points: [
      { at: '2026-03-01T10:00:00Z', n: 2 },
      { at: '2026-03-01T12:00:00Z', n: 3 },
    ],
  },
  { key: { outcome: 'sent', channel: 'email' }, total: 4, points: [{ at: '2026-03-01T12:00:00Z', n: 4 }] },
  { key: { outcome: 'failed', channel: 'sms' }, total: 1, points: [{ at: '2026-03-01T11:00:00Z', n: 1 }] },
]

test('a chart has every step of its time, also those in which nothing happened', () => {
  const buckets = bucketsOf(numbers)
  expect(buckets.map((seconds) => new Date(seconds * 1000).getUTCHours())).toEqual([10, 11, 12])
  expect(bucketsOf({ ...numbers, to: numbers.from })).toHaveLength(1)
  expect(bucketsOf({ ...numbers, to: '2026-03-01T12:30:00Z' })).toHaveLength(3)
})

test('its values are the sums of the series of one outcome', () => {
  const buckets = bucketsOf(numbers)
  expect(valuesOf(buckets, series, 'sent')).toEqual([2, 0, 7])
  expect(valuesOf(buckets, series, 'failed')).toEqual([0, 1, 0])
  expect(totalOf(series, 'sent')).toBe(9)
  expect(totalOf(series, 'skipped')).toBe(0)
})
