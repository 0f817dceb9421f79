import type { Ctx } from '../../context.ts'
import type { Db, Env } from '../../store/database.ts'
import { type DeadLetterFilter, reopenMessages } from '../../store/history/dead-letters.ts'
import { detail } from '../../store/history/detail.ts'
import { type Occurrence, recordOccurrences } from '../numbers/occurrences.ts'

// As for a new message.
const lifetimeMs = 24 * 3_600_000
// Keeps the transaction at about a second; for more, call again.
const mostAtOnce = 10_000

/** Sends messages that were given up again, as if they were new. `hasMore`: call again. */
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
