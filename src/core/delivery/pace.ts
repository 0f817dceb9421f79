import type { Ctx } from '../../context.ts'
import type { Env } from '../../store/database.ts'
import { joinLine, type Slowing, slowDown } from '../../store/paces.ts'
import type { Candidate } from '../integrations/candidates.ts'
import type { Delivery, Ending } from './attempt.ts'
import { pauseMs } from './retry-schedule.ts'

// If its turn never comes, the message is looked at again after this long.
const againAfterMs = 30 * 60_000

/** Messages wait in line for an integration that asked us to slow down. `wake-jobs` lets them go, at its pace. */
export async function waitInLine(
  ctx: Ctx,
  env: Env,
  waiting: readonly { delivery: Delivery; candidate: Candidate }[],
): Promise<void> {
  if (waiting.length === 0) return
  const now = ctx.clock()
  const rows = waiting.map(({ delivery: { row }, candidate }) => ({
    id: row.id,
    integrationId: candidate.id,
    priority: row.priority ?? 0,
    again: new Date(now.getTime() + againAfterMs),
  }))
  await ctx.database.write(env, (db) => joinLine(db, env, rows, now))
}

/** Slows integrations that answered 429 down for all nodes, with one statement. */
export async function slowDownPaced(ctx: Ctx, env: Env, endings: readonly Ending[]): Promise<void> {
  const nowMs = ctx.clock().getTime()
  const slowings = new Map<string, Slowing>()
  for (const { candidate, attempt, outcome } of endings) {
    if (!candidate || outcome.kind !== 'retry' || outcome.paces !== true) continue
    const before = slowings.get(candidate.id)
    const beganMsAgo = Math.max(0, nowMs - (attempt?.startedAt?.getTime() ?? nowMs))
    slowings.set(candidate.id, {
      integrationId: candidate.id,
      pauseMs: Math.max(before?.pauseMs ?? 0, pauseMs(outcome.afterMs)),
      ratePerSecond: ctx.health.acceptedPerSecond(candidate.id, nowMs),
      beganMsAgo: Math.min(before?.beganMsAgo ?? beganMsAgo, beganMsAgo),
    })
  }
  if (slowings.size > 0) await ctx.database.write(env, (db) => slowDown(db, env, [...slowings.values()]))
}
