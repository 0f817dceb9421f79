import { type Static, Type } from 'typebox'
import { describedAs, freeObject, nullable, oneOf } from '../../lib/schemas.ts'
import { uuid7Time } from '../../lib/uuid7.ts'
import type { DeliveryRow, Try } from '../../store/webhooks/deliveries.ts'
import type { EndpointRow } from '../../store/webhooks/endpoints.ts'
import { eventTypes, testType } from '../../store/webhooks/event-types.ts'

const time = Type.String({ format: 'date-time' })
const maybeTime = nullable(time)
const maybeText = nullable(Type.String())

const endpointFields = {
  _id: Type.String(),
  url: Type.String(),
  description: maybeText,
  eventTypes: nullable(Type.Array(Type.String(), { description: 'Null: everything.' })),
  status: oneOf(['enabled', 'disabled']),
  disabledReason: nullable(Type.String({ description: 'Null: it works, or you disabled it.' })),
  failingSince: nullable(
    Type.String({ format: 'date-time', description: 'Since when everything that was tried has failed.' }),
  ),
  createdAt: time,
  updatedAt: time,
}

export const webhookEndpointSchema = Type.Object(endpointFields, { title: 'WebhookEndpoint' })

export const webhookEndpointWithSecretSchema = Type.Object(
  { ...endpointFields, secret: Type.String({ description: 'Shown now and never again.' }) },
  { title: 'WebhookEndpointWithSecret' },
)

export function toWebhookEndpointJson(row: EndpointRow): Static<typeof webhookEndpointSchema> {
  return {
    _id: row.id,
    url: row.url,
    description: row.description,
    eventTypes: row.event_types,
    status: row.state === 'enabled' ? 'enabled' : 'disabled',
    disabledReason: row.disabled_reason,
    failingSince: row.failing_since?.toISOString() ?? null,
    createdAt: uuid7Time(row.id).toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

const trySchema = Type.Object(
  {
    number: Type.Integer(),
    startedAt: time,
    endedAt: maybeTime,
    outcome: oneOf(['delivered', 'failed', 'paced', 'unknown'], {
      description: '`paced`: asked to wait (429). `unknown`: nobody recorded what became of it.',
    }),
    status: nullable(Type.Integer({ description: 'Of the HTTP reply; null: there was none.' })),
    reply: nullable(Type.String({ description: 'The first 500 characters of the reply, or why there was none.' })),
  },
  { title: 'WebhookTry' },
)

export const webhookDeliverySchema = Type.Object(
  {
    _id: Type.String({ description: 'Of the event: `webhook-id` in every try.' }),
    type: oneOf([...eventTypes, testType]),
    status: oneOf(['open', 'delivered', 'failed']),
    event: describedAs(
      freeObject,
      Type.Object({ type: Type.String(), timestamp: time, environmentId: Type.String(), data: freeObject }),
    ),
    nextTryAt: nullable(Type.String({ format: 'date-time', description: 'Null: it is settled, or being tried now.' })),
    tries: Type.Array(trySchema, { description: 'The last 20, the oldest first.' }),
    createdAt: time,
  },
  { title: 'WebhookDelivery' },
)

export function toWebhookDeliveryJson(row: DeliveryRow): Static<typeof webhookDeliverySchema> {
  return {
    _id: row.id,
    type: row.type as Static<typeof webhookDeliverySchema>['type'],
    status: row.state as 'open' | 'delivered' | 'failed',
    event: JSON.parse(row.body),
    nextTryAt: row.in_flight ? null : (row.next_at?.toISOString() ?? null),
    tries: row.tries as Try[],
    createdAt: row.created_at.toISOString(),
  }
}
