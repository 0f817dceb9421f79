import type { SubscriberPreferences } from '../../api/types.ts'

export type Schedule = NonNullable<SubscriberPreferences['global']['schedule']>
export type Day = keyof NonNullable<Schedule['weeklySchedule']>
export type Hours = { start: string; end: string }
export type Week = Record<Day, { isEnabled: boolean; hours: Hours[] }>

export const days: readonly Day[] = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
export const dayName = (day: Day) => day.slice(0, 1).toUpperCase() + day.slice(1)
export const usualHours: Hours = { start: '09:00', end: '17:00' }

/** Whole and in 24 hours, as the form shows it. */
export function toWeek(schedule: Schedule | undefined): Week {
  const stored = schedule?.weeklySchedule
  const entries = days.map((day) => {
    const hours = (stored?.[day]?.hours ?? []).map(({ start, end }) => ({ start: to24(start), end: to24(end) }))
    return [day, { isEnabled: stored?.[day]?.isEnabled ?? false, hours }]
  })
  return Object.fromEntries(entries) as Week
}

/** `09:00 AM`, `9:30`, `18:00 PM` or `24:00` as a time field takes it. The last minute means the end of the day. */
export function to24(text: string): string {
  const [, hourText = '0', minute = '00', half] = /^\s*(\d{1,2}):(\d{2})\s*([ap]m)?\s*$/i.exec(text) ?? []
  const hour = Number(hourText)
  if (hour === 24) return '23:59'
  const isAfternoon = half?.toLowerCase() === 'pm' && hour < 12
  const isMidnight = half?.toLowerCase() === 'am' && hour === 12
  return `${String(isMidnight ? 0 : isAfternoon ? hour + 12 : hour).padStart(2, '0')}:${minute}`
}

/** A day that is on has hours; an empty one gets the usual. */
export function withDay(week: Week, day: Day, isEnabled: boolean): Week {
  const hours = isEnabled && week[day].hours.length === 0 ? [usualHours] : week[day].hours
  return { ...week, [day]: { isEnabled, hours } }
}

export function withHours(week: Week, day: Day, hours: Hours[]): Week {
  return { ...week, [day]: { isEnabled: hours.length > 0, hours } }
}

/** The first day that has hours, on Monday to Friday. */
export function copyToWorkdays(week: Week): Week {
  const pattern = days.map((day) => week[day]).find(({ isEnabled }) => isEnabled) ?? {
    isEnabled: true,
    hours: [usualHours],
  }
  const copies = days.slice(0, 5).map((day) => [day, { ...pattern }])
  return { ...week, ...Object.fromEntries(copies) }
}
