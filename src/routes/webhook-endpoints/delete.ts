import { removeEndpoint } from '../../core/webhooks/save-endpoint.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'DELETE',
  path: '/v1/webhook-endpoints/{endpointId}',
  summary: 'Delete a webhook endpoint; what it was to be told is dropped',
  status: 204,
  async handler({ ctx, db, env, now, params }) {
    await removeEndpoint({ ctx, db, env, now }, params.endpointId)
  },
})
