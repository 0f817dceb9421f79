import { describe, expect, test } from 'vitest'
import { copyToWorkdays, days, to24, toWeek, usualHours, withDay, withHours } from './week.ts'

test('the hours of a schedule are shown on a clock of 24 hours, whichever way they were sent', () => {
  const sent = ['09:00 AM', '12:00 am', '12:15 PM', '5:30 pm', '18:00 PM', '9:05', '24:00']
  expect(sent.map(to24)).toEqual(['09:00', '00:00', '12:15', '17:30', '18:00', '09:05', '23:59'])
  const week = toWeek({ isEnabled: true, weeklySchedule: { monday: { isEnabled: true } } })
  expect(week.monday).toEqual({ isEnabled: true, hours: [] })
  expect(week.sunday).toEqual({ isEnabled: false, hours: [] })
})

describe('changing a week', () => {
  const empty = toWeek(undefined)
  const late = [{ start: '20:00', end: '22:00' }]

  test('a day that is switched on has hours; its own, if it had any', () => {
    expect(withDay(empty, 'friday', true).friday).toEqual({ isEnabled: true, hours: [usualHours] })
    const off = withDay(withHours(empty, 'friday', late), 'friday', false)
    expect(off.friday).toEqual({ isEnabled: false, hours: late })
    expect(withDay(off, 'friday', true).friday).toEqual({ isEnabled: true, hours: late })
  })

  test('a day without hours is off', () => {
    expect(withHours(withDay(empty, 'friday', true), 'friday', []).friday.isEnabled).toBe(false)
  })

  test('the first day with hours is copied to Monday to Friday, and the weekend stays', () => {
    const copied = copyToWorkdays(withHours(withHours(empty, 'wednesday', late), 'sunday', [usualHours]))
    for (const day of days.slice(0, 5)) expect(copied[day]).toEqual({ isEnabled: true, hours: late })
    expect(copied.saturday).toEqual({ isEnabled: false, hours: [] })
    expect(copied.sunday.hours).toEqual([usualHours])
    expect(copyToWorkdays(empty).monday).toEqual({ isEnabled: true, hours: [usualHours] })
  })
})
