import type { Ctx } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { afterCommit, type Db, type Env } from '../../store/database.ts'
import { findEvents, lockEvent, setEventState } from '../../store/history/events.ts'
import { hasUnfinished } from '../../store/sends/count-rows.ts'
import { closeDoor } from '../../store/sends/door.ts'
import { changeSend, insertSend, lockSend, type SendRow } from '../../store/sends/sends.ts'
import { noteChange } from '../record/note-change.ts'
import { kindOf, planSend } from './begin-send.ts'

/** Why somebody stops a send, or lets it go on. `ifSince`: only if it is still in the state of that time. */
export type Why = { reason: string | null; text: string | null; by: string | null; ifSince?: Date }

/**
 * Lets a send stand still: no page is written, no try begins and no step goes on that is not committed by now. Null: the
 * event does not exist, or the send is not what it was.
 */
export async function stopSend(
  ctx: Ctx,
  db: Db,
  env: Env,
  eventId: string,
  why: Why,
  now: Date,
): Promise<SendRow | null> {
  const locked = await lockForChange(db, env, eventId, now)
  if (!locked || !isStill(locked.send, why)) return null
  const { send, event } = locked
  if (send.state === 'paused') return send
  refuseOver(send)
  const was = event.state === 'expanded' ? 'expanded' : 'accepted'
  await setEventState(db, env, eventId, 'paused')
  const change = {
    state: 'paused',
    reason: why.reason,
    reason_text: why.text,
    resumes_at: null,
    event_was: was,
  } as const
  const stopped = await changeSend(db, env, send, change, { now, by: why.by })
  noteSend(db, send, stopped)
  afterCommit(db, () => ctx.metrics.sendsStopped.inc({ reason: why.reason ?? 'person' }))
  return stopped
}

export type LockedSend = { send: SendRow; event: { state: string; notified: number } }

/**
 * No try and no page of it is committed until the transaction ends. The order is that of pages: the event before the send.
 * An event that was none yet becomes a send.
 */
export async function lockForChange(db: Db, env: Env, eventId: string, now: Date): Promise<LockedSend | null> {
  await closeDoor(db, env)
  const event = await lockEvent(db, env, eventId)
  if (!event) return null
  const found = await lockSend(db, env, eventId)
  if (found) return { send: found, event }
  await makeSend(db, env, eventId, event, now)
  const send = await lockSend(db, env, eventId)
  return send && { send, event }
}

async function makeSend(db: Db, env: Env, eventId: string, event: LockedSend['event'], now: Date): Promise<void> {
  const [row] = await findEvents(db, env, [eventId])
  if (!row) return
  const isUntouched = event.state === 'accepted' && event.notified === 0 && row.expand_cursor === null
  const planned = isUntouched ? await planSend(db, env, row, now) : null
  if (planned) return insertSend(db, env, planned)
  const { id, transaction_id, workflow_id, recipients } = row
  const isOver = event.state === 'canceled' || (event.state === 'expanded' && !(await hasUnfinished(db, env, eventId)))
  await insertSend(db, env, {
    id,
    transaction_id,
    workflow_id,
    kind: kindOf(recipients),
    state: event.state === 'canceled' ? 'canceled' : isOver ? 'done' : 'running',
    since: now,
    reason: null,
    event_was: null,
    total: event.state === 'expanded' ? event.notified : null,
    canary_people: null,
    canary_until: null,
    bounds: null,
    counted: false,
    history: [],
  })
}

export function isStill(send: SendRow, { ifSince }: Why): boolean {
  return ifSince === undefined || send.since.getTime() === ifSince.getTime()
}

export function refuseOver({ state }: SendRow): void {
  if (state === 'done' || state === 'canceled' || state === 'canceling') throw new ApiError('send_is_over')
}

export function noteSend(db: Db, before: SendRow, after: SendRow): void {
  const shown = ({ state, reason, reason_text, bounds }: SendRow) => ({
    state,
    reason,
    note: reason_text,
    guarded: bounds !== null,
  })
  const subject = { type: 'send', id: before.transaction_id }
  noteChange(db, subject, { before: shown(before), after: shown(after) })
}
