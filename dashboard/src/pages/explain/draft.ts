import type { Activity } from '../../api/types.ts'

/** What stands in the form. */
export type Draft = {
  workflow: string
  kind: 'person' | 'topic'
  subscriber: string
  topic: string
  payload: string
  overrides: string
  actor: string
  tenant: string
}
export type Asked = {
  name: string
  to: string | { type: 'Topic'; topicKey: string }
  payload: Record<string, unknown>
  overrides?: Record<string, unknown>
  actor?: string
  tenant?: string
}
export type DraftFaults = Partial<Record<keyof Draft, string>>

export const emptyDraft: Draft = {
  workflow: '',
  kind: 'person',
  subscriber: '',
  topic: '',
  payload: '{}',
  overrides: '',
  actor: '',
  tenant: '',
}

/** The question of an event that has happened. */
export function draftOf(event: Activity): Draft {
  const overrides = event.jobs[0]?.overrides ?? {}
  return {
    ...emptyDraft,
    workflow: event.template?.triggers[0]?.identifier ?? '',
    subscriber: event.subscriber?.subscriberId ?? '',
    payload: JSON.stringify(event.payload ?? {}, null, 2),
    overrides: Object.keys(overrides).length > 0 ? JSON.stringify(overrides, null, 2) : '',
  }
}

/** Either the body of the request or what is wrong with the form. */
export function readDraft(draft: Draft): { asked: Asked } | { faults: DraftFaults } {
  const faults: DraftFaults = {}
  if (!draft.workflow) faults.workflow = 'Choose a workflow.'
  if (draft.kind === 'person' && !draft.subscriber.trim()) faults.subscriber = 'Enter a subscriber id.'
  if (draft.kind === 'topic' && !draft.topic.trim()) faults.topic = 'Enter a topic key.'
  const payload = readObject(draft.payload)
  const overrides = readObject(draft.overrides)
  if (typeof payload === 'string') faults.payload = payload
  if (typeof overrides === 'string') faults.overrides = overrides
  if (typeof payload === 'string' || typeof overrides === 'string' || Object.keys(faults).length > 0) return { faults }
  const asked: Asked = {
    name: draft.workflow,
    to: draft.kind === 'topic' ? { type: 'Topic', topicKey: draft.topic.trim() } : draft.subscriber.trim(),
    payload,
    ...(Object.keys(overrides).length > 0 && { overrides }),
    ...(draft.actor.trim() && { actor: draft.actor.trim() }),
    ...(draft.tenant.trim() && { tenant: draft.tenant.trim() }),
  }
  return { asked }
}

/** An object, or why it is none. */
function readObject(text: string): Record<string, unknown> | string {
  if (!text.trim()) return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
    return 'Must be a JSON object: { … }.'
  } catch (error) {
    return error instanceof Error ? `Is not JSON: ${error.message}` : 'Is not JSON.'
  }
}
