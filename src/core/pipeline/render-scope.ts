import { isPlainObject } from '../../lib/canonical-json.ts'
import type { EventRow } from '../../store/history/events.ts'
import type { SubscriberRow } from '../../store/subscribers.ts'
import { toProfile } from '../subscribers/profile.ts'

/** A subscriber as templates and conditions see it; `data` is always an object. */
export function toScopeSubscriber(row: SubscriberRow): Record<string, unknown> {
  return { ...toProfile(row), data: isPlainObject(row.data) ? row.data : {} }
}

/** The tenant as it is when the event is expanded. If it was deleted meanwhile, only its identifier is known. */
export function toScopeTenant(event: EventRow): Record<string, unknown> {
  if (event.tenant === null) return {}
  const data = isPlainObject(event.tenant_data) ? event.tenant_data : {}
  return { identifier: event.tenant, name: event.tenant_name, data }
}

/** The context may be given as `type: id` or `type: { id, data }`; templates always see `{ id, data }`. */
export function toScopeContext({ context }: Pick<EventRow, 'context'>): Record<string, unknown> {
  if (!isPlainObject(context)) return {}
  return Object.fromEntries(Object.entries(context).map(([type, given]) => [type, toScopeEntry(given)]))
}

function toScopeEntry(given: unknown): { id: unknown; data: Record<string, unknown> } {
  if (!isPlainObject(given)) return { id: given, data: {} }
  return { id: given.id, data: isPlainObject(given.data) ? given.data : {} }
}
