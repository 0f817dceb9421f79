import type { SubscriberRow } from '../../store/subscribers.ts'

/** The fields of a subscriber in replies, templates and conditions, named as in the specification. */
export function toProfile(row: SubscriberRow) {
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
  }
}
