import { endpointInput } from '../../core/channels/endpoint-input.ts'
import { changeEndpoint } from '../../core/channels/save-endpoint.ts'
import { endpointSchema, toEndpointJson } from '../../core/replies/channel-json.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'PATCH',
  path: '/v1/channel-endpoints/{identifier}',
  summary: 'Move a channel endpoint to another place of the same type',
  body: fields({ endpoint: endpointInput }),
  response: endpointSchema,
  async handler({ ctx, db, env, now, params, body }) {
    const row = await changeEndpoint({ ctx, db, env, now }, params.identifier, body.endpoint)
    return toEndpointJson(ctx, env, row)
  },
})
