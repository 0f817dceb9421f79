import { Type } from 'typebox'
import { subscriberSchema, toSubscriberJson } from '../../core/replies/subscriber-json.ts'
import { forgetDeviceTokens } from '../../core/subscribers/remove-device-tokens.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

// In the body, not in the path: who has a token can reach the device, and paths are logged.
const body = fields({
  deviceTokens: Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), { minItems: 1, maxItems: 500 }),
})

export default defineRoute({
  method: 'DELETE',
  path: '/v1/subscribers/{subscriberId}/credentials/{providerId}/device-tokens',
  summary: 'Forget some device tokens of a subscriber; the others stay, and one that is not known is no fault',
  body,
  response: subscriberSchema,
  async handler({ ctx, db, env, now, params, body }) {
    const { subscriberId, providerId } = params
    const row = await forgetDeviceTokens({ ctx, db, env, now }, subscriberId, providerId, body.deviceTokens)
    return toSubscriberJson(ctx, db, env, row)
  },
})
