import { ApiError } from '../../errors.ts'
import { uuid7Time } from '../../lib/uuid7.ts'
import type { Db, Env } from '../../store/database.ts'
import { findEvents } from '../../store/history/events.ts'
import { hasUnfinished } from '../../store/sends/count-rows.ts'
import { findSend, type SendRow } from '../../store/sends/sends.ts'
import { kindOf } from './begin-send.ts'
import { type SendJson, toSendJsons } from './send-json.ts'
import { getSendEventId } from './send-routes.ts'

/** Also of an event that is no send: as one that nobody stopped. */
export async function showSend(db: Db, env: Env, transactionId: string): Promise<SendJson> {
  const eventId = await getSendEventId(db, env, transactionId)
  const [shown] = await toSendJsons(db, env, [(await findSend(db, env, eventId)) ?? (await asSend(db, env, eventId))])
  if (!shown) throw new ApiError('event_not_found')
  return shown
}

async function asSend(db: Db, env: Env, eventId: string): Promise<SendRow> {
  const [event] = await findEvents(db, env, [eventId])
  if (!event) throw new ApiError('event_not_found')
  const { environment_id, id, transaction_id, workflow_id } = event
  const isDone = event.state === 'expanded' && !(await hasUnfinished(db, env, eventId))
  return {
    environment_id,
    id,
    transaction_id,
    workflow_id,
    kind: kindOf(event.recipients),
    state: event.state === 'canceled' ? 'canceled' : isDone ? 'done' : 'running',
    since: uuid7Time(event.id),
    reason: null,
    reason_text: null,
    resumes_at: null,
    look_at: null,
    event_was: null,
    total: null,
    canary_people: null,
    canary_until: null,
    bounds: null,
    counted: false,
    judged: {},
    canceled_after: null,
    left_out: null,
    history: [],
  }
}
