import type { Ctx } from '../context.ts'
import { type ConservationPlace, checkConservation, type Loss } from '../core/operations/check-conservation.ts'
import { defineLoop } from '../engine/define-loop.ts'
import { type ConservationState, changeConservation } from '../store/history/conservation-rows.ts'

/**
 * Compares what was promised with the rows that are there, a page every two seconds, one node at a time, round after
 * round, with a rest in between. What is missing is logged, counted in `tidings_conservation_missing`, and stays there
 * until a whole round finds nothing.
 */
export default defineLoop({
  name: 'check-conservation',
  everyMs: 2_000,
  restMs: 30_000,
  async run(ctx, rest) {
    await changeConservation(ctx.database.db, async (state) => {
      const next = await checkOnePage(ctx, state)
      if (next.place === null) rest?.()
      return next
    })
    return 0
  },
})

async function checkOnePage(ctx: Ctx, state: ConservationState): Promise<ConservationState> {
  // Written by this loop.
  const place = state.place as ConservationPlace | null
  const { next, losses } = await checkConservation(ctx, place, state.messages_from)
  for (const loss of losses.slice(0, 20)) ctx.log.error(loss, 'rows are missing (npm start -- conserve names them all)')
  const missing = addLosses(state.missing, losses)
  if (next) return { ...state, place: next, missing }
  return { ...state, place: null, missing: {}, last_missing: missing, round_ended_at: ctx.clock() }
}

function addLosses(before: Record<string, number>, losses: readonly Loss[]): Record<string, number> {
  const sums = { ...before }
  for (const { table, missing } of losses) sums[table] = (sums[table] ?? 0) + Math.abs(missing)
  return sums
}
