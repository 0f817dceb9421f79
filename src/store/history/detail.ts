import type { Detail } from './history.ts'

/** One line of a job's history. */
export function detail(
  now: Date,
  status: Detail['status'],
  text: string,
  more: Pick<Detail, 'providerId' | 'raw' | 'retry' | 'source'> = {},
): Detail {
  return { at: textOf(now), status, detail: text, ...more }
}

let last = { now: new Date(0), text: '' }

/** The hundreds of lines of a page share one `now`: it is formatted once. */
function textOf(now: Date): string {
  if (last.now !== now) last = { now, text: now.toISOString() }
  return last.text
}
