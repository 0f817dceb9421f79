import { Type } from 'typebox'
import { answerChallenge } from '../../core/feedback/receive-callbacks.ts'
import { defineOpenRoute, PlainReply } from '../../http/define-route.ts'

export default defineOpenRoute({
  method: 'GET',
  path: '/v1/webhooks/{integrationId}',
  summary: 'For providers: whether somebody listens here. The answer has the form that the provider asks for',
  auth: 'signature',
  response: Type.Unknown(),
  async handler({ ctx, params, request }) {
    const { type, body } = await answerChallenge(ctx, params.integrationId, request)
    return new PlainReply(type, body)
  },
})
