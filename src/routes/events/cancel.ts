import { Type } from 'typebox'
import { countCanceled } from '../../core/count-outcomes.ts'
import { defineRoute } from '../../http/define-route.ts'
import { cancelEvent, findEventKeys } from '../../store/history/events.ts'
import { cancelJobsOfEvent } from '../../store/history/history.ts'
import { leaveDigests } from '../../store/history/windows.ts'

export default defineRoute({
  method: 'DELETE',
  path: '/v1/events/trigger/{transactionId}',
  summary: 'Cancel a triggered event: whoever was not reached is not, and waiting steps do not run',
  response: Type.Object({
    acknowledged: Type.Boolean(),
    canceled: Type.Integer({
      description: 'Jobs stopped: steps that waited, and one more when not all recipients had been reached yet.',
    }),
  }),
  async handler({ ctx, db, env, now, params }) {
    const [event] = await findEventKeys(db, env, [params.transactionId])
    if (!event) return { acknowledged: true, canceled: 0 }
    // The event first: a page that is being written holds its row, and then its jobs are there to be stopped.
    const wasOpen = await cancelEvent(db, env, event.event_id)
    await leaveDigests(db, env, event.event_id, now)
    const canceled = await cancelJobsOfEvent(db, env, event.event_id, now)
    countCanceled(ctx, db, canceled)
    // Whom the rest would have reached is not known without walking topics that change meanwhile: it is one job.
    return { acknowledged: true, canceled: canceled.steps.length + (wasOpen ? 1 : 0) }
  },
})
