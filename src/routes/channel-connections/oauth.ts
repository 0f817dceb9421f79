import { Type } from 'typebox'
import { startConnect } from '../../core/channels/connect.ts'
import { contextInput, identifierInput, readContextKeys } from '../../core/channels/endpoint-input.ts'
import { findIntegrationNamed } from '../../core/channels/save-endpoint.ts'
import { defineRoute } from '../../http/define-route.ts'
import { subscriberIdInput } from '../../lib/inputs.ts'
import { fields, oneOf } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/integrations/channel-connections/oauth',
  summary: 'The address at the vendor where somebody installs the app in a workspace',
  body: fields({
    integrationIdentifier: Type.String(),
    subscriberId: Type.Optional(subscriberIdInput),
    connectionIdentifier: Type.Optional(identifierInput),
    context: contextInput,
    contextHash: Type.Optional(Type.String({ description: 'Not needed with an API key.' })),
    scope: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 100 })),
    connectionMode: Type.Optional(oneOf(['subscriber', 'shared'])),
    autoLinkUser: Type.Optional(Type.Boolean({ description: 'Also reach the subscriber at the vendor.' })),
  }),
  status: 201,
  response: Type.Object({ url: Type.String() }),
  async handler({ ctx, db, env, now, body }) {
    const integration = await findIntegrationNamed(db, env, body.integrationIdentifier)
    const isShared = body.connectionMode === 'shared'
    return startConnect(
      { ctx, db, env, now },
      {
        integration,
        mode: 'connect',
        connectionIdentifier: body.connectionIdentifier,
        subscriberId: body.subscriberId?.trim(),
        isShared,
        contextKeys: readContextKeys(body.context),
        scope: body.scope,
        linksPerson: body.autoLinkUser ?? !isShared,
      },
    )
  },
})
