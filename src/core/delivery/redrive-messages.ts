import type { Ctx } from '../../context.ts'
import type { Db, Env } from '../../store/database.ts'
import { type DeadLetterFilter, reopenMessages } from '../../store/history/dead-letters.ts'
import { detail } from '../../store/history/detail.ts'
import { type Occurrence, recordOccurrences } from '../numbers/occurrences.ts'

// As long as a message that is made today is tried.
const lifetimeMs = 24 * 3_600_000
// One transaction of a second or so; whoever has more calls again.
const mostAtOnce = 10_000

/** Messages that were given up are sent again, as if they had just been made. `hasMore`: call again. */
export async function redriveMessages(
  ctx: Ctx,
  db: Db,
  env: Env,
  filter: DeadLetterFilter,
  now: Date,
): Promise<{ redriven: number; hasMore: boolean }> {
  const expiresAt = new Date(now.getTime() + lifetimeMs)
  const line = detail(now, 'Queued', 'Redriven')
  const messages = await reopenMessages(db, env, filter, { now, expiresAt, most: mostAtOnce, line })
  const redriven = messages.map((message): Occurrence => ({ of: 'message', outcome: 'redriven', ...message }))
  await recordOccurrences(ctx, db, env, redriven, now)
  return { redriven: messages.length, hasMore: messages.length === mostAtOnce }
}
