import type { Detail } from '../store/history.ts'

/** One line of a job's history. */
export function detail(
  now: Date,
  status: Detail['status'],
  text: string,
  more: Pick<Detail, 'providerId' | 'raw' | 'retry' | 'source'> = {},
): Detail {
  return { at: now.toISOString(), status, detail: text, ...more }
}
