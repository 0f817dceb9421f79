import { acceptEvents } from '../../core/accept/accept-events.ts'
import { acceptTogether } from '../../core/accept/accept-together.ts'
import { triggerResultSchema } from '../../core/accept/judge-events.ts'
import { eventProperties } from '../../core/accept/read-event.ts'
import { orRefusal } from '../../core/replies/trigger-refusal.ts'
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
  // Status `error`: an unknown workflow or a faulty event, and a transactionId that another event has.
  refusals: { 409: triggerResultSchema, 422: triggerResultSchema },
  async together({ ctx, env, traceparent, body }) {
    const results = await acceptTogether(ctx, { env, events: [body], traceparent })
    return results && orRefusal(results[0], body.name)
  },
  async handler({ ctx, db, env, now, traceparent, outside, body }) {
    const [result] = await acceptEvents({ ctx, db, env, now, outside, traceparent: () => traceparent }, [body])
    return orRefusal(result, body.name)
  },
})
