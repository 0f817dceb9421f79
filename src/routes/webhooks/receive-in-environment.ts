import { Type } from 'typebox'
import { receiveCallbacks } from '../../core/feedback/receive-callbacks.ts'
import { defineOpenRoute, PlainReply } from '../../http/define-route.ts'
import { oneOf } from '../../lib/schemas.ts'
import type { ToldEvent } from '../../store/feedback/callback-arrivals.ts'

/** Our words, and those that the published client reads. */
const statuses: Readonly<Record<string, string>> = {
  delivered: 'delivered',
  bounced: 'bounced',
  complained: 'complaint',
  opened: 'opened',
  clicked: 'clicked',
  unsubscribed: 'unsubscribed',
}

/** Where vendors are told to call by those who know it from elsewhere. */
export default defineOpenRoute({
  method: 'POST',
  path: '/v2/inbound-webhooks/delivery-providers/{environmentId}/{integrationId}',
  summary: 'The same as /v1/webhooks/{integrationId}, and says what it took',
  auth: 'signature',
  response: Type.Array(
    Type.Object({
      id: Type.String({ description: 'Of the message.' }),
      event: Type.Object({ status: oneOf(Object.values(statuses)), date: Type.String({ format: 'date-time' }) }),
    }),
  ),
  async handler({ ctx, now, params, request }) {
    const { events, reply } = await receiveCallbacks(ctx, params, request)
    return reply ? new PlainReply(reply.type, reply.body) : events.flatMap((event) => toResult(event, now))
  },
})

/** What belongs to no message of ours, and words that only the vendor knows, are left out. */
function toResult({ kind, messageId }: ToldEvent, now: Date) {
  const status = statuses[kind]
  return messageId !== null && status ? [{ id: messageId, event: { status, date: now.toISOString() } }] : []
}
