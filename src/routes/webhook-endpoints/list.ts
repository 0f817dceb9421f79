import { toWebhookEndpointJson, webhookEndpointSchema } from '../../core/replies/webhook-json.ts'
import { defineRoute } from '../../http/define-route.ts'
import { cursorList } from '../../http/paging.ts'
import { cursorPageOf, cursorQuery, fields } from '../../lib/schemas.ts'
import { listEndpoints } from '../../store/webhooks/endpoints.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/webhook-endpoints',
  summary: 'List webhook endpoints',
  query: fields(cursorQuery(['_id', 'createdAt', 'updatedAt'])),
  response: cursorPageOf(webhookEndpointSchema),
  handler: ({ ctx, db, env, query }) =>
    cursorList(
      { ctx, env, query },
      {
        name: 'webhook-endpoints',
        filter: {},
        load: (page) => listEndpoints(db, env, page),
        toJson: (rows) => rows.map(toWebhookEndpointJson),
      },
    ),
})
