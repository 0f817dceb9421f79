import { isPlainObject } from '../../lib/canonical-json.ts'
import type { EventRow } from '../../store/history/events.ts'
import type { SubscriberRow } from '../../store/subscribers.ts'
import { toProfile } from '../subscribers/profile.ts'

/** A subscriber as templates and conditions see it: without a `data` of his own he has an empty one. */
export function toScopeSubscriber(row: SubscriberRow): Record<string, unknown> {
  return { ...toProfile(row), data: isPlainObject(row.data) ? row.data : {} }
}

/** The tenant as it stands when the event is expanded; deleted meanwhile, its identifier is all that is known. */
export function toScopeTenant(event: EventRow): Record<string, unknown> {
  if (event.tenant === null) return {}
  const data = isPlainObject(event.tenant_data) ? event.tenant_data : {}
  return { identifier: event.tenant, name: event.tenant_name, data }
}

/** Given as `type: id` or as `type: { id, data }`, a template sees one shape: `{ id, data }`. */
export function toScopeContext({ context }: Pick<EventRow, 'context'>): Record<string, unknown> {
  if (!isPlainObject(context)) return {}
  return Object.fromEntries(Object.entries(context).map(([type, given]) => [type, toScopeEntry(given)]))
}

function toScopeEntry(given: unknown): { id: unknown; data: Record<string, unknown> } {
  if (!isPlainObject(given)) return { id: given, data: {} }
  return { id: given.id, data: isPlainObject(given.data) ? given.data : {} }
}
