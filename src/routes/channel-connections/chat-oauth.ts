import { Type } from 'typebox'
import { startConnect } from '../../core/channels/connect.ts'
import { contextInput, identifierInput, readContextKeys } from '../../core/channels/endpoint-input.ts'
import { findIntegrationNamed } from '../../core/channels/save-endpoint.ts'
import { invalidField } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { subscriberIdInput } from '../../lib/inputs.ts'
import { fields, oneOf } from '../../lib/schemas.ts'

const scopes = Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 100 }))

export default defineRoute({
  method: 'POST',
  path: '/v1/integrations/chat/oauth',
  summary: 'The older form of channel-connections/oauth and channel-endpoints/oauth in one',
  body: fields({
    integrationIdentifier: Type.String(),
    subscriberId: Type.Optional(subscriberIdInput),
    connectionIdentifier: Type.Optional(identifierInput),
    context: contextInput,
    scope: scopes,
    userScope: scopes,
    mode: Type.Optional(oneOf(['connect', 'link_user'])),
    connectionMode: Type.Optional(oneOf(['subscriber', 'shared'])),
    autoLinkUser: Type.Optional(Type.Boolean()),
  }),
  status: 201,
  response: Type.Object({ url: Type.String() }),
  async handler({ ctx, db, env, now, body }) {
    const isLink = body.mode === 'link_user'
    if (isLink && body.subscriberId === undefined) throw invalidField('subscriberId', 'is required to link somebody')
    const integration = await findIntegrationNamed(db, env, body.integrationIdentifier)
    const isShared = body.connectionMode === 'shared'
    return startConnect(
      { ctx, db, env, now },
      {
        integration,
        mode: isLink ? 'link' : 'connect',
        connectionIdentifier: body.connectionIdentifier,
        subscriberId: body.subscriberId?.trim(),
        isShared,
        contextKeys: readContextKeys(body.context),
        scope: isLink ? body.userScope : body.scope,
        linksPerson: isLink || (body.autoLinkUser ?? !isShared),
      },
    )
  },
})
