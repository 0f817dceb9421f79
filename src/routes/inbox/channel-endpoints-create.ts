import { Type } from 'typebox'
import { endpointInput, readEndpoint } from '../../core/channels/endpoint-input.ts'
import { refuseOthersName, refuseUnvouched } from '../../core/channels/own-channels.ts'
import { linkEndpoint } from '../../core/channels/save-endpoint.ts'
import { getIntegrationByIdentifier } from '../../core/integrations/save-integration.ts'
import { defineInboxRoute } from '../../http/inbox/define-inbox-route.ts'
import { subscriberIdInput } from '../../lib/inputs.ts'
import { fields, oneOf } from '../../lib/schemas.ts'

export default defineInboxRoute({
  method: 'POST',
  path: '/v1/inbox/channel-endpoints',
  summary: 'Register the push subscription of this browser; given again, it is the same endpoint',
  body: fields({
    integrationIdentifier: Type.String(),
    subscriberId: Type.Optional(subscriberIdInput),
    // Whoever could name any place would have us send there in the name of the tenant's app.
    type: oneOf(['web_push']),
    endpoint: endpointInput,
  }),
  status: 201,
  response: Type.Object({ data: Type.Object({ identifier: Type.String(), type: Type.String() }) }),
  async handler({ ctx, db, env, now, body, person }) {
    const { subscriber, contextKeys } = person
    refuseOthersName(person, body.subscriberId)
    const integration = await getIntegrationByIdentifier(db, env, body.integrationIdentifier)
    refuseUnvouched(ctx, integration, person)
    const endpoint = readEndpoint(ctx, ctx.providers.find(integration.provider_id), body.type, body.endpoint)
    const given = { integration, subscriberId: subscriber.subscriber_id, contextKeys, endpoint }
    const identifier = await linkEndpoint({ ctx, db, env, now }, given, null)
    return { data: { identifier, type: body.type } }
  },
})
