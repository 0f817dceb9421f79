import type { Ctx } from '../../context.ts'
import type { Db, Env } from '../../store/database.ts'
import { findEvents } from '../../store/history/events.ts'
import { dropHeld } from '../../store/sends/door.ts'
import { changeSend, lockSend, type SendRow } from '../../store/sends/sends.ts'
import { enqueueResumptions } from '../pipeline/enqueue.ts'
import { countPeople } from './begin-send.ts'

/**
 * The event of a send was canceled, and all of it is canceled in the same transaction. `was`: the event's state before;
 * null: canceled already. Returns whether it had recipients to reach.
 */
export async function endCanceledSend(
  ctx: Ctx,
  db: Db,
  env: Env,
  eventId: string,
  was: string | null,
  now: Date,
): Promise<boolean> {
  const send = await lockSend(db, env, eventId)
  const wasOpen = was === 'accepted' || was === 'held' || (was === 'paused' && send?.event_was === 'accepted')
  if (!send || send.state === 'canceled' || send.state === 'done') return wasOpen
  const left_out = send.left_out ?? (await leftOutOf(db, env, send, wasOpen))
  await changeSend(
    db,
    env,
    send,
    { state: 'canceled', reason: 'person', reason_text: null, resumes_at: null, left_out },
    { now },
  )
  await enqueueResumptions(ctx, db, env, await dropHeld(db, env, eventId), 'bulk')
  return wasOpen
}

/** People of an event that is canceled whom it did not reach. */
export async function leftOutOf(db: Db, env: Env, send: SendRow, wasOpen: boolean): Promise<number> {
  if (!wasOpen) return 0
  const [event] = await findEvents(db, env, [send.id])
  if (!event) return 0
  const total = send.total ?? (await countPeople(db, env, event))
  return Math.max(total - event.notified_count, 0)
}
