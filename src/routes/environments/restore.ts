import { bringBackEnvironment } from '../../core/access/change-environments.ts'
import { listedEnvironmentSchema, toListedEnvironment } from '../../core/access/environment-json.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/environments/{environmentId}/restore',
  summary: 'Restore a deleted environment within its grace time: what waited goes on, and its keys work again',
  response: listedEnvironmentSchema,
  async handler({ params, ...scope }) {
    return toListedEnvironment(await bringBackEnvironment(scope, params.environmentId))
  },
})
