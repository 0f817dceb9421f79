import type { SendTotal } from '../../store/sends/send-tallies.ts'
import type { Bounds } from '../../store/sends/sends.ts'

/** What came of the messages of one channel so far. */
type Counts = { ended: number; failed: number; sent: number; complained: number }
type ByChannel = Record<string, Counts>
/**
 * What a send is judged by: what happened since it began or went on, and since a mark that follows it. Of the newest
 * messages more may fail than of all.
 */
export type Judged = { since?: ByChannel; mark?: ByChannel; next?: ByChannel }
export type Verdict = { reason: 'failures' | 'complaints'; text: string }

// Messages between two marks: the newest are one to two times as many.
const markEvery = 1_000
// Fewer than these are bad luck, however few were sent.
const fewest = { failures: 10, complaints: 3 }

const nothing: Counts = { ended: 0, failed: 0, sent: 0, complained: 0 }

export function judgedFrom(totals: readonly SendTotal[]): Judged {
  return { since: countsOf(totals) }
}

/** Null: it may go on. */
export function judgeSend(
  totals: readonly SendTotal[],
  judged: Judged,
  bounds: Bounds,
): { verdict: Verdict | null; judged: Judged } {
  const now = countsOf(totals)
  const marked = moveMarks(now, judged)
  for (const [channel, counts] of Object.entries(now)) {
    const all = minus(counts, judged.since?.[channel])
    const newest = minus(counts, latest(judged.since?.[channel], marked.mark?.[channel]))
    const verdict =
      tooMany('failures', all.failed, all.ended, bounds, channel) ??
      tooMany('failures', newest.failed, newest.ended, bounds, channel) ??
      tooMany('complaints', all.complained, all.sent, bounds, channel)
    if (verdict) return { verdict, judged: marked }
  }
  return { verdict: null, judged: marked }
}

function tooMany(
  what: Verdict['reason'],
  n: number,
  of: number,
  { failuresPercent, complaintsPercent }: Bounds,
  channel: string,
): Verdict | null {
  const bound = what === 'failures' ? failuresPercent : complaintsPercent
  if (n < fewest[what] || of <= 0 || (n * 100) / of <= bound) return null
  const percent = Math.round((n * 1_000) / of) / 10
  const did = what === 'failures' ? 'failed' : 'were complained of'
  return {
    reason: what,
    text: `${n} of the last ${of} messages (${channel}) ${did}, ${percent} %; the bound is ${bound} %`,
  }
}

function moveMarks(now: ByChannel, { since, mark, next }: Judged): Judged {
  const moved: Required<Judged> = { since: since ?? {}, mark: { ...mark }, next: { ...next } }
  for (const [channel, counts] of Object.entries(now)) {
    if (counts.ended - (moved.next[channel] ?? since?.[channel] ?? nothing).ended < markEvery) continue
    moved.mark[channel] = moved.next[channel] ?? since?.[channel] ?? nothing
    moved.next[channel] = counts
  }
  return moved
}

function latest(since: Counts | undefined, mark: Counts | undefined): Counts | undefined {
  return (mark?.ended ?? 0) > (since?.ended ?? 0) ? mark : since
}

function minus(counts: Counts, before: Counts = nothing): Counts {
  return {
    ended: counts.ended - before.ended,
    failed: counts.failed - before.failed,
    sent: counts.sent - before.sent,
    complained: counts.complained - before.complained,
  }
}

/** Of messages that providers send: an inbox refuses nothing. */
function countsOf(totals: readonly SendTotal[]): ByChannel {
  const byChannel: ByChannel = {}
  for (const { channel, outcome, n } of totals) {
    if (channel === 'in_app') continue
    const counts = byChannel[channel] ?? { ...nothing }
    byChannel[channel] = counts
    if (outcome === 'sent') counts.sent += n
    if (outcome === 'complained') counts.complained += n
    if (outcome === 'failed' || outcome === 'dead' || outcome === 'bounced') counts.failed += n
    if (outcome === 'sent' || outcome === 'failed' || outcome === 'dead' || outcome === 'unknown') counts.ended += n
  }
  return byChannel
}
