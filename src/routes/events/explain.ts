import { eventProperties } from '../../core/accept/read-event.ts'
import { explainEvent, explanationSchema } from '../../core/pipeline/explain.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/events/explain',
  summary: 'What this event would do: who would get what through which integration, when, and why not. Nothing is sent',
  body: fields(eventProperties),
  bodyLimitBytes: 25 * 1024 * 1024,
  response: explanationSchema,
  handler: ({ ctx, db, env, now, outside, body }) => explainEvent({ ctx, db, env, now, outside }, body),
})
