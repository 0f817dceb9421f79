import { Type } from 'typebox'
import { toWebhookDeliveryJson, webhookDeliverySchema } from '../../core/replies/webhook-json.ts'
import { getEndpoint } from '../../core/webhooks/save-endpoint.ts'
import { showPages } from '../../core/webhooks/show-pages.ts'
import { defineRoute } from '../../http/define-route.ts'
import { cursorList } from '../../http/paging.ts'
import { readTime } from '../../lib/read-time.ts'
import { cursorPageOf, cursorQuery, fields, oneOf } from '../../lib/schemas.ts'
import { listDeliveries } from '../../store/webhooks/deliveries.ts'
import { eventTypes, testType } from '../../store/webhooks/event-types.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/webhook-endpoints/{endpointId}/deliveries',
  summary: 'List what a webhook endpoint was told or is to be told, with the tries and their replies',
  query: fields({
    ...cursorQuery(['_id', 'createdAt']),
    status: Type.Optional(oneOf(['open', 'delivered', 'failed'])),
    type: Type.Optional(oneOf([...eventTypes, testType])),
    since: Type.Optional(Type.String({ description: 'Events of this time and later, as ISO 8601.' })),
    until: Type.Optional(Type.String({ description: 'And before this time.' })),
  }),
  response: cursorPageOf(webhookDeliverySchema),
  async handler({ ctx, db, env, query, params, outside }) {
    const { id } = await getEndpoint(db, env, params.endpointId)
    await showPages(ctx, db, env, id, outside)
    const { status, type } = query
    const [since, until] = [readTime('since', query.since), readTime('until', query.until)]
    const filter = {
      ...(status !== undefined && { state: status }),
      ...(type !== undefined && { type }),
      ...(since && { since }),
      ...(until && { until }),
    }
    return cursorList(
      { ctx, env, query },
      {
        name: 'webhook-deliveries',
        filter: { ...filter, endpointId: id },
        load: (page) => listDeliveries(db, env, id, filter, page),
        toJson: (rows) => rows.map(toWebhookDeliveryJson),
      },
    )
  },
})
