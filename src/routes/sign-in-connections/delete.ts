import { deleteConnection } from '../../core/sign-in/change-connections.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'DELETE',
  path: '/v1/organization/sign-in-connections/{connectionId}',
  summary: 'Delete a sign-in connection: whoever came in by it is signed out',
  status: 204,
  handler: ({ params, ...scope }) => deleteConnection(scope, params.connectionId),
})
