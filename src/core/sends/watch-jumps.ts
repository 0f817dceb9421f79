import type { Ctx } from '../../context.ts'
import type { Db } from '../../store/database.ts'
import {
  listWatchedForJumps,
  type Measured,
  measureEnvironment,
  type Slowed,
  setSlowed,
} from '../../store/sends/slowed.ts'

const minuteMs = 60_000
// Lately; what is older than an hour is the past, of a week at most.
const [latelyMs, beforeMs, pastMs] = [10 * minuteMs, 60 * minuteMs, 7 * 24 * 60 * minuteMs]
// It is slowed for so long, and longer while it goes on.
const slowedMs = 30 * minuteMs
// Of fewer nothing can be said; who has no past is not compared with it.
const fewest = { ended: 200, notified: 10_000, past: 1_000 }
const failuresPercent = 20
const timesItsPast = { failures: 5, rate: 10 }
const leastPastPercent = 1

/** Why an environment is far beyond its own past. Null: it is not. */
export function judgeJump(it: Measured): Pick<Slowed, 'reason' | 'text'> | null {
  if (it.pastEnded >= fewest.past && it.ended >= fewest.ended) {
    const [percent, past] = [(it.failed * 100) / it.ended, (it.pastFailed * 100) / it.pastEnded]
    if (percent >= failuresPercent && percent > timesItsPast.failures * Math.max(past, leastPastPercent)) {
      const text = `${it.failed} of ${it.ended} messages of the last 10 minutes failed (${round(percent)} %); in the week before ${round(past)} %`
      return { reason: 'failures', text }
    }
  }
  const perHour = (it.notified * 60 * minuteMs) / latelyMs
  if (it.busiestHour >= fewest.past && it.notified >= fewest.notified && perHour > timesItsPast.rate * it.busiestHour) {
    const text = `${it.notified} people notified in the last 10 minutes; in the busiest hour of the week before ${it.busiestHour}`
    return { reason: 'rate', text }
  }
  return null
}

/** Slows environments down that jump far beyond their own past. Nothing is dropped: their work waits behind others'. */
export async function watchJumps(ctx: Ctx, db: Db): Promise<void> {
  const now = ctx.clock()
  const at = (ms: number) => new Date(now.getTime() + ms)
  for (const { id, slowed } of await listWatchedForJumps(db)) {
    const measured = await measureEnvironment(db, id, {
      from: at(-pastMs),
      before: at(-beforeMs),
      since: at(-latelyMs),
    })
    const jump = judgeJump(measured)
    if (!jump) continue
    const since = slowed?.since ?? now.toISOString()
    await setSlowed(db, id, { ...jump, since, until: at(slowedMs).toISOString() })
    if (slowed) continue
    ctx.metrics.environmentsSlowed.inc({ reason: jump.reason })
    ctx.log.warn(
      { environmentId: id, reason: jump.reason },
      'an environment jumped far beyond its past and is slowed down',
    )
  }
}

const round = (percent: number) => Math.round(percent * 10) / 10

/** As of two seconds ago at most. When nobody knows, it is not. */
export async function isSlowed(ctx: Ctx, environmentId: string): Promise<boolean> {
  const slowed = await ctx.slowed('all').catch(() => null)
  return slowed?.has(environmentId) ?? false
}
