import type { Ctx } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import type { Db, Env } from '../../store/database.ts'
import { findEventKeys } from '../../store/history/events.ts'
import type { SendRow } from '../../store/sends/sends.ts'
import { type SendJson, toSendJsons } from './send-json.ts'

/** The event that a send is. */
export async function getSendEventId(db: Db, env: Env, transactionId: string): Promise<string> {
  const [event] = await findEventKeys(db, env, [transactionId])
  if (!event) throw new ApiError('event_not_found')
  return event.event_id
}

type Change = (ctx: Ctx, db: Db, env: Env, eventId: string, now: Date) => Promise<SendRow | null>

/** Changes a send and shows it. */
export async function changeAndShow(
  { ctx, db, env, now }: { ctx: Ctx; db: Db; env: Env; now: Date },
  transactionId: string,
  change: Change,
): Promise<{ data: SendJson }> {
  const changed = await change(ctx, db, env, await getSendEventId(db, env, transactionId), now)
  if (!changed) throw new ApiError('event_not_found')
  const [data] = await toSendJsons(db, env, [changed])
  if (!data) throw new Error('a send is shown')
  return { data }
}
