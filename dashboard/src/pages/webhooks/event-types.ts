import type { WebhookDelivery } from '../../api/types.ts'

export type EventType = Exclude<WebhookDelivery['type'], 'endpoint.test'>
/** What an endpoint wants to hear of; null: everything. Later versions of the server may know more types than this page. */
export type Wanted = readonly string[] | null

/** A type of the API that is missing here does not compile. */
const meanings: Record<EventType, string> = {
  'message.sent': 'In the feed, or a provider took it',
  'message.failed': 'Refused, given up, or in doubt and not tried again',
  'message.delivered': 'Its vendor says that it arrived',
  'message.bounced': 'Its vendor says that it came back',
  'message.complained': 'Its vendor says that it was called unwanted',
  'message.seen': 'Seen in an inbox',
  'message.read': 'Marked as read',
  'message.unread': 'Marked as unread',
  'message.archived': 'Archived',
  'message.unarchived': 'Taken out of the archive',
  'message.snoozed': 'Snoozed',
  'message.unsnoozed': 'Taken out of its snooze by somebody',
  'message.deleted': 'Deleted from the inbox',
  'notification.completed': 'The last step of a workflow ended for a person',
  'preference.updated': 'Somebody chose what they want to get',
  'subscriber.created': 'A person was added',
  'subscriber.updated': 'A profile or its credentials changed',
  'subscriber.deleted': 'A person was deleted',
  'workflow.created': 'A workflow was made',
  'workflow.updated': 'A workflow was saved',
  'workflow.deleted': 'A workflow was deleted',
  'workflow.published': 'Published from another environment, or put back',
}
export const eventTypes = Object.keys(meanings) as EventType[]
export const meaningOf = (type: EventType) => meanings[type]

const labels: Record<string, string> = {
  message: 'Messages',
  notification: 'Notifications',
  preference: 'Preferences',
  subscriber: 'Subscribers',
  workflow: 'Workflows',
}
const subjectOf = (type: string) => type.split('.')[0] ?? type
export const verbOf = (type: string) => type.slice(subjectOf(type).length + 1)

export type Subject = { id: string; label: string; types: EventType[] }
export const subjects: readonly Subject[] = [...Map.groupBy(eventTypes, subjectOf)].map(([id, types]) => ({
  id,
  label: labels[id] ?? id,
  types,
}))

export type Share = 'all' | 'some' | 'none'

export function shareOf(chosen: readonly string[], { types }: Subject): Share {
  const count = types.filter((type) => chosen.includes(type)).length
  return count === 0 ? 'none' : count === types.length ? 'all' : 'some'
}

/** In the order of the table, whatever order they were chosen in; types that are unknown here stay, at the end. */
export function withTypes(chosen: readonly string[], changed: readonly string[], on: boolean): string[] {
  const next = new Set(chosen)
  for (const type of changed) {
    if (on) next.add(type)
    else next.delete(type)
  }
  const known = eventTypes.filter((type) => next.has(type))
  return [...known, ...[...next].filter((type) => !known.some((it) => it === type))]
}

const mostNamed = 4

/** In short: a subject that is wanted whole is `message.*`, and of many the first are named. */
export function wantedWords(wanted: Wanted): string {
  if (wanted === null) return 'All events'
  const whole = subjects.filter((subject) => subject.types.length > 1 && shareOf(wanted, subject) === 'all')
  const isWhole = (type: string) => whole.some(({ id }) => id === subjectOf(type))
  const single = wanted.filter((type) => !isWhole(type))
  const parts = [...whole.map(({ id }) => `${id}.*`), ...single]
  if (parts.length <= mostNamed) return parts.join(', ')
  const named = parts.slice(0, mostNamed - 1)
  return `${named.join(', ')} and ${parts.length - named.length} more`
}
