import { getConnection } from '../../core/channels/save-connection.ts'
import { connectionSchema, toConnectionJson } from '../../core/replies/channel-json.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/channel-connections/{identifier}',
  summary: 'Get a channel connection',
  response: connectionSchema,
  handler: async ({ db, env, params }) => toConnectionJson(await getConnection(db, env, params.identifier)),
})
