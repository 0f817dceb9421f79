import { Type } from 'typebox'
import { sendSchema } from '../../core/sends/send-json.ts'
import { showSend } from '../../core/sends/show-send.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/sends/{transactionId}',
  summary: 'How far an event has come: people, messages by what became of them, and why it stands',
  response: Type.Object({ data: sendSchema }),
  handler: async ({ db, env, params }) => ({ data: await showSend(db, env, params.transactionId) }),
})
