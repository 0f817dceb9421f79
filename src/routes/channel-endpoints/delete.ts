import { removeEndpoint } from '../../core/channels/save-endpoint.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'DELETE',
  path: '/v1/channel-endpoints/{identifier}',
  summary: 'Delete a channel endpoint: nothing is sent there any more',
  status: 204,
  async handler({ ctx, db, env, now, params }) {
    await removeEndpoint({ ctx, db, env, now }, params.identifier)
  },
})
