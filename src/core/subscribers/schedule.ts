import { type Static, Type } from 'typebox'
import type { FieldErrors } from '../../errors.ts'
import { fields } from '../../lib/schemas.ts'
import { asUtc, fromUtc, toInstant, toLocal, zoneOrUtc } from '../../lib/zoned-time.ts'
import type { Db, Env } from '../../store/database.ts'
import { findSchedules, type ScheduleRow } from '../../store/preferences.ts'
import { readTime, type WeekDay, weekDays } from '../workflows/next-time.ts'

// More than any real day needs.
const maxWindowsPerDay = 24

const hours = fields({ start: Type.String({ maxLength: 20 }), end: Type.String({ maxLength: 20 }) })
const day = Type.Optional(
  fields({ isEnabled: Type.Boolean(), hours: Type.Optional(Type.Array(hours, { maxItems: maxWindowsPerDay })) }),
)

/** The shape that clients send. Times are `09:00 AM` or `09:00`. */
export const scheduleSchema = fields({
  isEnabled: Type.Boolean(),
  weeklySchedule: Type.Optional(
    fields({ monday: day, tuesday: day, wednesday: day, thursday: day, friday: day, saturday: day, sunday: day }),
  ),
})
export type Schedule = Static<typeof scheduleSchema>

/** Minutes of the day; an end past 1440 is on the next day. */
type TimeWindow = { start: number; end: number }

const dayMs = 86_400_000
const minuteMs = 60_000
const dayMinutes = 1440
// A week has every window. When the clocks change they may skip all of them, so a second week is searched.
const searchDays = 15
// No clock is set back by more than three hours: a window that ended this long ago by local time is over. This saves
// the slow lookup of the exact moment.
const clearlyOverMs = 4 * 3_600_000

/**
 * When a message may be sent: null means now. A schedule that is off or has no window does not hold anything back. A
 * window belongs to the day it starts on, even if it ends on the next. If the clocks skip its start, it opens right
 * after the gap; if they repeat it, at the first time.
 */
export function nextOpening(schedule: Schedule | null | undefined, at: Date, zone: string | null): Date | null {
  if (!schedule?.isEnabled) return null
  const week = weekDays.map((name) => windowsOf(schedule, name))
  if (week.every((windows) => windows.length === 0)) return null
  const known = zoneOrUtc(zone)
  const wall = asUtc(toLocal(at, known))
  const today = Math.floor(wall / dayMs)
  // From yesterday, because its last window may still be open. Ordered by start, so that the first match is the next.
  for (let date = today - 1; date <= today + searchDays; date++) {
    for (const { start, end } of week[weekDayIndex(date)] ?? []) {
      if (date * dayMs + end * minuteMs < wall - clearlyOverMs) continue
      const closes = instantOf(date, end, known)
      if (closes <= at) continue
      const opens = instantOf(date, start, known)
      // A window that the clocks skip completely never opens.
      if (opens < closes) return opens > at ? opens : null
    }
  }
  return null
}

function windowsOf({ weeklySchedule }: Schedule, name: WeekDay): TimeWindow[] {
  const of = weeklySchedule?.[name]
  if (!of?.isEnabled) return []
  return (of.hours ?? []).map(toWindow).toSorted((a, b) => a.start - b.start || b.end - a.end)
}

function toWindow({ start, end }: { start: string; end: string }): TimeWindow {
  const [from, given] = [minutesOf(start), minutesOf(end)]
  // Pickers offer 23:59 as the last minute; it means the end of the day.
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

// The client's own manual writes `18:00 PM`.
const clockTime =
  /^\s*(?:(?:[01]?\d|2[0-3]):[0-5]\d|(?:0?[1-9]|1[0-2]):[0-5]\d\s*[ap]m|(?:1[3-9]|2[0-3]):[0-5]\d\s*pm)\s*$/i

/** Checks that times are times; the schema cannot. */
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

/** By the subscriber's internal id; subscribers without a schedule are left out. */
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
