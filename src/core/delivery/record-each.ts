import type { Ctx } from '../../context.ts'
import type { Outcome } from '../../providers/outcome.ts'
import { type Env, isDatabaseUnavailable } from '../../store/database.ts'
import type { Ending } from './attempt.ts'
import { recordEndings } from './record-endings.ts'

/**
 * Records what ended together in one transaction. If that cannot be stored, each half is recorded by itself, down to the
 * one that is at fault: one odd answer must not lose the others, because a try without a record is made again. Returns
 * those that are not recorded, and why.
 */
export async function recordEach(ctx: Ctx, env: Env, endings: readonly Ending[]): Promise<Map<Ending, unknown>> {
  try {
    await recordEndings(ctx, env, endings)
    return new Map()
  } catch (error) {
    const [only, ...others] = endings
    if (isDatabaseUnavailable(error)) return new Map(endings.map((ending) => [ending, error]))
    if (only && others.length === 0) return recordWithoutWords(ctx, env, only, error)
    const half = Math.ceil(endings.length / 2)
    const first = await recordEach(ctx, env, endings.slice(0, half))
    return new Map([...first, ...(await recordEach(ctx, env, endings.slice(half)))])
  }
}

/** An answer that cannot be stored is recorded without its words: what became of the try is known all the same. */
async function recordWithoutWords(ctx: Ctx, env: Env, ending: Ending, why: unknown): Promise<Map<Ending, unknown>> {
  const about = { messageId: ending.delivery.row.id, providerId: ending.candidate?.provider.id, err: why }
  ctx.log.error(about, 'an answer could not be stored')
  try {
    await recordEndings(ctx, env, [{ ...ending, outcome: withoutWords(ending.outcome) }])
    return new Map()
  } catch (error) {
    return new Map([[ending, error]])
  }
}

function withoutWords(outcome: Outcome): Outcome {
  return outcome.kind === 'sent' ? { kind: 'sent' } : { ...outcome, reason: 'The answer could not be stored' }
}
