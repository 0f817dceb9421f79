import type { Ctx } from '../../context.ts'
import type { Outcome } from '../../providers/outcome.ts'
import { type Env, isDatabaseUnavailable } from '../../store/database.ts'
import type { Ending } from './attempt.ts'
import { recordEndings } from './record-endings.ts'

/**
 * Records what ended together in one transaction. If that cannot be stored, each is recorded alone: one odd answer must
 * not lose the others, because a try without a record is made again.
 */
export async function recordEach(ctx: Ctx, env: Env, endings: readonly Ending[]): Promise<void> {
  try {
    await recordEndings(ctx, env, endings)
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    const ended = await Promise.allSettled(endings.map((ending) => recordAlone(ctx, env, ending)))
    for (const end of ended) if (end.status === 'rejected') throw end.reason
  }
}

/** An answer that cannot be stored is recorded without its words: what became of the try is known all the same. */
async function recordAlone(ctx: Ctx, env: Env, ending: Ending): Promise<void> {
  try {
    await recordEndings(ctx, env, [ending])
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    const about = { messageId: ending.delivery.row.id, providerId: ending.candidate?.provider.id, err: error }
    ctx.log.error(about, 'an answer could not be stored')
    await recordEndings(ctx, env, [{ ...ending, outcome: withoutWords(ending.outcome) }])
  }
}

function withoutWords(outcome: Outcome): Outcome {
  return outcome.kind === 'sent' ? { kind: 'sent' } : { ...outcome, reason: 'The answer could not be stored' }
}
