import { changeConnection } from '../../core/sign-in/change-connections.ts'
import { changedConnection, connectionSchema, toConnectionJson } from '../../core/sign-in/connection-json.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'PATCH',
  path: '/v1/organization/sign-in-connections/{connectionId}',
  summary: 'Change a sign-in connection; what is not sent stays. Another issuer or client ends its sessions',
  body: changedConnection,
  response: connectionSchema,
  handler: async ({ params, body, ...scope }) =>
    toConnectionJson(await changeConnection(scope, params.connectionId, body)),
})
