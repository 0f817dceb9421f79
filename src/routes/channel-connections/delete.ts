import { removeConnection } from '../../core/channels/save-connection.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'DELETE',
  path: '/v1/channel-connections/{identifier}',
  summary: 'Delete a channel connection, its tokens and its endpoints',
  status: 204,
  async handler({ ctx, db, env, now, params }) {
    await removeConnection({ ctx, db, env, now }, params.identifier)
  },
})
