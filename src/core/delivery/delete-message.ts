import { type Static, Type } from 'typebox'
import type { Ctx } from '../../context.ts'
import { type Db, type Env, envOf } from '../../store/database.ts'
import { detail } from '../../store/history/detail.ts'
import {
  type DeletedMessage,
  deleteMessages as deleteRows,
  type EndedJob,
  endJobsOfDeleted,
  listMessagesOfEvent,
} from '../../store/history/messages.ts'
import { type Occurrence, outcomeOfStep, recordOccurrences } from '../numbers/occurrences.ts'
import { enqueueResumptions } from '../pipeline/enqueue.ts'

/**
 * Deletes messages. One that was still to be sent is not sent, and its step must not wait for it for ever: the step
 * ends, and those behind it go on, in the same transaction. Returns how many there were.
 */
export async function deleteMessages(ctx: Ctx, db: Db, env: Env, ids: readonly string[], now: Date): Promise<number> {
  const deleted = await deleteRows(db, env, ids, now)
  const open = deleted.filter(({ delivery }) => delivery === 'open')
  if (open.length === 0) return deleted.length
  const ofJobs = Map.groupBy(open, (message) => message.job_id)
  const waiting = [...ofJobs].map(([id, messages]) => {
    const mayBeOut = messages.some((message) => message.may_be_out)
    return { id, mayBeOut, line: detail(now, 'Warning', mayBeOut ? maybeSent : notSent) }
  })
  const ended = await endJobsOfDeleted(db, env, waiting, now)
  const ofSteps = ended.flatMap((job) => toStepOccurrence(job, ofJobs.get(job.id)?.[0]))
  await recordOccurrences(ctx, db, env, [...open.map(toOccurrence), ...ofSteps], now)
  // An unneeded wake-up does nothing.
  const notificationIds = ended.map((job) => job.notification_id)
  if (ended.length > 0) await enqueueResumptions(ctx, db, env, notificationIds)
  return deleted.length
}

const notSent = 'The message was deleted before it was sent'
const maybeSent = 'The message was deleted; it may have been sent'

function toOccurrence(message: DeletedMessage): Occurrence {
  const { workflow_id: workflowId, channel, provider_id: providerId, event_id: sendId } = message
  const outcome = message.may_be_out ? 'unknown' : 'canceled'
  return { of: 'message', outcome, workflowId, channel, providerId, sendId, was: 'waiting' }
}

function toStepOccurrence({ type, status }: EndedJob, message: DeletedMessage | undefined): Occurrence[] {
  const outcome = outcomeOfStep(status)
  return message && outcome ? [{ of: 'step', outcome, workflowId: message.workflow_id, type, hasMessages: true }] : []
}

export const messagesToDeleteSchema = Type.Object({
  environmentId: Type.String(),
  eventId: Type.String(),
  channel: Type.Union([Type.String(), Type.Null()]),
})
type MessagesToDelete = Static<typeof messagesToDeleteSchema>

// Of one transaction.
const pageSize = 500

/** A page of an event's messages; the task for the next one is written with it. */
export async function deletePageOfEvent(
  ctx: Ctx,
  db: Db,
  env: Env,
  { eventId, channel }: Omit<MessagesToDelete, 'environmentId'>,
  now: Date,
): Promise<void> {
  const ids = await listMessagesOfEvent(db, env, { eventId, channel }, pageSize)
  if (ids.length > 0) await deleteMessages(ctx, db, env, ids, now)
  if (ids.length < pageSize) return
  const { environmentId } = env
  await ctx.engine.enqueue(db, 'delete-messages', 'bulk', [{ environmentId, eventId, channel }])
}

export async function deleteNextPage(ctx: Ctx, { environmentId, ...which }: MessagesToDelete): Promise<void> {
  const env = envOf(environmentId)
  await ctx.database.write(env, (db) => deletePageOfEvent(ctx, db, env, which, ctx.clock()))
}
