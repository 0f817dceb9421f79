import { describe, expect, test } from 'vitest'
import { addAmount, isCron, nextCron, nextTimed, readTime, type TimedRule } from './next-time.ts'

const berlin = 'Europe/Berlin'
const newYork = 'America/New_York'
const lordHowe = 'Australia/Lord_Howe'

describe('cron', () => {
  test.each([
    ['by the clocks of the zone', '0 9 * * *', berlin, '2026-06-15T06:00:00Z', '2026-06-15T07:00:00Z'],
    ['later than now, not now', '0 9 * * *', berlin, '2026-06-15T07:00:00Z', '2026-06-16T07:00:00Z'],
    ['a millisecond before', '0 9 * * *', berlin, '2026-06-15T06:59:59.999Z', '2026-06-15T07:00:00Z'],
    ['a millisecond after', '0 9 * * *', berlin, '2026-06-15T07:00:00.001Z', '2026-06-16T07:00:00Z'],
    ['weekdays, over a weekend', '30 8 * * 1-5', newYork, '2026-06-19T20:00:00Z', '2026-06-22T12:30:00Z'],
    ['the 31st', '0 0 31 * *', 'UTC', '2026-03-31T00:00:00Z', '2026-05-31T00:00:00Z'],
    ['29 February', '0 0 29 2 *', 'UTC', '2026-01-01T00:00:00Z', '2028-02-29T00:00:00Z'],
    ['+05:45', '0 9 * * *', 'Asia/Kathmandu', '2026-06-15T00:00:00Z', '2026-06-15T03:15:00Z'],
    ['in a gap: the first moment after', '30 2 * * *', berlin, '2026-03-29T00:00:00Z', '2026-03-29T01:00:00Z'],
    ['and once only', '30 2 * * *', berlin, '2026-03-29T01:00:00Z', '2026-03-30T00:30:00Z'],
    ['over a gap', '0 9 * * *', berlin, '2026-03-28T08:00:00Z', '2026-03-29T07:00:00Z'],
    ['in an overlap: the first', '30 2 * * *', berlin, '2026-10-25T00:00:00Z', '2026-10-25T00:30:00Z'],
    ['not the second', '30 2 * * *', berlin, '2026-10-25T00:30:00Z', '2026-10-26T01:30:00Z'],
    ['asked between the two', '30 2 * * *', berlin, '2026-10-25T01:10:00Z', '2026-10-26T01:30:00Z'],
    ['every minute, in the second hour', '* * * * *', berlin, '2026-10-25T01:10:00Z', '2026-10-25T02:00:00Z'],
    ['every second, in the second hour', '* * * * * *', berlin, '2026-10-25T01:00:10Z', '2026-10-25T02:00:00Z'],
    ['New York, gap', '30 2 * * *', newYork, '2026-03-08T05:00:00Z', '2026-03-08T07:00:00Z'],
    ['New York, overlap', '30 1 * * *', newYork, '2026-11-01T04:00:00Z', '2026-11-01T05:30:00Z'],
    ['Lord Howe, gap', '15 2 * * *', lordHowe, '2026-10-03T15:00:00Z', '2026-10-03T15:30:00Z'],
    ['Lord Howe, overlap', '45 1 * * *', lordHowe, '2026-04-04T14:00:00Z', '2026-04-04T14:45:00Z'],
  ])('%s (%s, %s)', (_what, expression, zone, after, expected) => {
    expect(nextCron(expression, new Date(after), zone)).toEqual(new Date(expected))
  })

  test('what never comes', () => {
    expect(nextCron('0 0 30 2 *', new Date('2026-01-01T00:00:00Z'), 'UTC')).toBeNull()
    expect(isCron('0 0 30 2 *')).toBe(false)
  })

  test('what is no expression', () => {
    for (const text of ['', 'daily', '* * *', '61 * * * *', '0 9 * * mon-fry']) expect(isCron(text), text).toBe(false)
    for (const text of ['0 9 * * 1-5', '*/5 * * * *', '0 0 L * *']) expect(isCron(text), text).toBe(true)
  })
})

/** `on('2', 'tuesday')`: the second Tuesday of the month. */
function on(ordinal: string, ordinalValue: string): TimedRule {
  return { unit: 'months', monthlyType: 'on', ordinal, ordinalValue }
}

describe('timed', () => {
  const cases: [what: string, rule: TimedRule, zone: string, after: string, expected: string | null][] = [
    ['daily', { unit: 'days', amount: 1, atTime: '09:00' }, berlin, '2026-06-15T06:00:00Z', '2026-06-15T07:00:00Z'],
    ['daily, just now', { unit: 'days', atTime: '09:00' }, berlin, '2026-06-15T07:00:00Z', '2026-06-16T07:00:00Z'],
    ['midnight unless said', { unit: 'days' }, berlin, '2026-06-15T06:00:00Z', '2026-06-15T22:00:00Z'],
    ['5:15 PM', { unit: 'days', atTime: '5:15 PM' }, 'UTC', '2026-06-15T06:00:00Z', '2026-06-15T17:15:00Z'],
    ['at a time in a gap', { unit: 'days', atTime: '02:30' }, berlin, '2026-03-28T12:00:00Z', '2026-03-29T01:00:00Z'],
    ['after it', { unit: 'days', atTime: '02:30' }, berlin, '2026-03-29T01:00:00Z', '2026-03-30T00:30:00Z'],
    [
      'at a time shown twice',
      { unit: 'days', atTime: '02:30' },
      berlin,
      '2026-10-24T12:00:00Z',
      '2026-10-25T00:30:00Z',
    ],
    ['not the second', { unit: 'days', atTime: '02:30' }, berlin, '2026-10-25T00:30:00Z', '2026-10-26T01:30:00Z'],
    ['Lord Howe, gap', { unit: 'days', atTime: '02:15' }, lordHowe, '2026-10-03T13:00:00Z', '2026-10-03T15:30:00Z'],
    // Mondays: 2026-06-15, 22, 29. Weeks are counted from Monday, 1969-12-29.
    [
      'Mondays',
      { unit: 'weeks', weekDays: ['monday'], atTime: '09:00' },
      'UTC',
      '2026-06-15T09:00:00Z',
      '2026-06-22T09:00:00Z',
    ],
    [
      'two days a week',
      { unit: 'weeks', weekDays: ['monday', 'thursday'] },
      'UTC',
      '2026-06-15T00:00:00Z',
      '2026-06-18T00:00:00Z',
    ],
    ['a week begins on Monday', { unit: 'weeks' }, 'UTC', '2026-06-17T00:00:00Z', '2026-06-22T00:00:00Z'],
    [
      'every 2 weeks',
      { unit: 'weeks', amount: 2, weekDays: ['monday'] },
      'UTC',
      '2026-06-15T00:00:00Z',
      '2026-06-29T00:00:00Z',
    ],
    [
      'every 2 weeks, the days of one week',
      { unit: 'weeks', amount: 2, weekDays: ['monday', 'sunday'] },
      'UTC',
      '2026-06-15T00:00:00Z',
      '2026-06-21T00:00:00Z',
    ],
    [
      'every 2 weeks, over both',
      { unit: 'weeks', amount: 2, weekDays: ['monday', 'sunday'] },
      'UTC',
      '2026-06-21T00:00:00Z',
      '2026-06-29T00:00:00Z',
    ],
    [
      'days of the week without a unit',
      { weekDays: ['friday'] },
      'UTC',
      '2026-06-15T00:00:00Z',
      '2026-06-19T00:00:00Z',
    ],
    ['every 2 days keeps to them', { unit: 'days', amount: 2 }, 'UTC', '2026-06-15T00:00:00Z', '2026-06-16T00:00:00Z'],
    ['and again', { unit: 'days', amount: 2 }, 'UTC', '2026-06-16T00:00:00Z', '2026-06-18T00:00:00Z'],
    [
      'every day that is a weekday named',
      { unit: 'days', weekDays: ['friday'] },
      'UTC',
      '2026-06-15T00:00:00Z',
      '2026-06-19T00:00:00Z',
    ],
    [
      'every 2 days, on days named, is not every 2 weeks',
      { unit: 'days', amount: 2, weekDays: ['monday', 'tuesday'] },
      'UTC',
      '2026-06-15T00:00:00Z',
      '2026-06-16T00:00:00Z',
    ],
    [
      'the unit goes before a monthly type left in',
      { unit: 'weeks', weekDays: ['monday'], monthlyType: 'each' },
      'UTC',
      '2026-06-15T00:00:00Z',
      '2026-06-22T00:00:00Z',
    ],
    // Months.
    ['the first, unless said', { unit: 'months' }, 'UTC', '2026-06-15T00:00:00Z', '2026-07-01T00:00:00Z'],
    ['the 15th', { unit: 'months', monthDays: ['15'] }, 'UTC', '2026-06-15T00:00:00Z', '2026-07-15T00:00:00Z'],
    [
      'numbers, as in the activity',
      { unit: 'months', monthDays: [1, 20] },
      'UTC',
      '2026-06-15T00:00:00Z',
      '2026-06-20T00:00:00Z',
    ],
    [
      'the 31st of April is the 30th',
      { unit: 'months', monthDays: ['31'] },
      'UTC',
      '2026-03-31T00:00:00Z',
      '2026-04-30T00:00:00Z',
    ],
    [
      'the 31st of February',
      { unit: 'months', monthDays: ['31'] },
      'UTC',
      '2026-01-31T00:00:00Z',
      '2026-02-28T00:00:00Z',
    ],
    [
      'the 29th of February in a leap year',
      { unit: 'months', monthDays: ['29'] },
      'UTC',
      '2028-01-29T00:00:00Z',
      '2028-02-29T00:00:00Z',
    ],
    [
      'the 30th and 31st of February are one day',
      { unit: 'months', monthDays: ['30', '31'] },
      'UTC',
      '2028-02-29T00:00:00Z',
      '2028-03-30T00:00:00Z',
    ],
    [
      'every 3 months: January, April, July',
      { unit: 'months', amount: 3, monthDays: ['1'] },
      'UTC',
      '2026-04-01T00:00:00Z',
      '2026-07-01T00:00:00Z',
    ],
    ['every 12 months', { unit: 'months', amount: 12 }, 'UTC', '2026-06-15T00:00:00Z', '2027-01-01T00:00:00Z'],
    ['the second Tuesday', on('2', 'tuesday'), 'UTC', '2026-06-01T00:00:00Z', '2026-06-09T00:00:00Z'],
    ['the second Tuesday of next month', on('2', 'tuesday'), 'UTC', '2026-06-09T00:00:00Z', '2026-07-14T00:00:00Z'],
    [
      'the last weekday: the 31st is a Sunday',
      on('last', 'weekday'),
      'UTC',
      '2026-05-01T00:00:00Z',
      '2026-05-29T00:00:00Z',
    ],
    [
      'the last weekday: the 30th is a Tuesday',
      on('last', 'weekday'),
      'UTC',
      '2026-06-01T00:00:00Z',
      '2026-06-30T00:00:00Z',
    ],
    ['the last day', on('last', 'day'), 'UTC', '2028-02-01T00:00:00Z', '2028-02-29T00:00:00Z'],
    ['the first weekend day', on('1', 'weekend'), 'UTC', '2026-06-01T00:00:00Z', '2026-06-06T00:00:00Z'],
    [
      'the last Friday',
      { unit: 'months', ordinal: 'last', ordinalValue: 'friday' },
      'UTC',
      '2026-06-01T00:00:00Z',
      '2026-06-26T00:00:00Z',
    ],
    [
      'a fifth Friday waits for a month that has one',
      on('5', 'friday'),
      'UTC',
      '2026-06-01T00:00:00Z',
      '2026-07-31T00:00:00Z',
    ],
    [
      '`each` goes before an ordinal left in',
      { unit: 'months', monthlyType: 'each', monthDays: ['10'], ordinal: 'last' },
      'UTC',
      '2026-06-01T00:00:00Z',
      '2026-06-10T00:00:00Z',
    ],
    [
      'the last weekday, in New York at night',
      { unit: 'months', monthlyType: 'on', ordinal: 'last', ordinalValue: 'weekday', atTime: '23:00' },
      newYork,
      '2026-06-30T12:00:00Z',
      '2026-07-01T03:00:00Z',
    ],
    [
      'month end in Kathmandu',
      { unit: 'months', monthDays: ['31'], atTime: '09:00' },
      'Asia/Kathmandu',
      '2026-06-30T00:00:00Z',
      '2026-06-30T03:15:00Z',
    ],
    ['a day no month has', { unit: 'months', monthDays: ['0'] }, 'UTC', '2026-06-30T00:00:00Z', null],
  ]
  test.each(cases)('%s', (_what, rule, zone, after, expected) => {
    expect(nextTimed(rule, new Date(after), zone)).toEqual(expected && new Date(expected))
  })

  test.each([
    ['09:00', 9, 0],
    ['9', 9, 0],
    ['23:59', 23, 59],
    ['12:00 AM', 0, 0],
    ['12:00 PM', 12, 0],
    ['5:15pm', 17, 15],
    ['18:00 PM', 18, 0],
    [undefined, 0, 0],
    ['noon', 0, 0],
    ['25:00', 0, 0],
    ['10:75', 0, 0],
  ])('the time %s', (text, hour, minute) => {
    expect(readTime(text)).toEqual([hour, minute])
  })
})

describe('so much later', () => {
  test.each([
    ['seconds', 90, 'seconds', berlin, '2026-06-15T07:00:00.123Z', '2026-06-15T07:01:30.123Z'],
    ['hours are hours, over a change', 24, 'hours', berlin, '2026-03-28T09:00:00Z', '2026-03-29T09:00:00Z'],
    ['a day over spring has 23', 1, 'days', berlin, '2026-03-28T09:00:00Z', '2026-03-29T08:00:00Z'],
    ['a day over autumn has 25', 1, 'days', berlin, '2026-10-24T09:00:00Z', '2026-10-25T10:00:00Z'],
    ['a day into the gap', 1, 'days', berlin, '2026-03-28T01:30:00.500Z', '2026-03-29T01:00:00.500Z'],
    ['a day into the overlap', 1, 'days', berlin, '2026-10-24T00:30:00Z', '2026-10-25T00:30:00Z'],
    ['a week, New York', 1, 'weeks', newYork, '2026-03-04T17:00:00Z', '2026-03-11T16:00:00Z'],
    ['Lord Howe', 1, 'days', lordHowe, '2026-10-03T01:30:00Z', '2026-10-04T01:00:00Z'],
    ['a month', 1, 'months', 'UTC', '2026-06-15T07:00:00Z', '2026-07-15T07:00:00Z'],
    ['31 January and a month', 1, 'months', 'UTC', '2026-01-31T07:00:00Z', '2026-02-28T07:00:00Z'],
    ['31 January and a month in a leap year', 1, 'months', 'UTC', '2028-01-31T07:00:00Z', '2028-02-29T07:00:00Z'],
    ['29 February and a year', 12, 'months', 'UTC', '2028-02-29T07:00:00Z', '2029-02-28T07:00:00Z'],
    ['over new year', 2, 'months', 'UTC', '2026-12-31T07:00:00Z', '2027-02-28T07:00:00Z'],
    ['11 months from January is December', 11, 'months', 'UTC', '2026-01-05T07:00:00Z', '2026-12-05T07:00:00Z'],
    ['a month by the clocks of the zone', 1, 'months', berlin, '2026-03-15T08:00:00Z', '2026-04-15T07:00:00Z'],
    [
      'the end of a month that is another one in Greenwich',
      1,
      'months',
      'Asia/Tokyo',
      '2026-01-30T15:30:00Z',
      '2026-02-27T15:30:00Z',
    ],
    ['366 days', 366, 'days', berlin, '2026-06-15T07:00:00Z', '2027-06-16T07:00:00Z'],
  ])('%s (%d %s)', (_what, amount, unit, zone, from, expected) => {
    expect(addAmount(new Date(from), amount, unit, zone)).toEqual(new Date(expected))
  })
})
