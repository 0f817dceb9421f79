import { findMissing, missingSchema } from '../../core/translations/missing.ts'
import { getResource } from '../../core/translations/save-translations.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'GET',
  path: '/v2/translations/group/{resourceType}/{resourceId}/missing',
  summary: 'What the templates of a workflow or layout ask for, and what of it each language lacks',
  response: missingSchema,
  handler: async ({ db, env, params }) => findMissing(db, env, await getResource(db, env, params)),
})
