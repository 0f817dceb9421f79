import { uuid7Time } from '../../lib/uuid7.ts'
import type { FeedRow } from '../../store/history/feed.ts'

type Snoozable = Pick<FeedRow, 'id' | 'snoozed_until' | 'redelivered_at'>

/** Until when it is out of the feed, or null: it is in it. */
export function snoozedUntil(row: Snoozable, now: Date): Date | null {
  return row.snoozed_until && row.snoozed_until > now ? row.snoozed_until : null
}

/** When it came into the feed: at first, and after each snooze that was ended or has run out. */
export function deliveryTimes(row: Snoozable, now: Date): string[] {
  const ranOut = row.snoozed_until && row.snoozed_until <= now ? [row.snoozed_until] : []
  return [uuid7Time(row.id), ...(row.redelivered_at ?? []), ...ranOut].map((time) => time.toISOString())
}
