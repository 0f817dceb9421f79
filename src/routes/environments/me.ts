import { listedEnvironmentSchema, toListedEnvironment } from '../../core/access/environment-json.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { listOfOrganization } from '../../store/access/environments.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/environments/me',
  summary: 'The environment that this request acts in',
  response: listedEnvironmentSchema,
  async handler({ db, env }) {
    const found = (await listOfOrganization(db, env.organizationId)).find(({ id }) => id === env.environmentId)
    if (!found) throw new ApiError('environment_not_found')
    return toListedEnvironment(found)
  },
})
