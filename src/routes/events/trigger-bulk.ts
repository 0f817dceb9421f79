import { Type } from 'typebox'
import { acceptEvents } from '../../core/accept/accept-events.ts'
import { acceptTogether } from '../../core/accept/accept-together.ts'
import { mostEventsAtOnce } from '../../core/accept/finish-at-once.ts'
import { triggerResultSchema } from '../../core/accept/judge-events.ts'
import { eventShown } from '../../core/accept/read-event.ts'
import { defineRoute } from '../../http/define-route.ts'
import { isPlainObject } from '../../lib/canonical-json.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/events/trigger/bulk',
  summary: 'Trigger up to 100 events; each has its own result',
  // The handler checks each event by itself.
  body: fields({ events: Type.Array(eventShown, { minItems: 1, maxItems: 100 }) }),
  contentCheckedByHandler: 'events',
  bodyLimitBytes: 25 * 1024 * 1024,
  status: 201,
  response: Type.Array(triggerResultSchema),
  isHeavy: (body) => isPlainObject(body) && Array.isArray(body.events) && body.events.length > mostEventsAtOnce,
  together: ({ ctx, env, traceparent, body }) => acceptTogether(ctx, { env, events: body.events, traceparent }),
  handler: ({ ctx, db, env, now, traceparent, outside, body }) =>
    acceptEvents({ ctx, db, env, now, outside, traceparent: () => traceparent }, body.events),
})
