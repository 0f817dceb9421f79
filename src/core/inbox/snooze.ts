import { uuid7Time } from '../../lib/uuid7.ts'
import type { FeedRow } from '../../store/history/feed.ts'

type Snoozable = Pick<FeedRow, 'id' | 'snoozed_until' | 'redelivered_at'>

/** Until when it is hidden from the feed; null: it is shown. */
export function snoozedUntil(row: Snoozable, now: Date): Date | null {
  return row.snoozed_until && row.snoozed_until > now ? row.snoozed_until : null
}

/** When it appeared in the feed: at first, and after each snooze that ended. */
export function deliveryTimes(row: Snoozable, now: Date): string[] {
  const ranOut = row.snoozed_until && row.snoozed_until <= now ? [row.snoozed_until] : []
  return [uuid7Time(row.id), ...(row.redelivered_at ?? []), ...ranOut].map((time) => time.toISOString())
}
