import { createConnection } from '../../core/sign-in/change-connections.ts'
import { connectionSchema, newConnection, toConnectionJson } from '../../core/sign-in/connection-json.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/organization/sign-in-connections',
  summary: 'Let people come in by an issuer (OpenID Connect)',
  body: newConnection,
  status: 201,
  response: connectionSchema,
  handler: async ({ body, ...scope }) => toConnectionJson(await createConnection(scope, body)),
})
