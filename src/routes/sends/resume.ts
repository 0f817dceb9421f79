import { Type } from 'typebox'
import { resumeSend } from '../../core/sends/resume-send.ts'
import { sendSchema } from '../../core/sends/send-json.ts'
import { changeAndShow } from '../../core/sends/send-routes.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/sends/{transactionId}/resume',
  summary: 'Let an event go on: one that was paused, or whose first people are through',
  body: fields({
    guard: Type.Optional(Type.Boolean({ description: 'false: from now on only a person stops it.' })),
  }),
  response: Type.Object({ data: sendSchema }),
  handler: ({ params, body, ...scope }) =>
    changeAndShow(scope, params.transactionId, (ctx, db, env, eventId, now) => {
      const guard = body.guard === undefined ? {} : { guard: body.guard }
      return resumeSend(ctx, db, env, eventId, { reason: null, text: null, by: env.actor?.name ?? null, ...guard }, now)
    }),
})
