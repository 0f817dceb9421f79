import { diffEnvironments } from '../../core/publishing/diff.ts'
import { getSource } from '../../core/publishing/publish.ts'
import { diffSchema, readResources, resourcesInput, sourceInput } from '../../core/publishing/publishing-json.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'POST',
  path: '/v2/environments/{targetEnvironmentId}/diff',
  summary: 'What publishing to an environment would change there, line by line',
  body: fields({ sourceEnvironmentId: sourceInput, resources: resourcesInput }),
  response: diffSchema,
  isHeavy: () => true,
  actsIn: ({ params }) => params.targetEnvironmentId,
  handler: ({ ctx, env, body, outside }) =>
    outside('diff', async () => {
      const source = await ctx.database.read(env, (db) => getSource(db, env, body.sourceEnvironmentId))
      return diffEnvironments(ctx, { from: source.env, to: env }, readResources(body.resources))
    }),
})
