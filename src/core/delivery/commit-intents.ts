import type { Ctx } from '../../context.ts'
import { OutcomeUnknown } from '../../store/connect/database-away.ts'
import { writePatiently } from '../../store/connect/write-patiently.ts'
import type { Env } from '../../store/database.ts'
import { type Begun, beginAttempts, type Intent, withdrawAttempts } from '../../store/history/attempts.ts'
import { holdMessages } from '../../store/sends/door.ts'
import { whenUnknown } from '../integrations/when-unknown.ts'
import { toHeld } from '../sends/hold-messages.ts'
import { type Attempt, attemptBudgetMs } from './attempt.ts'
import { allowed, type ReadyTry, takeoverMs } from './prepare-portion.ts'
import { variantOf } from './variant.ts'

// The longest time between committing a try and its first byte. A process that slept longer must not send.
export const startWithinMs = 3_000

/** Before the first byte leaves. Returns the tries that are ours to send. */
export async function commitIntents(ctx: Ctx, env: Env, ready: readonly ReadyTry[]): Promise<Attempt[]> {
  const now = ctx.clock()
  // Texts and files took time, and a provider may have forgotten a key meanwhile. Such a message is decided about anew.
  const tries = ready.filter(({ delivery, candidate }) => allowed(ctx, delivery, now.getTime()).includes(candidate))
  if (tries.length === 0) return []
  const intents = tries.map(({ delivery, candidate, id, number }) => {
    const deadline = new Date(now.getTime() + startWithinMs + attemptBudgetMs({ delivery, candidate }))
    return {
      attemptId: id,
      messageId: delivery.row.id,
      number,
      integrationId: candidate.id,
      providerId: candidate.provider.id,
      whenUnknown: whenUnknown(ctx, candidate),
      variant: variantOf(delivery, candidate),
      deadline,
      wakeAt: new Date(deadline.getTime() + takeoverMs),
    }
  })
  const begun = await committed(ctx, env, { intents, tries }, now)
  const startBy = now.getTime() + startWithinMs
  return tries
    .filter(({ delivery }) => begun.messageIds.has(delivery.row.id))
    .map((it) => ({ ...it, startedAt: now, startBy }))
}

/** Whoever does not know whether they are committed sends nothing, and takes them back: else they were in doubt for ever. */
async function committed(
  ctx: Ctx,
  env: Env,
  { intents, tries }: { intents: readonly Intent[]; tries: readonly ReadyTry[] },
  now: Date,
): Promise<Begun> {
  let begun: Begun | undefined
  try {
    return await ctx.database.write(env, async (db) => {
      begun = await beginAttempts(db, env, intents, now)
      const { stopped } = begun
      if (stopped.size > 0) {
        const rows = tries.map(({ delivery }) => delivery.row).filter((row) => stopped.has(row.event_id))
        await holdMessages(db, env, rows.map(toHeld), now)
      }
      return begun
    })
  } catch (error) {
    const by = begun?.by
    const ids = intents.map((it) => it.attemptId)
    if (by && error instanceof OutcomeUnknown)
      await writePatiently(() => ctx.database.write(env, (db) => withdrawAttempts(db, env, ids, ctx.clock(), by)))
    throw error
  }
}
