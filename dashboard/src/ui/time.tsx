import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
let now = Date.now()
// One clock for all times on the page.
setInterval(() => {
  now = Date.now()
  for (const listener of listeners) listener()
}, 15_000)

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })
const absolute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' })
const steps = [
  { unit: 'year', ms: 365 * 86_400_000 },
  { unit: 'month', ms: 30 * 86_400_000 },
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
] as const

export function relativeTime(at: number, from = Date.now()): string {
  const difference = at - from
  const step = steps.find(({ ms }) => Math.abs(difference) >= ms)
  return step ? relative.format(Math.round(difference / step.ms), step.unit) : 'just now'
}

export const fullTime = (at: string | number | Date) => absolute.format(new Date(at))

/** "3 min. ago", with the exact time on hover. `full` writes the exact time. */
export function Time({ at, full }: { at: string | null | undefined; full?: boolean }) {
  const current = useSyncExternalStore(subscribe, () => now)
  if (!at) return <span className="text-faint">–</span>
  const date = new Date(at)
  return (
    <time dateTime={at} title={`${fullTime(date)} (${at})`} className="whitespace-nowrap">
      {full ? fullTime(date) : relativeTime(date.getTime(), Math.max(current, Date.now() - 15_000))}
    </time>
  )
}
