import { describe, expect, test } from 'vitest'
import { asUtc, daysInMonth, fromUtc, isTimezone, type LocalTime, toInstant, toLocal, zoneOrUtc } from './zoned-time.ts'

/** `2026-03-29 02:30` or with seconds. */
function local(text: string): LocalTime {
  return fromUtc(Date.parse(`${text.replace(' ', 'T')}Z`))
}

const berlin = 'Europe/Berlin'
const newYork = 'America/New_York'
const lordHowe = 'Australia/Lord_Howe'

test.each([
  ['summer', berlin, '2026-07-01T10:00:00Z', '2026-07-01 12:00'],
  ['winter', berlin, '2026-01-01T10:00:00Z', '2026-01-01 11:00'],
  ['midnight is hour 0', berlin, '2026-06-30T22:00:00Z', '2026-07-01 00:00'],
  ['the last second before the gap', berlin, '2026-03-29T00:59:59Z', '2026-03-29 01:59:59'],
  ['the first second after it', berlin, '2026-03-29T01:00:00Z', '2026-03-29 03:00'],
  ['an hour shown twice, first', berlin, '2026-10-25T00:30:00Z', '2026-10-25 02:30'],
  ['an hour shown twice, second', berlin, '2026-10-25T01:30:00Z', '2026-10-25 02:30'],
  ['+05:45', 'Asia/Kathmandu', '2026-01-01T00:00:00Z', '2026-01-01 05:45'],
  ['+14', 'Pacific/Kiritimati', '2026-12-31T10:00:00Z', '2027-01-01 00:00'],
  ['-11', 'Pacific/Pago_Pago', '2026-01-01T10:59:59Z', '2025-12-31 23:59:59'],
  ['half an hour of summer', lordHowe, '2026-01-01T00:00:00Z', '2026-01-01 11:00'],
  ['its winter', lordHowe, '2026-07-01T00:00:00Z', '2026-07-01 10:30'],
  ['milliseconds are dropped', 'UTC', '2026-07-01T10:00:00.999Z', '2026-07-01 10:00'],
  ['29 February', berlin, '2028-02-28T23:30:00Z', '2028-02-29 00:30'],
  ['before 1970', 'UTC', '1969-12-31T23:59:59.500Z', '1969-12-31 23:59:59'],
])('the wall clock: %s (%s %s)', (_what, zone, instant, expected) => {
  expect(toLocal(new Date(instant), zone)).toEqual(local(expected))
})

describe('the moment of a wall clock', () => {
  test.each([
    ['summer', berlin, '2026-07-01 12:00', '2026-07-01T10:00:00Z'],
    ['winter', berlin, '2026-01-01 11:00', '2026-01-01T10:00:00Z'],
    ['Berlin, spring: before the gap', berlin, '2026-03-29 01:59:59', '2026-03-29T00:59:59Z'],
    ['Berlin, spring: the gap begins', berlin, '2026-03-29 02:00', '2026-03-29T01:00:00Z'],
    ['Berlin, spring: in the gap, the first moment after', berlin, '2026-03-29 02:30', '2026-03-29T01:00:00Z'],
    ['Berlin, spring: the last second of the gap', berlin, '2026-03-29 02:59:59', '2026-03-29T01:00:00Z'],
    ['Berlin, spring: after the gap', berlin, '2026-03-29 03:00', '2026-03-29T01:00:00Z'],
    ['Berlin, autumn: before', berlin, '2026-10-25 01:59:59', '2026-10-24T23:59:59Z'],
    ['Berlin, autumn: shown twice, the first', berlin, '2026-10-25 02:00', '2026-10-25T00:00:00Z'],
    ['Berlin, autumn: the last second of the first', berlin, '2026-10-25 02:59:59', '2026-10-25T00:59:59Z'],
    ['Berlin, autumn: after', berlin, '2026-10-25 03:00', '2026-10-25T02:00:00Z'],
    ['New York, spring: in the gap', newYork, '2026-03-08 02:30', '2026-03-08T07:00:00Z'],
    ['New York, spring: after', newYork, '2026-03-08 03:15', '2026-03-08T07:15:00Z'],
    ['New York, autumn: the first', newYork, '2026-11-01 01:30', '2026-11-01T05:30:00Z'],
    ['New York, autumn: after', newYork, '2026-11-01 02:00', '2026-11-01T07:00:00Z'],
    ['Lord Howe, spring: in the gap of 30 minutes', lordHowe, '2026-10-04 02:15', '2026-10-03T15:30:00Z'],
    ['Lord Howe, spring: after', lordHowe, '2026-10-04 02:30', '2026-10-03T15:30:00Z'],
    ['Lord Howe, autumn: the first', lordHowe, '2026-04-05 01:45', '2026-04-04T14:45:00Z'],
    ['Lord Howe, autumn: after', lordHowe, '2026-04-05 02:00', '2026-04-04T15:30:00Z'],
    ['Kathmandu', 'Asia/Kathmandu', '2026-06-15 09:00', '2026-06-15T03:15:00Z'],
    ['Santiago, midnight in the gap', 'America/Santiago', '2026-09-06 00:00', '2026-09-06T04:00:00Z'],
    ['Apia, in the day that never was', 'Pacific/Apia', '2011-12-30 12:00', '2011-12-30T10:00:00Z'],
    ['Apia, before it', 'Pacific/Apia', '2011-12-29 23:59:59', '2011-12-30T09:59:59Z'],
    ['Apia, after it', 'Pacific/Apia', '2011-12-31 00:00', '2011-12-30T10:00:00Z'],
    ['Casablanca, back for Ramadan', 'Africa/Casablanca', '2026-02-15 02:30', '2026-02-15T01:30:00Z'],
    ["Troll, two hours' summer", 'Antarctica/Troll', '2026-03-29 02:00', '2026-03-29T01:00:00Z'],
  ])('%s (%s %s)', (_what, zone, text, expected) => {
    expect(toInstant(local(text), zone)).toEqual(new Date(expected))
  })

  test('every wall clock of a year gives a moment that shows it, but for those in a gap; and never an earlier one later', () => {
    for (const zone of [berlin, newYork, lordHowe, 'Africa/Casablanca', 'Antarctica/Troll']) {
      let last = 0
      for (let ms = Date.UTC(2026, 0, 1); ms < Date.UTC(2027, 0, 1); ms += 45 * 60_000) {
        const instant = toInstant(fromUtc(ms), zone)
        const off = asUtc(toLocal(instant, zone)) - ms
        // In a gap the result is its end, two hours later at most.
        if (off < 0 || off > 2 * 3_600_000 || instant.getTime() < last)
          throw new Error(`${zone} ${new Date(ms).toISOString()}`)
        last = instant.getTime()
      }
    }
  })
})

describe('isTimezone', () => {
  test.each([
    'UTC',
    'GMT',
    'Europe/Berlin',
    'America/Argentina/ComodRivadavia',
    'America/Port-au-Prince',
    'Asia/Calcutta',
    'Asia/Kolkata',
    'Etc/GMT+12',
    'Etc/GMT-14',
    'EST5EDT',
    'Asia/Kathmandu',
    'europe/berlin',
  ])('takes %s', (text) => expect(isTimezone(text)).toBe(true))

  test.each([
    '',
    ' ',
    'Mars/Olympus',
    'Berlin/Europe',
    'Europe',
    'Europe/',
    'Europe/Berlin ',
    ' Europe/Berlin',
    'Europe/Berlin\n',
    '+02:00',
    '-0500',
    '+02',
    '02:00',
    'UTC+2',
    'Etc/GMT+15',
    'local',
    '../etc/passwd',
  ])('refuses %j', (text) => expect(isTimezone(text)).toBe(false))
})

test('a zone that nobody knows is read as UTC', () => {
  expect([berlin, 'Mars/Olympus', '+02:00', '', null, undefined, 7].map(zoneOrUtc)).toEqual([
    berlin,
    ...Array(6).fill('UTC'),
  ])
})

test('days of months', () => {
  expect([1, 2, 4, 12].map((month) => daysInMonth(2026, month))).toEqual([31, 28, 30, 31])
  expect([2024, 2028, 2000, 2100].map((year) => daysInMonth(year, 2))).toEqual([29, 29, 29, 28])
})
