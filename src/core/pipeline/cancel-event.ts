import type { Ctx } from '../../context.ts'
import type { Db, Env } from '../../store/database.ts'
import { cancelEvent as cancelExpansion, findEventKeys } from '../../store/history/events.ts'
import { leaveDigests } from '../../store/history/windows.ts'
import { type Canceled, cancelJobsOfEvent } from '../../store/sends/cancel-jobs.ts'
import { type Occurrence, recordOccurrences } from '../numbers/occurrences.ts'
import { endCanceledSend } from '../sends/end-canceled-send.ts'

/** Stops what an event has not done yet. Returns the number of jobs stopped; 0 for an unknown transactionId. */
export async function cancelEvent(ctx: Ctx, db: Db, env: Env, transactionId: string, now: Date): Promise<number> {
  const [event] = await findEventKeys(db, env, [transactionId])
  if (!event) return 0
  const eventId = event.event_id
  // The event first: a page that is being written locks the event's row, so its jobs exist when we stop them.
  const was = await cancelExpansion(db, env, eventId)
  const wasOpen = await endCanceledSend(ctx, db, env, eventId, was, now)
  await leaveDigests(db, env, eventId, now)
  const canceled = await cancelJobsOfEvent(db, env, eventId, now)
  await recordOccurrences(ctx, db, env, toOccurrences(eventId, canceled), now)
  // The recipients not reached yet cannot be counted, because topics may change meanwhile. They count as one job.
  return canceled.steps.length + (wasOpen ? 1 : 0)
}

export function toOccurrences(sendId: string, { steps, messages }: Canceled): Occurrence[] {
  return [
    ...steps.map(({ workflowId, type, hasMessages }): Occurrence => {
      const step = { of: 'step', outcome: 'canceled', workflowId, type, hasMessages: false } as const
      return hasMessages ? step : { ...step, sendId }
    }),
    ...messages.map((message): Occurrence => ({ of: 'message', ...message, sendId, was: 'waiting' })),
  ]
}
