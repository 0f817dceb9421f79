import { removeEnvironment } from '../../core/access/change-environments.ts'
import { listedEnvironmentSchema, toListedEnvironment } from '../../core/access/environment-json.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'DELETE',
  path: '/v1/environments/{environmentId}',
  summary: 'Delete an environment with all it holds: its keys stop within 5 seconds, its rows go after 7 days',
  response: listedEnvironmentSchema,
  async handler({ params, ...scope }) {
    return toListedEnvironment(await removeEnvironment(scope, params.environmentId))
  },
})
