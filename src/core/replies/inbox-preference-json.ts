import { type Static, Type } from 'typebox'
import { oneOf } from '../../lib/schemas.ts'
import type { Db, Env } from '../../store/database.ts'
import { listPreferences } from '../../store/preferences.ts'
import type { SubscriberRow } from '../../store/subscribers.ts'
import { choicesByScope } from '../subscribers/preferences.ts'
import { loadSchedules, scheduleSchema } from '../subscribers/schedule.ts'
import { loadCurrentWorkflows } from '../workflows/save-workflow.ts'
import type { Workflow } from '../workflows/workflow.ts'
import {
  changedPreferenceSchema,
  type criticalities,
  toChangedPreferenceJson,
  toGlobalJson,
} from './preference-json.ts'

const { level: _, workflow, ...common } = changedPreferenceSchema.properties

/** A preference as the published inbox components read it: the global one, or that of a workflow. */
export const inboxPreferenceSchema = Type.Object(
  {
    level: oneOf(['global', 'template']),
    workflow: Type.Optional(workflow),
    ...common,
    schedule: Type.Optional(scheduleSchema),
    subscriptionId: Type.Optional(Type.String({ description: 'Of a subscription to a topic, where it holds.' })),
    condition: Type.Optional(Type.Unsafe<unknown>({ description: 'JSON Logic.' })),
  },
  { title: 'InboxPreference' },
)
export type InboxPreferenceJson = Static<typeof inboxPreferenceSchema>

type Shown = {
  criticality: (typeof criticalities)[number]
  tags?: readonly string[]
  severity?: readonly string[]
}

/** The global one first, then every active workflow, the oldest first. */
export async function listInboxPreferences(
  db: Db,
  env: Env,
  subscriber: SubscriberRow,
  shown: Shown,
): Promise<InboxPreferenceJson[]> {
  const choices = choicesByScope(await listPreferences(db, env, subscriber.id))
  const global = choices(subscriber.id, null)
  const workflows = (await loadCurrentWorkflows(db, env))
    .map((current) => current.workflow)
    .filter((it) => isShown(it, shown))
  return [
    await showGlobalPreference(db, env, subscriber),
    ...workflows.map((it) => toChangedPreferenceJson({ workflow: it, global, own: choices(subscriber.id, it.id) })),
  ]
}

export async function showGlobalPreference(db: Db, env: Env, subscriber: SubscriberRow): Promise<InboxPreferenceJson> {
  const choices = choicesByScope(await listPreferences(db, env, subscriber.id))
  const schedule = (await loadSchedules(db, env, [subscriber.id])).get(subscriber.id)
  return { level: 'global', ...toGlobalJson(choices(subscriber.id, null)), ...(schedule && { schedule }) }
}

function isShown({ critical, tags, severity }: Workflow, shown: Shown): boolean {
  return (
    (shown.criticality === 'all' || critical === (shown.criticality === 'critical')) &&
    (!shown.tags?.length || shown.tags.some((tag) => tags.includes(tag))) &&
    (!shown.severity?.length || shown.severity.includes(severity))
  )
}
