import { invalidField } from '../errors.ts'

const isoTime = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?)?$/

/** A time as callers write it, in UTC unless it has a zone. Throws 422 with the field's name. */
export function readTime(field: string, text: string): Date
export function readTime(field: string, text: string | undefined): Date | undefined
export function readTime(field: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const [, day = '', clock = '00:00', zone = 'Z'] = isoTime.exec(text) ?? []
  const [midnight, time] = [new Date(day), new Date(`${day}T${clock}${zone}`)]
  // JavaScript reads the 30th of February as the 2nd of March.
  const isDay = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day)
  const isTime = isDay && !Number.isNaN(time.getTime()) && time.getUTCFullYear() < 10_000
  if (!isTime) throw invalidField(field, 'must be an ISO 8601 time such as 2026-01-31T12:00:00Z', text)
  // Nothing of ours is older than 1970, and a UUIDv7 cannot say an older time.
  return new Date(Math.max(time.getTime(), 0))
}
