import { Type } from 'typebox'
import { reachEnvironment } from '../../core/access/reach.ts'
import { defineRoute } from '../../http/define-route.ts'
import { listWorkflowTags } from '../../store/workflows.ts'

export default defineRoute({
  method: 'GET',
  path: '/v2/environments/{environmentId}/tags',
  summary: 'List the tags of the workflows of an environment',
  response: Type.Array(Type.Object({ name: Type.String() })),
  async handler({ ctx, env, params }) {
    const there = await reachEnvironment(ctx, env, params.environmentId)
    const tags = await ctx.database.read(there, (db) => listWorkflowTags(db, there))
    return tags.map((name) => ({ name }))
  },
})
