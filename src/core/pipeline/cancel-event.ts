import type { Ctx } from '../../context.ts'
import type { Db, Env } from '../../store/database.ts'
import { cancelEvent as cancelExpansion, findEventKeys } from '../../store/history/events.ts'
import { type Canceled, cancelJobsOfEvent } from '../../store/history/history.ts'
import { leaveDigests } from '../../store/history/windows.ts'
import { type Occurrence, recordOccurrences } from '../numbers/occurrences.ts'

/** Stops what an event has not done yet. Returns the number of jobs stopped; 0 for an unknown transactionId. */
export async function cancelEvent(ctx: Ctx, db: Db, env: Env, transactionId: string, now: Date): Promise<number> {
  const [event] = await findEventKeys(db, env, [transactionId])
  if (!event) return 0
  // The event first: a page that is being written locks the event's row, so its jobs exist when we stop them.
  const wasOpen = await cancelExpansion(db, env, event.event_id)
  await leaveDigests(db, env, event.event_id, now)
  const canceled = await cancelJobsOfEvent(db, env, event.event_id, now)
  await recordOccurrences(ctx, db, env, toOccurrences(canceled), now)
  // The recipients not reached yet cannot be counted, because topics may change meanwhile. They count as one job.
  return canceled.steps.length + (wasOpen ? 1 : 0)
}

function toOccurrences({ steps, messages }: Canceled): Occurrence[] {
  return [
    ...steps.map(({ workflowId, type }): Occurrence => {
      return { of: 'step', outcome: 'canceled', workflowId, type, hasMessages: false }
    }),
    ...messages.map((message): Occurrence => ({ of: 'message', ...message })),
  ]
}
