import type { Ctx } from '../../context.ts'
import { afterCommit, type Db, type Env } from '../../store/database.ts'
import { setEventState } from '../../store/history/events.ts'
import { foldSendTallies, listSendTotals } from '../../store/sends/send-tallies.ts'
import { changeSend, type SendRow } from '../../store/sends/sends.ts'
import { enqueueExpansion } from '../pipeline/enqueue.ts'
import { judgedFrom } from './judge-send.ts'
import { isStill, type LockedSend, lockForChange, noteSend, refuseOver, type Why } from './stop-send.ts'

/**
 * Lets a send go on. One that was stopped while its first people were being written goes on with these; from any other
 * state it goes on to everybody. What came while it stood still is brought back by `watch-sends`. The guard judges it by
 * what happens from now on; `guard: false`: nobody does.
 */
export async function resumeSend(
  ctx: Ctx,
  db: Db,
  env: Env,
  eventId: string,
  why: Why & { guard?: boolean },
  now: Date,
): Promise<SendRow | null> {
  const locked = await lockForChange(db, env, eventId, now)
  if (!locked || !isStill(locked.send, why)) return null
  const { send } = locked
  refuseOver(send)
  const bounds = why.guard === false ? null : send.bounds
  if (send.state === 'running') {
    if (bounds === send.bounds) return send
    const unguarded = await changeSend(db, env, send, { bounds }, { now })
    noteSend(db, send, unguarded)
    return unguarded
  }
  const isCanary = send.state === 'paused' && send.canary_until !== null && locked.event.notified < send.canary_until
  await foldSendTallies(db, env, eventId)
  const totals = (await listSendTotals(db, env, [eventId])).get(eventId) ?? []
  const resumed = await changeSend(
    db,
    env,
    send,
    {
      state: isCanary ? 'canary' : 'running',
      reason: isCanary ? 'canary' : why.reason,
      reason_text: why.text,
      resumes_at: null,
      event_was: null,
      canary_until: isCanary ? send.canary_until : null,
      bounds,
      judged: judgedFrom(totals),
    },
    { now, by: why.by },
  )
  await openEvent(ctx, db, env, locked)
  noteSend(db, send, resumed)
  afterCommit(db, () => ctx.sends.ringAt(now))
  return resumed
}

/** Its event goes on where it stood. */
export async function openEvent(ctx: Ctx, db: Db, env: Env, { send, event }: LockedSend): Promise<void> {
  if (event.state !== 'held' && event.state !== 'paused') return
  const state = send.event_was ?? 'accepted'
  await setEventState(db, env, send.id, state)
  if (state === 'accepted') await enqueueExpansion(ctx, db, env, 'bulk', [send.id])
}
