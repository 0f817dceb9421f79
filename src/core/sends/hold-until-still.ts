import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../../context.ts'
import type { Env } from '../../store/database.ts'
import { findEventKeys } from '../../store/history/events.ts'
import { mayBegin } from '../../store/sends/door.ts'
import { startWithinMs } from '../delivery/commit-intents.ts'

// How often is looked.
const everyMs = 100

/**
 * After a stop was committed: until no try that was committed before it can still begin. A try begins within seconds of
 * its commit, or never. What is under way then cannot be stopped.
 */
export async function holdUntilStill(ctx: Ctx, env: Env, transactionId: string): Promise<void> {
  const stoppedMs = ctx.clock().getTime()
  const [event] = await ctx.database.read(env, (db) => findEventKeys(db, env, [transactionId]))
  if (!event) return
  const until = performance.now() + startWithinMs
  const committedAfter = new Date(stoppedMs - startWithinMs)
  while (performance.now() < until) {
    const may = await ctx.database.read(env, (db) => mayBegin(db, env, event.event_id, committedAfter))
    if (!may) return
    await sleep(everyMs)
  }
}
