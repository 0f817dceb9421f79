import { revokeOneOfSeveral } from '../../core/operations/change-api-keys.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'DELETE',
  path: '/v1/api-keys/{id}',
  summary: 'Revoke an API key; every node refuses it, and the sessions opened with it, within 5 seconds',
  status: 204,
  async handler({ db, env, now, params }) {
    await revokeOneOfSeveral(db, env, params.id, now)
  },
})
