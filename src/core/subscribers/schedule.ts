import { type Static, Type } from 'typebox'
import type { FieldErrors } from '../../errors.ts'
import { fields } from '../../lib/schemas.ts'
import { asUtc, fromUtc, toInstant, toLocal, zoneOrUtc } from '../../lib/zoned-time.ts'
import type { Db, Env } from '../../store/database.ts'
import { findSchedules, type ScheduleRow } from '../../store/preferences.ts'
import { readTime, type WeekDay, weekDays } from '../workflows/next-time.ts'

// More windows than anybody's day has.
const maxWindowsPerDay = 24

const hours = fields({ start: Type.String({ maxLength: 20 }), end: Type.String({ maxLength: 20 }) })
const day = Type.Optional(
  fields({ isEnabled: Type.Boolean(), hours: Type.Optional(Type.Array(hours, { maxItems: maxWindowsPerDay })) }),
)

/** The client's shape. Times are `09:00 AM` or `09:00`. */
export const scheduleSchema = fields({
  isEnabled: Type.Boolean(),
  weeklySchedule: Type.Optional(
    fields({ monday: day, tuesday: day, wednesday: day, thursday: day, friday: day, saturday: day, sunday: day }),
  ),
})
export type Schedule = Static<typeof scheduleSchema>

/** Minutes of the day; an end past 1440 is on the next day. */
type Window = { start: number; end: number }

const dayMs = 86_400_000
const minuteMs = 60_000
const dayMinutes = 1440
// A week has every window; in the one that is searched the clocks may skip all of them, in the next they do not.
const searchDays = 15
// No clock is set back by more than three hours: a window that ended this long ago by the wall is over, without looking
// up when that was, which is what takes time here.
const clearlyOverMs = 4 * 3_600_000

/**
 * When somebody may be told something: null means now. Never "never": a schedule that is off, or has no window at all, is
 * no schedule. A window belongs to the day it starts on, also where it ends on the next. Where the clocks skip its start
 * it opens at the first moment after the gap, where they show it twice at the first.
 */
export function nextOpening(schedule: Schedule | null | undefined, at: Date, zone: string | null): Date | null {
  if (!schedule?.isEnabled) return null
  const week = weekDays.map((name) => windowsOf(schedule, name))
  if (week.every((windows) => windows.length === 0)) return null
  const known = zoneOrUtc(zone)
  const wall = asUtc(toLocal(at, known))
  const today = Math.floor(wall / dayMs)
  // From yesterday, whose last window may still be open; in the order of their starts, so that the first is the next.
  for (let date = today - 1; date <= today + searchDays; date++) {
    for (const { start, end } of week[weekDayIndex(date)] ?? []) {
      if (date * dayMs + end * minuteMs < wall - clearlyOverMs) continue
      const closes = instantOf(date, end, known)
      if (closes <= at) continue
      const opens = instantOf(date, start, known)
      // What the clocks skip as a whole never opens.
      if (opens < closes) return opens > at ? opens : null
    }
  }
  return null
}

function windowsOf({ weeklySchedule }: Schedule, name: WeekDay): Window[] {
  const of = weeklySchedule?.[name]
  if (!of?.isEnabled) return []
  return (of.hours ?? []).map(toWindow).toSorted((a, b) => a.start - b.start || b.end - a.end)
}

function toWindow({ start, end }: { start: string; end: string }): Window {
  const [from, given] = [minutesOf(start), minutesOf(end)]
  // The last minute that pickers offer means the end of the day.
  const until = given === dayMinutes - 1 ? dayMinutes : given
  return { start: from, end: until > from ? until : until + dayMinutes }
}

function minutesOf(text: string): number {
  if (/^\s*24:00\s*$/.test(text)) return dayMinutes
  const [hour, minute] = readTime(text)
  return hour * 60 + minute
}

/** Day 0 was a Thursday. */
function weekDayIndex(date: number): number {
  return (((date + 4) % 7) + 7) % 7
}

function instantOf(date: number, minutes: number, zone: string): Date {
  return toInstant(fromUtc(date * dayMs + minutes * minuteMs), zone)
}

// `18:00 PM` stands in the client's own manual.
const clockTime =
  /^\s*(?:(?:[01]?\d|2[0-3]):[0-5]\d|(?:0?[1-9]|1[0-2]):[0-5]\d\s*[ap]m|(?:1[3-9]|2[0-3]):[0-5]\d\s*pm)\s*$/i

/** What the schema cannot say: that times are times. */
export function scheduleFaults({ weeklySchedule }: Schedule): FieldErrors {
  const faults: FieldErrors = {}
  for (const name of weekDays) {
    for (const [index, range] of (weeklySchedule?.[name]?.hours ?? []).entries()) {
      for (const side of ['start', 'end'] as const) {
        const value = range[side]
        if (clockTime.test(value) || (side === 'end' && value.trim() === '24:00')) continue
        const messages = ['must be a time of day such as 09:00 AM or 17:30']
        faults[`schedule.weeklySchedule.${name}.hours.${index}.${side}`] = { messages, value }
      }
    }
  }
  return faults
}

/** By internal id of the subscriber; those without one are left out. */
export async function loadSchedules(
  db: Db,
  env: Env,
  subscriberIds: readonly string[],
): Promise<Map<string, Schedule>> {
  const rows = await findSchedules(db, env, subscriberIds)
  return new Map(rows.map((row) => [row.subscriber_id, toSchedule(row)]))
}

export function toSchedule({ enabled, weekly }: ScheduleRow): Schedule {
  // Written by us, from a validated body.
  const weeklySchedule = weekly as Schedule['weeklySchedule'] | null
  return { isEnabled: enabled, ...(weeklySchedule && { weeklySchedule }) }
}
