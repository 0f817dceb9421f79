import { LRUCache } from 'lru-cache'

/** A wall clock: what people in a time zone read off it. Months are 1 to 12, weekdays 0 (Sunday) to 6. */
export type LocalTime = { year: number; month: number; day: number; hour: number; minute: number; second: number }

const dayMs = 86_400_000
// There are some 600 names; zones come from outside in any case, and each way of writing one would be kept for ever.
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 1_000 })

/** An IANA zone name. Bare offsets such as +02:00 are not zones: they know no summer time. */
export function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

/** Where somebody's own zone is not known, clocks are read in UTC. */
export function zoneOrUtc(zone: unknown): string {
  return typeof zone === 'string' && isTimezone(zone) ? zone : 'UTC'
}

export function toLocal(instant: Date, zone: string): LocalTime {
  // `10/25/2026, 02:30:00`. Reading it takes half of what formatToParts does, and everything here comes down to this.
  const [month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] = formatOf(zone)
    .format(instant)
    .split(/\D+/)
    .map(Number)
  return { year, month, day, hour, minute, second }
}

/**
 * The moment a wall clock shows this. Where the clock skips it (spring), the first moment after the gap; where it shows
 * it twice (autumn), the first time.
 */
export function toInstant(local: LocalTime, zone: string): Date {
  const wanted = asUtc(local)
  // No zone changes twice within two days: the offsets on both sides are the only ones it can have.
  const [before, after] = [wanted - offsetAt(wanted - dayMs, zone), wanted - offsetAt(wanted + dayMs, zone)]
  if (before === after) return new Date(before)
  const shown = [before, after].filter((ms) => ms + offsetAt(ms, zone) === wanted)
  if (shown.length > 0) return new Date(Math.min(...shown))
  return new Date(changeBetween(Math.min(before, after), Math.max(before, after), zone))
}

/** The wall clock as if it stood in Greenwich: something to count with. */
export function asUtc({ year, month, day, hour, minute, second }: LocalTime): number {
  const ms = Date.UTC(year, month - 1, day, hour, minute, second)
  return year < 100 ? new Date(ms).setUTCFullYear(year) : ms
}

export function fromUtc(ms: number): LocalTime {
  const date = new Date(ms)
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
  }
}

export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

function offsetAt(ms: number, zone: string): number {
  const whole = Math.floor(ms / 1000) * 1000
  return asUtc(toLocal(new Date(whole), zone)) - whole
}

/** The first second with the offset that holds at the end. */
function changeBetween(low: number, high: number, zone: string): number {
  const [from, target] = [Math.floor(low / 1000), offsetAt(high, zone)]
  let [a, b] = [from, Math.ceil(high / 1000)]
  while (b - a > 1) {
    const middle = Math.floor((a + b) / 2)
    if (offsetAt(middle * 1000, zone) === target) b = middle
    else a = middle
  }
  return b * 1000
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(zone, made)
  return made
}
