import { Type } from 'typebox'
import { startConnect } from '../../core/channels/connect.ts'
import { contextInput, readContextKeys } from '../../core/channels/endpoint-input.ts'
import { findIntegrationNamed } from '../../core/channels/save-endpoint.ts'
import { defineRoute } from '../../http/define-route.ts'
import { subscriberIdInput } from '../../lib/inputs.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/integrations/channel-endpoints/oauth',
  summary: 'The address at the vendor where a subscriber says who he is there',
  body: fields({
    integrationIdentifier: Type.String(),
    subscriberId: subscriberIdInput,
    connectionIdentifier: Type.Optional(Type.String()),
    context: contextInput,
    contextHash: Type.Optional(Type.String({ description: 'Not needed with an API key.' })),
    userScope: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 100 })),
  }),
  status: 201,
  response: Type.Object({ url: Type.String() }),
  async handler({ ctx, db, env, now, body }) {
    const integration = await findIntegrationNamed(db, env, body.integrationIdentifier)
    return startConnect(
      { ctx, db, env, now },
      {
        integration,
        mode: 'link',
        connectionIdentifier: body.connectionIdentifier,
        subscriberId: body.subscriberId.trim(),
        isShared: false,
        contextKeys: readContextKeys(body.context),
        scope: body.userScope,
        linksPerson: true,
      },
    )
  },
})
