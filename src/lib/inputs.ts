import { Type } from 'typebox'
import { fields, freeObject, nullable } from './schemas.ts'

/** The caller's own identifier of a subscriber; trimmed when it is stored. */
export const subscriberIdInput = Type.String({ minLength: 1, maxLength: 255, format: 'identifier' })

// A page holds up to a thousand subscribers: without this bound its reply could be too large to send.
const text = Type.Optional(nullable(Type.String({ maxLength: 10_000 })))
const maxDataBytes = 64 * 1024

export const profileProperties = {
  firstName: text,
  lastName: text,
  email: Type.Optional(nullable(Type.String({ format: 'email' }))),
  phone: text,
  avatar: text,
  timezone: Type.Optional(nullable(Type.String({ format: 'timezone' }))),
  locale: Type.Optional(nullable(Type.String({ format: 'locale' }))),
  data: Type.Optional(nullable({ ...freeObject, 'x-maxJsonBytes': maxDataBytes })),
}

export const newSubscriberInput = fields({ subscriberId: subscriberIdInput, ...profileProperties })
