import { Type } from 'typebox'
import { replayInput, replayRange } from '../../core/webhooks/replay.ts'
import { defineRoute } from '../../http/define-route.ts'
import { nullable } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/webhook-endpoints/{endpointId}/replay',
  summary: 'Send the events of a span of time to a webhook endpoint again',
  body: replayInput,
  response: Type.Object({
    replayed: Type.Integer(),
    next: nullable(Type.String({ description: 'There are more than 5,000: give it as `after` to go on.' })),
  }),
  handler: ({ db, env, now, params, body }) => replayRange(db, env, params.endpointId, body, now),
})
