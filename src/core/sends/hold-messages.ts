import type { Ctx } from '../../context.ts'
import type { Env } from '../../store/database.ts'
import { deferMessages } from '../../store/history/attempts.ts'
import type { MessageRow } from '../../store/history/messages.ts'
import { enterDoor, type HeldMessage, holdMessages } from '../../store/sends/door.ts'

/** Whether its send stands still, as it was when the message was read. */
export function isStopped({ send_state }: MessageRow): boolean {
  return send_state === 'paused' || send_state === 'canceling'
}

/** Messages of stopped sends. What was let go on meanwhile is due again. */
export async function holdStopped(ctx: Ctx, env: Env, rows: readonly MessageRow[], now: Date): Promise<void> {
  if (rows.length === 0) return
  await ctx.database.write(env, async (db) => {
    const stopped = await enterDoor(db, env)
    const held = rows.filter((row) => stopped.has(row.event_id))
    await holdMessages(db, env, held.map(toHeld), now)
    const due = rows.filter((row) => !stopped.has(row.event_id))
    const waits = due.map(({ id, attempts, in_flight }) => ({ id, attempts, inFlight: in_flight, retryAt: now }))
    if (waits.length > 0) await deferMessages(db, env, waits)
  })
}

export function toHeld({ id, event_id, attempts }: MessageRow): HeldMessage {
  return { id, eventId: event_id, attempts }
}
