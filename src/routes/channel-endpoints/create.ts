import { Type } from 'typebox'
import {
  contextInput,
  endpointInput,
  identifierInput,
  readContextKeys,
  readEndpoint,
} from '../../core/channels/endpoint-input.ts'
import { createEndpoint } from '../../core/channels/save-endpoint.ts'
import { getIntegrationByIdentifier } from '../../core/integrations/save-integration.ts'
import { endpointSchema, toEndpointJson } from '../../core/replies/channel-json.ts'
import { defineRoute } from '../../http/define-route.ts'
import { subscriberIdInput } from '../../lib/inputs.ts'
import { fields, oneOf } from '../../lib/schemas.ts'
import { endpointTypes } from '../../providers/endpoint.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/channel-endpoints',
  summary: 'Say where a subscriber is reached through an integration',
  body: fields({
    identifier: Type.Optional(identifierInput),
    subscriberId: subscriberIdInput,
    createSubscriberIfMissing: Type.Optional(Type.Boolean()),
    context: contextInput,
    integrationIdentifier: Type.String(),
    connectionIdentifier: Type.Optional(Type.String()),
    type: oneOf(endpointTypes),
    endpoint: endpointInput,
  }),
  status: 201,
  response: endpointSchema,
  async handler({ ctx, db, env, now, body }) {
    const contextKeys = readContextKeys(body.context)
    const integration = await getIntegrationByIdentifier(db, env, body.integrationIdentifier)
    const provider = ctx.providers.find(integration.provider_id)
    const endpoint = readEndpoint(ctx, provider, body.type, body.endpoint)
    const subscriberId = body.subscriberId.trim()
    const row = await createEndpoint(
      { ctx, db, env, now },
      { ...body, subscriberId, integration, contextKeys, endpoint },
    )
    return toEndpointJson(ctx, env, row)
  },
})
