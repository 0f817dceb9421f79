import { Type } from 'typebox'
import { oneOf } from '../../lib/schemas.ts'

/** Only while an environment is slowed down. */
export const slowedProperty = {
  slowed: Type.Optional(
    Type.Object(
      {
        since: Type.String({ format: 'date-time' }),
        until: Type.String({ format: 'date-time' }),
        reason: oneOf(['failures', 'rate']),
        text: Type.String(),
      },
      { description: 'Only while its work waits behind that of others: since when, and why.' },
    ),
  ),
}
