import { subscriberSchema, toSubscriberJson } from '../../core/replies/subscriber-json.ts'
import { channelInput, setChannelCredentials } from '../../core/subscribers/set-channel-credentials.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'PUT',
  path: '/v1/subscribers/{subscriberId}/credentials',
  summary:
    'Set channel credentials; device tokens are appended. A provider without an integration gets one: active if it needs no credentials, else off until they are there',
  body: channelInput,
  response: subscriberSchema,
  async handler({ ctx, db, env, now, params, body }) {
    const row = await setChannelCredentials({ ctx, db, env, now }, params.subscriberId, body)
    return toSubscriberJson(ctx, db, env, row)
  },
})
