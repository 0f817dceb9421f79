import { Type } from 'typebox'
import { cancelSend } from '../../core/sends/cancel-send.ts'
import { holdUntilStill } from '../../core/sends/hold-until-still.ts'
import { sendSchema } from '../../core/sends/send-json.ts'
import { changeAndShow } from '../../core/sends/send-routes.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/sends/{transactionId}/cancel',
  summary: 'Cancel an event, also a paused one: nothing of it begins any more, and what was not sent is taken back',
  body: fields({ note: Type.Optional(Type.String({ maxLength: 200, description: 'Why; shown with it.' })) }),
  response: Type.Object({ data: sendSchema }),
  handler: ({ params, body, ...scope }) =>
    changeAndShow(scope, params.transactionId, (ctx, db, env, eventId, now) => {
      const why = { reason: 'person', text: body.note ?? null, by: env.actor?.name ?? null }
      return cancelSend(ctx, db, env, eventId, why, now)
    }),
  beforeReply: ({ ctx, env, params }) => holdUntilStill(ctx, env, params.transactionId),
})
