import { getOwnConnection } from '../../core/channels/own-channels.ts'
import { removeConnection } from '../../core/channels/save-connection.ts'
import { defineInboxRoute } from '../../http/inbox/define-inbox-route.ts'

export default defineInboxRoute({
  method: 'DELETE',
  path: '/v1/inbox/channel-connections/{identifier}',
  summary: "Delete one's own channel connection, its tokens and its endpoints; a shared one is left to a server",
  status: 204,
  async handler({ ctx, db, env, now, params, person }) {
    const { identifier } = await getOwnConnection(db, env, person, params.identifier)
    await removeConnection({ ctx, db, env, now }, identifier)
    return null
  },
})
