import { type Static, Type } from 'typebox'
import { oneOf } from '../../lib/schemas.ts'
import type { SuppressionRow } from '../../store/suppressions.ts'

/** Chat and push have no addresses that bounce: a token that is gone is removed from the subscriber. */
export const suppressedChannels = ['email', 'sms'] as const
export const suppressionReasons = ['bounced', 'complained', 'unsubscribed'] as const

export const suppressionSchema = Type.Object(
  {
    channel: oneOf(suppressedChannels),
    address: Type.String({ description: 'In lower case.' }),
    reason: oneOf(suppressionReasons),
    messageId: Type.Optional(Type.String({ description: 'The message that bounced or that was complained about.' })),
    createdAt: Type.String({ format: 'date-time' }),
  },
  { title: 'Suppression' },
)
type SuppressionJson = Static<typeof suppressionSchema>

export function toSuppressionJson(row: SuppressionRow): SuppressionJson {
  return {
    // Only these values are ever written.
    channel: row.channel as SuppressionJson['channel'],
    address: row.address,
    reason: row.reason as SuppressionJson['reason'],
    ...(row.message_id !== null && { messageId: row.message_id }),
    createdAt: row.created_at.toISOString(),
  }
}
