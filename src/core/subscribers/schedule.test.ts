import { describe, expect, test } from 'vitest'
import { toLocal } from '../../lib/zoned-time.ts'
import { type WeekDay, weekDays } from '../workflows/next-time.ts'
import { nextOpening, type Schedule, scheduleFaults } from './schedule.ts'

/** `mon 09:00-17:00, tue 08:00-10:00, tue 13:00-17:00`; `daily` and `work` for all days and Monday to Friday. */
function weekly(text: string): Schedule {
  const weeklySchedule: NonNullable<Schedule['weeklySchedule']> = {}
  for (const part of text.split(', ').filter(Boolean)) {
    const [days = '', range = ''] = part.split(' ')
    const [start = '', end = ''] = range.split('-')
    for (const name of weekDays.filter((name) => isOf(days, name))) {
      weeklySchedule[name] ??= { isEnabled: true, hours: [] }
      weeklySchedule[name].hours?.push({ start, end })
    }
  }
  return { isEnabled: true, weeklySchedule }
}

function isOf(days: string, name: WeekDay): boolean {
  if (days === 'daily') return true
  return days === 'work' ? name !== 'saturday' && name !== 'sunday' : name.startsWith(days)
}

const office = 'work 09:00-17:00'

/** Zone, schedule, the moment, the next opening; `open` is now. Times are UTC. */
const cases: [what: string, zone: string | null, schedule: string, at: string, opens: string][] = [
  // Plain weeks. 2026-06-15 is a Monday.
  ['before the window', 'UTC', office, '2026-06-15T08:59:59.999Z', '2026-06-15T09:00:00Z'],
  ['the start belongs to it', 'UTC', office, '2026-06-15T09:00:00Z', 'open'],
  ['within', 'UTC', office, '2026-06-15T12:00:00Z', 'open'],
  ['its last millisecond', 'UTC', office, '2026-06-15T16:59:59.999Z', 'open'],
  ['the end does not belong to it', 'UTC', office, '2026-06-15T17:00:00Z', '2026-06-16T09:00:00Z'],
  ['over a weekend', 'UTC', office, '2026-06-19T17:00:00Z', '2026-06-22T09:00:00Z'],
  ['no zone is UTC', null, office, '2026-06-15T08:00:00Z', '2026-06-15T09:00:00Z'],
  ['a zone nobody knows is UTC', 'Mars/Olympus', office, '2026-06-15T08:00:00Z', '2026-06-15T09:00:00Z'],
  ['one window a week, just missed', 'UTC', 'mon 09:00-10:00', '2026-06-15T10:00:00Z', '2026-06-22T09:00:00Z'],
  [
    'between two windows of a day',
    'UTC',
    'mon 13:00-17:00, mon 08:00-10:00',
    '2026-06-15T11:00:00Z',
    '2026-06-15T13:00:00Z',
  ],
  ['windows that overlap', 'UTC', 'mon 08:00-10:00, mon 09:00-12:00', '2026-06-15T11:00:00Z', 'open'],
  ['a window inside another', 'UTC', 'mon 08:00-12:00, mon 09:00-10:00', '2026-06-15T11:00:00Z', 'open'],
  ['windows that touch', 'UTC', 'mon 08:00-10:00, mon 10:00-12:00', '2026-06-15T10:00:00Z', 'open'],
  // Midnight.
  ['across midnight, before', 'UTC', 'mon 22:00-02:00', '2026-06-15T23:30:00Z', 'open'],
  ['across midnight, after: a closed day', 'UTC', 'mon 22:00-02:00', '2026-06-16T01:59:59Z', 'open'],
  ['across midnight, over', 'UTC', 'mon 22:00-02:00', '2026-06-16T02:00:00Z', '2026-06-22T22:00:00Z'],
  ['it belongs to the day it starts on', 'UTC', 'mon 22:00-02:00', '2026-06-15T01:00:00Z', '2026-06-15T22:00:00Z'],
  ['across midnight and the end of the week', 'UTC', 'sun 22:00-06:00', '2026-06-22T05:00:00Z', 'open'],
  ['until midnight, then from midnight', 'UTC', 'mon 20:00-24:00, tue 00:00-04:00', '2026-06-16T00:00:00Z', 'open'],
  ['12:00 AM as an end', 'UTC', 'mon 08:00PM-12:00AM', '2026-06-16T00:00:00Z', '2026-06-22T20:00:00Z'],
  ['11:59 PM is the end of the day', 'UTC', 'mon 08:00PM-11:59PM', '2026-06-15T23:59:30Z', 'open'],
  ['the same time twice is a day', 'UTC', 'mon 09:00-09:00', '2026-06-16T08:59:00Z', 'open'],
  ['all day, every day', 'UTC', 'daily 00:00-24:00', '2026-06-16T00:00:00Z', 'open'],
  // Zones. Their day is not the day in Greenwich.
  ['Kathmandu, +05:45', 'Asia/Kathmandu', 'daily 09:00-17:00', '2026-06-15T03:14:59Z', '2026-06-15T03:15:00Z'],
  ['Kathmandu, evening', 'Asia/Kathmandu', 'daily 09:00-17:00', '2026-06-15T11:15:00Z', '2026-06-16T03:15:00Z'],
  ['Kathmandu, already Monday', 'Asia/Kathmandu', 'mon 00:00-01:00', '2026-06-14T18:15:00Z', 'open'],
  ['Honolulu, still Sunday', 'Pacific/Honolulu', 'mon 09:00-17:00', '2026-06-15T05:00:00Z', '2026-06-15T19:00:00Z'],
  ['Kiritimati, +14', 'Pacific/Kiritimati', 'mon 09:00-17:00', '2026-06-14T18:00:00Z', '2026-06-14T19:00:00Z'],
  ['Chatham, +12:45', 'Pacific/Chatham', 'mon 09:00-17:00', '2026-06-14T20:00:00Z', '2026-06-14T20:15:00Z'],
  // Europe: 2026-03-29 02:00 → 03:00, 2026-10-25 03:00 → 02:00.
  [
    'Berlin, over the change in spring',
    'Europe/Berlin',
    'daily 09:00-17:00',
    '2026-03-28T17:00:00Z',
    '2026-03-29T07:00:00Z',
  ],
  ['Berlin, a start in the gap', 'Europe/Berlin', 'sun 02:30-05:00', '2026-03-29T00:00:00Z', '2026-03-29T01:00:00Z'],
  ['Berlin, an end in the gap', 'Europe/Berlin', 'sun 01:00-02:30', '2026-03-29T00:59:59Z', 'open'],
  ['Berlin, ended by the gap', 'Europe/Berlin', 'sun 01:00-02:30', '2026-03-29T01:00:00Z', '2026-04-04T23:00:00Z'],
  [
    'Berlin, a window the clocks skip',
    'Europe/Berlin',
    'sun 02:00-03:00',
    '2026-03-29T00:00:00Z',
    '2026-04-05T00:00:00Z',
  ],
  [
    'Berlin, the same, asked the day before',
    'Europe/Berlin',
    'sun 02:15-02:45',
    '2026-03-28T12:00:00Z',
    '2026-04-05T00:15:00Z',
  ],
  [
    'Berlin, over the change in autumn',
    'Europe/Berlin',
    'daily 09:00-17:00',
    '2026-10-24T15:00:00Z',
    '2026-10-25T08:00:00Z',
  ],
  [
    'Berlin, shown twice: the first',
    'Europe/Berlin',
    'sun 02:30-04:00',
    '2026-10-25T00:00:00Z',
    '2026-10-25T00:30:00Z',
  ],
  ['Berlin, shown twice: still open at the second', 'Europe/Berlin', 'sun 02:30-04:00', '2026-10-25T01:10:00Z', 'open'],
  [
    'Berlin, an end shown twice: the first',
    'Europe/Berlin',
    'sun 01:00-02:30',
    '2026-10-25T00:30:00Z',
    '2026-11-01T00:00:00Z',
  ],
  ['Berlin, midnight to midnight has 25 hours', 'Europe/Berlin', 'sun 00:00-24:00', '2026-10-25T22:59:59Z', 'open'],
  // America: 2026-03-08 02:00 → 03:00, 2026-11-01 02:00 → 01:00.
  [
    'New York, a start in the gap',
    'America/New_York',
    'sun 02:30-06:00',
    '2026-03-08T06:00:00Z',
    '2026-03-08T07:00:00Z',
  ],
  [
    'New York, over the change in spring',
    'America/New_York',
    'daily 09:00-17:00',
    '2026-03-07T22:00:00Z',
    '2026-03-08T13:00:00Z',
  ],
  [
    'New York, shown twice: the first',
    'America/New_York',
    'sun 01:30-03:00',
    '2026-11-01T05:00:00Z',
    '2026-11-01T05:30:00Z',
  ],
  [
    'New York, over the change in autumn',
    'America/New_York',
    'daily 09:00-17:00',
    '2026-10-31T21:00:00Z',
    '2026-11-01T14:00:00Z',
  ],
  ['New York, across midnight into the gap', 'America/New_York', 'sat 22:00-02:30', '2026-03-08T06:59:59Z', 'open'],
  [
    'New York, across midnight, ended by the gap',
    'America/New_York',
    'sat 22:00-02:30',
    '2026-03-08T07:00:00Z',
    '2026-03-15T02:00:00Z',
  ],
  // Midnight itself is skipped: Santiago 2026-09-06 00:00 → 01:00.
  [
    'Santiago, midnight in the gap',
    'America/Santiago',
    'sun 00:00-06:00',
    '2026-09-06T03:00:00Z',
    '2026-09-06T04:00:00Z',
  ],
  // Lord Howe moves by 30 minutes: 2026-10-04 02:00 → 02:30, 2026-04-05 02:00 → 01:30.
  [
    'Lord Howe, a start in the gap',
    'Australia/Lord_Howe',
    'sun 02:15-05:00',
    '2026-10-03T15:00:00Z',
    '2026-10-03T15:30:00Z',
  ],
  [
    'Lord Howe, after the gap',
    'Australia/Lord_Howe',
    'sun 02:30-05:00',
    '2026-10-03T15:29:59Z',
    '2026-10-03T15:30:00Z',
  ],
  [
    'Lord Howe, shown twice: the first',
    'Australia/Lord_Howe',
    'sun 01:45-05:00',
    '2026-04-04T14:00:00Z',
    '2026-04-04T14:45:00Z',
  ],
  [
    'Lord Howe, over the change in autumn',
    'Australia/Lord_Howe',
    'sun 09:00-17:00',
    '2026-04-04T14:00:00Z',
    '2026-04-04T22:30:00Z',
  ],
  // A day that never was: Apia had no 2011-12-30, a Friday.
  ['Apia, a day skipped', 'Pacific/Apia', 'fri 09:00-17:00', '2011-12-30T05:00:00Z', '2012-01-05T19:00:00Z'],
  // Ends of months and years.
  ['the end of a month', 'Europe/Berlin', 'daily 09:00-17:00', '2026-04-30T20:00:00Z', '2026-05-01T07:00:00Z'],
  ['28 February', 'Europe/Berlin', 'daily 09:00-17:00', '2027-02-28T20:00:00Z', '2027-03-01T08:00:00Z'],
  ['29 February', 'Europe/Berlin', 'daily 09:00-17:00', '2028-02-28T20:00:00Z', '2028-02-29T08:00:00Z'],
  ['new year, across midnight', 'Asia/Tokyo', 'thu 22:00-03:00', '2026-12-31T17:30:00Z', 'open'],
  ['new year', 'Asia/Tokyo', 'fri 09:00-17:00', '2026-12-31T20:00:00Z', '2027-01-01T00:00:00Z'],
]

describe('the next opening', () => {
  test.each(cases)('%s (%s, %s at %s: %s)', (_what, zone, schedule, at, opens) => {
    const found = nextOpening(weekly(schedule), new Date(at), zone)
    expect(found?.toISOString() ?? 'open').toBe(opens === 'open' ? opens : new Date(opens).toISOString())
  })

  test('there are at least 40 cases', () => {
    expect(cases.length).toBeGreaterThanOrEqual(40)
  })

  test('a zone that changed while somebody waited: the same moment is closed in one and open in the other', () => {
    const at = new Date('2026-06-15T07:30:00Z')
    expect(nextOpening(weekly(office), at, 'America/New_York')).toEqual(new Date('2026-06-15T13:00:00Z'))
    expect(nextOpening(weekly(office), at, 'Europe/Berlin')).toBeNull()
  })
})

describe('no schedule is never "closed for ever"', () => {
  const at = new Date('2026-06-15T03:00:00Z')
  const closed = { isEnabled: false, hours: [{ start: '09:00', end: '17:00' }] }
  test.each<[string, Schedule | null | undefined]>([
    ['none', undefined],
    ['null', null],
    ['switched off', { ...weekly(office), isEnabled: false }],
    ['no week', { isEnabled: true }],
    ['no days', { isEnabled: true, weeklySchedule: {} }],
    ['days without hours', { isEnabled: true, weeklySchedule: { monday: { isEnabled: true } } }],
    ['empty hours', { isEnabled: true, weeklySchedule: { monday: { isEnabled: true, hours: [] } } }],
    ['every day switched off', { isEnabled: true, weeklySchedule: { monday: closed, tuesday: closed } }],
  ])('%s', (_what, schedule) => {
    expect(nextOpening(schedule, at, 'Europe/Berlin')).toBeNull()
  })

  test('a day without windows is closed as long as another has one', () => {
    const schedule = weekly('tue 09:00-17:00')
    schedule.weeklySchedule = { ...schedule.weeklySchedule, monday: closed }
    expect(nextOpening(schedule, new Date('2026-06-15T12:00:00Z'), 'UTC')).toEqual(new Date('2026-06-16T09:00:00Z'))
  })
})

test('over a year it agrees with reading the clock on the wall', () => {
  const schedule = weekly('work 09:00-17:00, sat 22:00-02:00')
  for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu']) {
    for (let ms = Date.UTC(2026, 0, 1); ms < Date.UTC(2027, 0, 1); ms += 97 * 60_000) {
      const at = new Date(ms)
      const { year, month, day, hour } = toLocal(at, zone)
      const weekDay = new Date(Date.UTC(year, month - 1, day)).getUTCDay()
      const isOpen =
        (weekDay >= 1 && weekDay <= 5 && hour >= 9 && hour < 17) ||
        (weekDay === 6 && hour >= 22) ||
        (weekDay === 0 && hour < 2)
      const found = nextOpening(schedule, at, zone)
      if ((found === null) !== isOpen)
        throw new Error(`${zone} ${at.toISOString()}: ${found?.toISOString()}, not ${isOpen}`)
      if (found && nextOpening(schedule, found, zone) !== null)
        throw new Error(`${zone} ${found.toISOString()} is not open`)
    }
  }
})

describe('times of day', () => {
  const hours = (start: string, end: string) => ({
    isEnabled: true,
    weeklySchedule: { friday: { isEnabled: true, hours: [{ start, end }] } },
  })
  test.each(['09:00 AM', '9:00 am', '12:00 AM', '12:30 PM', '00:00', '23:59', '7:05', '18:00 PM'])(
    '%s is one',
    (time) => {
      expect(scheduleFaults(hours(time, time))).toEqual({})
    },
  )
  test.each(['', '9', 'noon', '24:01', '25:00', '12:60', '0:30 PM', '13:00 AM', '24:00 PM', '09:00:00'])(
    '%j is none',
    (time) => {
      expect(Object.keys(scheduleFaults(hours(time, '17:00')))).toEqual([
        'schedule.weeklySchedule.friday.hours.0.start',
      ])
    },
  )
  test('24:00 ends a day and starts none', () => {
    expect(scheduleFaults(hours('00:00', '24:00'))).toEqual({})
    expect(Object.keys(scheduleFaults(hours('24:00', '24:00')))).toHaveLength(1)
  })
})
