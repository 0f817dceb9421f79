import type { BodyOf } from '../../api/calls.ts'
import type { WebhookEndpoint } from '../../api/types.ts'
import { type EventType, type Wanted, withTypes } from './event-types.ts'

export type Draft = { url: string; description: string; wanted: Wanted }
type NewEndpoint = BodyOf<'post', '/v1/webhook-endpoints'>
type Changes = BodyOf<'patch', '/v1/webhook-endpoints/{endpointId}'>

export const emptyDraft: Draft = { url: '', description: '', wanted: null }

export function draftOf({ url, description, eventTypes }: WebhookEndpoint): Draft {
  return { url, description: description ?? '', wanted: eventTypes }
}

/** The server judges the address; here is only what it would not understand. */
export function draftFault({ wanted }: Draft): string | null {
  return wanted?.length === 0 ? 'Choose at least one event, or all.' : null
}

export function toNew(draft: Draft): NewEndpoint {
  const { url, description, eventTypes } = toFields(draft)
  return { url, ...(description !== null && { description }), ...(eventTypes !== null && { eventTypes }) }
}

/** Only what differs. */
export function toChanges(draft: Draft, endpoint: WebhookEndpoint): Changes {
  const [next, now] = [toFields(draft), toFields(draftOf(endpoint))]
  return {
    ...(next.url !== now.url && { url: next.url }),
    ...(next.description !== now.description && { description: next.description }),
    ...(String(next.eventTypes) !== String(now.eventTypes) && { eventTypes: next.eventTypes }),
  }
}

function toFields({ url, description, wanted }: Draft) {
  // A type of a later version came from the server and is understood there.
  const eventTypes = wanted === null ? null : (withTypes([], wanted, true) as EventType[])
  return { url: url.trim(), description: description.trim() || null, eventTypes }
}
