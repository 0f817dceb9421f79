import { Type } from 'typebox'
import { defineRoute } from '../../http/define-route.ts'
import { cancelEvent, findEventKeys } from '../../store/events.ts'
import { cancelJobsOfEvent } from '../../store/history.ts'

export default defineRoute({
  method: 'DELETE',
  path: '/v1/events/trigger/{transactionId}',
  summary: 'Cancel a triggered event: whoever was not reached is not, and waiting steps do not run',
  response: Type.Object({ acknowledged: Type.Boolean(), canceled: Type.Integer() }),
  async handler({ db, env, now, params }) {
    const [event] = await findEventKeys(db, env, [params.transactionId])
    if (!event) return { acknowledged: true, canceled: 0 }
    await cancelEvent(db, env, event.event_id)
    return { acknowledged: true, canceled: await cancelJobsOfEvent(db, env, event.event_id, now) }
  },
})
