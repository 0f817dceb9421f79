import { getEndpoint } from '../../core/channels/save-endpoint.ts'
import { endpointSchema, toEndpointJson } from '../../core/replies/channel-json.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/channel-endpoints/{identifier}',
  summary: 'Get a channel endpoint',
  response: endpointSchema,
  handler: async ({ ctx, db, env, params }) => toEndpointJson(ctx, env, await getEndpoint(db, env, params.identifier)),
})
