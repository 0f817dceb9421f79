import { Type } from 'typebox'
import { listedEnvironmentSchema, toListedEnvironment } from '../../core/access/environment-json.ts'
import { listReachable } from '../../core/access/reach.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/environments',
  summary: 'List the environments that this key can get at: its own, or all of its organization; deleted ones last',
  response: Type.Array(listedEnvironmentSchema),
  handler: async ({ ctx, env }) => (await listReachable(ctx, env)).map(toListedEnvironment),
})
