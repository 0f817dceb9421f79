import { type Static, Type } from 'typebox'
import { isPlainObject } from '../../lib/canonical-json.ts'
import { findRefusedContent } from '../../lib/read-json.ts'
import { describedAs, fields, freeObject, nullable } from '../../lib/schemas.ts'
import { faultFinder } from '../../lib/validate.ts'
import { actorShown, type InlineSubscriber, readRecipients, recipientsShown } from '../pipeline/recipients.ts'
import { maxContextChars, maxContextEntries } from '../subscribers/read-context.ts'

const tenantShown = Type.Unsafe<unknown>({
  anyOf: [
    { type: ['string', 'null'], description: 'The identifier of a tenant.' },
    Type.Object({ identifier: Type.String() }),
  ],
})
const contextId = { type: 'string', minLength: 1, maxLength: maxContextChars }
const contextShown = Type.Unsafe<unknown>({
  type: ['object', 'null'],
  maxProperties: maxContextEntries,
  propertyNames: { pattern: '^[^:]+$' },
  additionalProperties: {
    anyOf: [contextId, { type: 'object', properties: { id: contextId, data: freeObject }, required: ['id'] }],
  },
  description: 'The contexts, by type. Each value is an id, or an object with an `id`.',
})

/** Spec 4.13. `to`, `actor`, `tenant` and `context` have several shapes and are read below. */
export const eventProperties = {
  name: Type.String({ minLength: 1, maxLength: 255 }),
  payload: Type.Optional(nullable(freeObject)),
  overrides: Type.Optional(nullable(freeObject)),
  to: Type.Optional(describedAs(Type.Unknown(), recipientsShown)),
  transactionId: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 255, format: 'identifier' }))),
  actor: Type.Optional(describedAs(Type.Unknown(), actorShown)),
  tenant: Type.Optional(describedAs(Type.Unknown(), tenantShown)),
  context: Type.Optional(describedAs(Type.Unknown(), contextShown)),
  bridgeUrl: Type.Optional(
    nullable(
      Type.String({
        maxLength: 2048,
        description: 'Refused, unless it is the bridge of the environment (`/v1/bridge/sync`).',
      }),
    ),
  ),
}
const eventInput = fields(eventProperties)
/** For a list whose entries are read one by one. */
export const eventShown = describedAs(Type.Unknown(), Type.Object(eventProperties, { title: 'TriggerEvent' }))
export type EventInput = Static<typeof eventInput>
const faultOf = faultFinder(eventInput)

export function readEvent(value: unknown): { event: EventInput } | { fault: string } {
  const refused = findRefusedContent(value)
  if (refused) return { fault: `${refused.path || 'The event'} ${refused.reason}.` }
  const fault = faultOf(value)
  return fault ? { fault } : { event: withoutNulls(value as EventInput) }
}

/** Null of an optional field counts as absent, also for the hash that tells events of one transactionId apart. */
function withoutNulls(event: EventInput): EventInput {
  return Object.fromEntries(Object.entries(event).filter(([, value]) => value !== null)) as EventInput
}

/** Undefined: given in a shape we do not know. */
export function readTenant(tenant: unknown): string | null | undefined {
  if (tenant === undefined || tenant === null) return null
  if (typeof tenant === 'string') return tenant
  return isPlainObject(tenant) && typeof tenant.identifier === 'string' ? tenant.identifier : undefined
}

/** Who caused the event: an id, or a subscriber to save like a recipient. Undefined: neither. */
export function readActor(actor: unknown): InlineSubscriber | null | undefined {
  if (actor === undefined || actor === null) return null
  const [read] = readRecipients([actor]).recipients
  return read && !('topicKey' in read) ? read : undefined
}
