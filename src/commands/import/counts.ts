/** What became of the things of one kind. `failed`: could not be taken over at all. */
export type Counts = {
  there: number
  created: number
  updated: number
  unchanged: number
  failed: number
  /** What could not be read there, as a whole or in part. */
  unread: number
  /** Why something was left out, and how often; `example`: one of those it happened to. */
  left: Record<string, { count: number; example: string }>
}
export type Outcome = 'created' | 'updated' | 'unchanged' | 'failed'

export function emptyCounts(): Counts {
  return { there: 0, created: 0, updated: 0, unchanged: 0, failed: 0, unread: 0, left: {} }
}

// Reasons are few; texts of a hostile service could make them many.
const mostReasons = 200
const longestReason = 300

export function addReason(counts: Counts, example: string, why: string): void {
  const reasons = Object.keys(counts.left)
  const short = printable(why).slice(0, longestReason)
  const reason = Object.hasOwn(counts.left, short) || reasons.length < mostReasons ? short : 'other reasons'
  const found = Object.hasOwn(counts.left, reason) ? counts.left[reason] : undefined
  if (found) found.count += 1
  // Not by assignment: a reason may be called __proto__.
  else
    counts.left = Object.fromEntries([
      ...Object.entries(counts.left),
      [reason, { count: 1, example: printable(example).slice(0, 100) }],
    ])
}

/** What somebody wrote is to be no command to a terminal or to a CI that reads this. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '\ufffd').toWellFormed()
}
