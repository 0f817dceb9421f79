import { acceptEvents, triggerResultSchema } from '../../core/pipeline/accept-events.ts'
import { eventProperties } from '../../core/pipeline/read-event.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/events/trigger',
  summary: 'Trigger one event',
  body: fields(eventProperties),
  bodyLimitBytes: 25 * 1024 * 1024,
  status: 201,
  response: triggerResultSchema,
  async handler({ ctx, db, env, now, traceparent, outside, body }) {
    const [result] = await acceptEvents({ ctx, db, env, now, traceparent, outside }, [body])
    if (!result) throw new Error('one event in, one result out')
    return result
  },
})
