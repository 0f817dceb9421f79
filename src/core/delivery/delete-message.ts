import type { Ctx } from '../../context.ts'
import type { Db, Env } from '../../store/database.ts'
import { detail } from '../../store/history/detail.ts'
import { deleteMessage as deleteRow, endJobOfDeleted } from '../../store/history/messages.ts'
import { type Occurrence, outcomeOfStep, recordOccurrences } from '../numbers/occurrences.ts'
import { enqueueResumptions } from '../pipeline/enqueue.ts'

/**
 * Deletes a message. One that was still to be sent is not sent, and its step must not wait for it for ever: the step
 * ends, and those behind it go on, in the same transaction.
 */
export async function deleteMessage(ctx: Ctx, db: Db, env: Env, id: string, now: Date): Promise<boolean> {
  const deleted = await deleteRow(db, env, id, now)
  if (deleted?.delivery !== 'open') return deleted !== null
  const { workflow_id: workflowId, channel, provider_id: providerId } = deleted
  const mayBeOut = deleted.may_be_out
  const what = mayBeOut
    ? 'The message was deleted; it may have been sent'
    : 'The message was deleted before it was sent'
  const job = await endJobOfDeleted(db, env, deleted, detail(now, 'Warning', what), now)
  const outcome = job && outcomeOfStep(job.status)
  const occurrences: Occurrence[] = [
    { of: 'message', outcome: mayBeOut ? 'unknown' : 'canceled', workflowId, channel, providerId },
  ]
  if (job && outcome) occurrences.push({ of: 'step', outcome, workflowId, type: job.type, hasMessages: true })
  await recordOccurrences(ctx, db, env, occurrences, now)
  // An unneeded wake-up does nothing.
  if (job) await enqueueResumptions(ctx, db, env, [deleted.notification_id])
  return true
}
