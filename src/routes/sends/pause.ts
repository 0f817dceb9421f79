import { Type } from 'typebox'
import { holdUntilStill } from '../../core/sends/hold-until-still.ts'
import { sendSchema } from '../../core/sends/send-json.ts'
import { changeAndShow } from '../../core/sends/send-routes.ts'
import { stopSend } from '../../core/sends/stop-send.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/sends/{transactionId}/pause',
  summary: 'Let an event stand still: once this is answered, nothing of it begins until it is resumed',
  body: fields({ note: Type.Optional(Type.String({ maxLength: 200, description: 'Why; shown with it.' })) }),
  response: Type.Object({ data: sendSchema }),
  handler: ({ params, body, ...scope }) =>
    changeAndShow(scope, params.transactionId, (ctx, db, env, eventId, now) => {
      const why = { reason: 'person', text: body.note ?? null, by: env.actor?.name ?? null }
      return stopSend(ctx, db, env, eventId, why, now)
    }),
  beforeReply: ({ ctx, env, params }) => holdUntilStill(ctx, env, params.transactionId),
})
