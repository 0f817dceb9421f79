/** The time on a wall clock. Months are 1 to 12. */
export type LocalTime = { year: number; month: number; day: number; hour: number; minute: number; second: number }

const dayMs = 86_400_000
// By the name in lower case: callers may spell a zone in thousands of ways, and each format takes time and memory.
const formats = new Map<string, Intl.DateTimeFormat>()
const longestName = 100

/** An IANA zone name. Offsets such as +02:00 are refused: they have no summer time. */
export function isTimezone(name: string): boolean {
  if (name.length > longestName || !/^[A-Za-z]/.test(name)) return false
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

/** UTC when the zone is missing or not valid. */
export function zoneOrUtc(zone: unknown): string {
  return typeof zone === 'string' && isTimezone(zone) ? zone : 'UTC'
}

export function toLocal(instant: Date, zone: string): LocalTime {
  // `10/25/2026, 02:30:00`. Parsing it takes half the time of formatToParts, and this is the hot path.
  const [month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] = formatOf(zone)
    .format(instant)
    .split(/\D+/)
    .map(Number)
  return { year, month, day, hour, minute, second }
}

/**
 * The moment when a wall clock shows this. Skipped (spring): the first moment after the gap. Twice (autumn): the first.
 */
export function toInstant(local: LocalTime, zone: string): Date {
  const wanted = asUtc(local)
  // No zone changes twice within two days, so only the offsets a day before and after are possible.
  const [before, after] = [wanted - offsetAt(wanted - dayMs, zone), wanted - offsetAt(wanted + dayMs, zone)]
  if (before === after) return new Date(before)
  const shown = [before, after].filter((ms) => ms + offsetAt(ms, zone) === wanted)
  if (shown.length > 0) return new Date(Math.min(...shown))
  return new Date(changeBetween(Math.min(before, after), Math.max(before, after), zone))
}

/** Milliseconds as if the wall clock showed UTC, for arithmetic. */
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

/** The first second with the offset of `high`. */
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
  const key = zone.toLowerCase()
  const known = formats.get(key)
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
  formats.set(key, made)
  return made
}
