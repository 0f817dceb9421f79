import { isPlainObject } from '../lib/canonical-json.ts'
import type { SubscriberRow } from '../store/subscribers.ts'

/** A subscriber as templates and conditions see it: the specification's names. */
export function toScopeSubscriber(row: SubscriberRow): Record<string, unknown> {
  return {
    _id: row.id,
    subscriberId: row.subscriber_id,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    phone: row.phone,
    avatar: row.avatar,
    locale: row.locale,
    timezone: row.timezone,
    isOnline: row.is_online,
    data: isPlainObject(row.data) ? row.data : {},
  }
}
