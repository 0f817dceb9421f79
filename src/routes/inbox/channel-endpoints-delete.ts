import { getOwnEndpoint } from '../../core/channels/own-channels.ts'
import { removeEndpoint } from '../../core/channels/save-endpoint.ts'
import { defineInboxRoute } from '../../http/inbox/define-inbox-route.ts'

export default defineInboxRoute({
  method: 'DELETE',
  path: '/v1/inbox/channel-endpoints/{identifier}',
  summary: "Delete one's own channel endpoint: nothing is sent there any more",
  status: 204,
  async handler({ ctx, db, env, now, params, person }) {
    const { identifier } = await getOwnEndpoint(db, env, person, params.identifier)
    await removeEndpoint({ ctx, db, env, now }, identifier)
    return null
  },
})
