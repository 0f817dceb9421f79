import { Type } from 'typebox'
import { readContent } from '../../core/content/read-content.ts'
import { defineRoute } from '../../http/define-route.ts'
import { freeObject, listOf } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/content',
  summary: 'All workflows, layouts and translations of this environment, as files hold them',
  response: Type.Object(
    {
      resources: listOf(freeObject, {
        description: 'Bodies of POST /v2/workflows, /v2/layouts and /v2/translations, in the same order each time.',
      }),
    },
    { title: 'Content' },
  ),
  // It takes connections of its own, one after the other.
  handler: async ({ ctx, env, outside }) => ({ resources: await outside('content', () => readContent(ctx, env)) }),
})
