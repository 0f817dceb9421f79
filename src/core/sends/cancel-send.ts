import type { Ctx } from '../../context.ts'
import { afterCommit, type Db, type Env } from '../../store/database.ts'
import { setEventState } from '../../store/history/events.ts'
import { leaveDigests } from '../../store/history/windows.ts'
import { cancelJobsOfEvent, listNotificationsAfter } from '../../store/sends/cancel-jobs.ts'
import { dropHeld } from '../../store/sends/door.ts'
import { changeSend, type SendRow } from '../../store/sends/sends.ts'
import { recordOccurrences } from '../numbers/occurrences.ts'
import { toOccurrences } from '../pipeline/cancel-event.ts'
import { enqueueResumptions } from '../pipeline/enqueue.ts'
import { leftOutOf } from './end-canceled-send.ts'
import { lockForChange, noteSend, refuseOver, type Why } from './stop-send.ts'

// People whose steps are canceled by one transaction.
const portion = 500

/** Nothing of it begins any more; what was written and not sent is taken back by `watch-sends`, page by page. */
export async function cancelSend(
  ctx: Ctx,
  db: Db,
  env: Env,
  eventId: string,
  why: Why,
  now: Date,
): Promise<SendRow | null> {
  const locked = await lockForChange(db, env, eventId, now)
  if (!locked) return null
  const { send, event } = locked
  if (send.state === 'canceling' || send.state === 'canceled') return send
  refuseOver(send)
  const wasOpen = event.state === 'accepted' || event.state === 'held' || send.event_was === 'accepted'
  const left_out = await leftOutOf(db, env, send, wasOpen)
  await setEventState(db, env, eventId, 'canceled')
  await leaveDigests(db, env, eventId, now)
  const change = { state: 'canceling', reason: why.reason, reason_text: why.text, resumes_at: null, left_out } as const
  const canceled = await changeSend(db, env, send, change, { now, by: why.by })
  noteSend(db, send, canceled)
  afterCommit(db, () => ctx.sends.ringAt(now))
  return canceled
}

/** The next of its people. The caller has locked it. Returns whether there may be more. */
export async function cancelPortion(ctx: Ctx, db: Db, env: Env, send: SendRow, now: Date): Promise<boolean> {
  const ids = await listNotificationsAfter(db, env, send.id, { after: send.canceled_after, limit: portion })
  const last = ids.at(-1)
  if (last === undefined) {
    await enqueueResumptions(ctx, db, env, await dropHeld(db, env, send.id), 'bulk')
    await changeSend(db, env, send, { state: 'canceled' }, { now })
    return false
  }
  const canceled = await cancelJobsOfEvent(db, env, send.id, now, ids)
  await recordOccurrences(ctx, db, env, toOccurrences(send.id, canceled), now)
  await changeSend(db, env, send, { canceled_after: last }, { now })
  return true
}
