import { publicationDetailSchema } from '../../core/publishing/publishing-json.ts'
import { showPublication } from '../../core/publishing/show-publication.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/publications/{publicationId}',
  summary: 'A publication, and line by line what it changed',
  response: publicationDetailSchema,
  // Reading and comparing take long, and need no transaction.
  handler: ({ ctx, env, params, outside }) =>
    outside('publication', () => showPublication(ctx, env, params.publicationId)),
})
