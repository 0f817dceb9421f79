import { Cron } from 'croner'
import { asUtc, daysInMonth, fromUtc, type LocalTime, toInstant, toLocal } from '../../lib/zoned-time.ts'

export const weekDays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const
export type WeekDay = (typeof weekDays)[number]

/** Spec 2.11, timed config with unit and amount: every so many days, weeks or months, on these days at this time. */
export type TimedRule = {
  unit?: string
  amount?: number
  atTime?: string
  weekDays?: readonly string[]
  monthDays?: readonly (string | number)[]
  ordinal?: string
  ordinalValue?: string
  monthlyType?: string
}

const dayMs = 86_400_000
const minuteMs = 60_000
// Five years: long enough for every rule that comes round regularly, also over 29 February.
const searchDays = 366 * 5

// A rule about 29 February may have to wait this long: 2100 is no leap year.
const searchYears = 8
const longestCron = 200
// Amounts come from payloads, too: dates end a little later, and the arithmetic with them throws.
const farthestMs = 4e15
// Whether an expression ever comes true does not depend on when one asks.
const anyDay = new Date('2027-01-01T00:00:00Z')

const partsOf = (expression: string) => expression.trim().split(/\s+/)

/**
 * Read in UTC. Croner looks for a day that never comes until the year 10,000, so the years are given where the
 * expression has none. Throws if it is not valid.
 */
function readCron(expression: string, after: Date): Cron {
  const parts = partsOf(expression)
  const options = { timezone: 'UTC', paused: true } as const
  if (parts.length !== 5 && parts.length !== 6) return new Cron(expression, options)
  const year = after.getUTCFullYear()
  const seconds = parts.length === 5 ? ['0'] : []
  return new Cron([...seconds, ...parts, `${year}-${year + searchYears}`].join(' '), options)
}

/** The next time of a cron expression in a zone, later than `after`. Null: never. */
export function nextCron(expression: string, after: Date, zone: string): Date | null {
  const cron = readCron(expression, after)
  // The expression is about wall clocks: it runs in UTC, and the result is read as a local time of the zone.
  let wall = asUtc(toLocal(after, zone))
  // A local time that the clocks skip or repeat may give a moment that has passed: then take the next.
  for (let tries = 0; tries < 200; tries++) {
    const next = cron.nextRun(new Date(wall))
    if (!next) return null
    const instant = toInstant(fromUtc(next.getTime()), zone)
    if (instant > after) return instant
    // Clocks change between minutes: the other seconds of this minute have passed too.
    wall = Math.floor(next.getTime() / minuteMs) * minuteMs + 59_000
  }
  return null
}

export function isCron(expression: string): boolean {
  // Seven parts name years: those end, and a search among them may take long.
  if (expression.length > longestCron || partsOf(expression).length > 6) return false
  try {
    return readCron(expression, anyDay).nextRun(anyDay) !== null
  } catch {
    return false
  }
}

/** The next time of a timed rule in a zone, later than `after`. */
export function nextTimed(rule: TimedRule, after: Date, zone: string): Date | null {
  const [hour, minute] = readTime(rule.atTime)
  const today = Math.floor(asUtc(toLocal(after, zone)) / dayMs)
  for (let day = today; day <= today + searchDays; day++) {
    const date = fromUtc(day * dayMs)
    if (!isDayOf(rule, date, day)) continue
    const instant = toInstant({ ...date, hour, minute, second: 0 }, zone)
    if (instant > after) return instant
  }
  return null
}

/** `9:00`, `09:30`, `5:15 PM`; midnight if absent. */
export function readTime(text: string | undefined): [hour: number, minute: number] {
  const [, hours, minutes = '0', half] =
    /^\s*(\d{1,2})(?::(\d{2}))?(?::\d{2})?(?:\s*([ap]m))?\s*$/i.exec(text ?? '') ?? []
  if (hours === undefined) return [0, 0]
  const noon = half?.toLowerCase() === 'pm' ? 12 : 0
  const hour = half ? (Number(hours) % 12) + noon : Number(hours)
  return hour < 24 && Number(minutes) < 60 ? [hour, Number(minutes)] : [0, 0]
}

/** Counted from a fixed day, so that "every second week" means the same weeks for everybody. */
function isDayOf(rule: TimedRule, date: LocalTime, day: number): boolean {
  const every = Math.max(1, Math.floor(rule.amount ?? 1))
  const isNamed = rule.weekDays?.includes(weekDayOf(day)) === true
  const hasWeekDays = (rule.weekDays?.length ?? 0) > 0
  switch (unitOf(rule)) {
    case 'months':
      return (date.year * 12 + date.month - 1) % every === 0 && isDayOfMonth(rule, date)
    case 'weeks':
      // Day 0 was a Thursday; weeks begin on Monday.
      return Math.floor((day + 3) / 7) % every === 0 && (hasWeekDays ? isNamed : weekDayOf(day) === 'monday')
    case 'days':
      return (rule.unit !== 'days' || day % every === 0) && (!hasWeekDays || isNamed)
  }
}

/** The unit decides; without one (or with hours, minutes) the named days decide. */
function unitOf({ unit, monthlyType, monthDays = [], weekDays: named = [] }: TimedRule): 'days' | 'weeks' | 'months' {
  if (unit === 'days' || unit === 'weeks' || unit === 'months') return unit
  if (monthlyType !== undefined || monthDays.length > 0) return 'months'
  return named.length > 0 ? 'weeks' : 'days'
}

function weekDayOf(day: number): WeekDay {
  return weekDays[(((day + 4) % 7) + 7) % 7] ?? 'sunday'
}

function isDayOfMonth(rule: TimedRule, date: LocalTime): boolean {
  const last = daysInMonth(date.year, date.month)
  if (rule.monthlyType === 'on' || (rule.ordinal !== undefined && rule.monthlyType !== 'each')) {
    return date.day === ordinalDay(rule, date, last)
  }
  const wanted = (rule.monthDays?.length ?? 0) > 0 ? (rule.monthDays ?? []).map(Number) : [1]
  // In a shorter month the 31st is its last day: a monthly digest comes every month.
  return wanted.some((day) => date.day === Math.min(day, last))
}

/** `second tuesday`, `last weekday`, `1 day`: the day of this month, or undefined (no fifth Friday). */
function ordinalDay(
  { ordinal = '1', ordinalValue = 'day' }: TimedRule,
  date: LocalTime,
  last: number,
): number | undefined {
  const days = Array.from({ length: last }, (_, n) => n + 1).filter((day) => {
    const weekDay = weekDayOf(Math.floor(Date.UTC(date.year, date.month - 1, day) / dayMs))
    const isWeekend = weekDay === 'saturday' || weekDay === 'sunday'
    if (ordinalValue === 'day') return true
    if (ordinalValue === 'weekday') return !isWeekend
    return ordinalValue === 'weekend' ? isWeekend : weekDay === ordinalValue
  })
  return ordinal === 'last' ? days.at(-1) : days[Number(ordinal) - 1]
}

const unitMs: Record<string, number> = {
  seconds: 1_000,
  minutes: 60_000,
  hours: 3_600_000,
  days: dayMs,
  weeks: 7 * dayMs,
}

/** Days and longer units keep the local time: a day in which the clocks change has 23 or 25 hours. */
export function addAmount(from: Date, amount: number, unit: string, zone: string): Date {
  if (!(Math.abs(amount) * (unitMs[unit] ?? 31 * dayMs) < farthestMs)) return new Date(Number.NaN)
  if (unit === 'seconds' || unit === 'minutes' || unit === 'hours') {
    return new Date(from.getTime() + amount * (unitMs[unit] ?? 0))
  }
  const local = toLocal(from, zone)
  const milliseconds = from.getTime() % 1000
  if (unit !== 'months') {
    const shifted = fromUtc(asUtc(local) + amount * (unitMs[unit] ?? dayMs))
    return new Date(toInstant(shifted, zone).getTime() + milliseconds)
  }
  const month = local.year * 12 + local.month - 1 + amount
  const [year, of] = [Math.floor(month / 12), (month % 12) + 1]
  const day = Math.min(local.day, daysInMonth(year, of))
  return new Date(toInstant({ ...local, year, month: of, day }, zone).getTime() + milliseconds)
}
