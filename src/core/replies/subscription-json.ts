import { type Static, Type } from 'typebox'
import { uuid7Time } from '../../lib/uuid7.ts'
import type { Db, Env } from '../../store/database.ts'
import { listPreferences } from '../../store/preferences.ts'
import type { SubscriberRow } from '../../store/subscribers.ts'
import type { SubscriptionRow } from '../../store/subscription-details.ts'
import { choicesByScope, resolvePreference } from '../subscribers/preferences.ts'
import type { ChangedSubscriptionPreference } from '../topics/change-preferences.ts'
import { shownIdentifier } from '../topics/own-subscriptions.ts'
import { loadCurrentWorkflows } from '../workflows/save-workflow.ts'
import type { Workflow } from '../workflows/workflow.ts'
import { changedPreferenceSchema, toWorkflowSummary } from './preference-json.ts'

const { workflow } = changedPreferenceSchema.properties

export const subscriptionPreferenceSchema = Type.Object(
  {
    subscriptionId: Type.String(),
    workflow,
    enabled: Type.Boolean(),
    condition: Type.Optional(Type.Unsafe<unknown>({ description: 'JSON Logic.' })),
  },
  { title: 'SubscriptionPreference' },
)
type SubscriptionPreferenceJson = Static<typeof subscriptionPreferenceSchema>

/** A person's subscription to a topic. */
export const subscriptionSchema = Type.Object(
  {
    id: Type.String(),
    identifier: Type.String(),
    name: Type.Optional(Type.String()),
    topicKey: Type.String(),
    contextKeys: Type.Array(Type.String()),
    preferences: Type.Array(subscriptionPreferenceSchema),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
  },
  { title: 'Subscription' },
)
export type SubscriptionJson = Static<typeof subscriptionSchema>

/** Workflows to show also if nothing was chosen for them: by workflowId, `_id` or tag. */
type Asked = { workflowIds?: readonly string[] | undefined; tags?: readonly string[] | undefined }

export async function toSubscriptionJsons(
  db: Db,
  env: Env,
  subscriber: SubscriberRow,
  rows: readonly SubscriptionRow[],
): Promise<SubscriptionJson[]> {
  return rows.map(await loadToJson(db, env, subscriber, rows, {}))
}

export async function toSubscriptionJson(
  db: Db,
  env: Env,
  subscriber: SubscriberRow,
  row: SubscriptionRow,
  asked: Asked = {},
): Promise<SubscriptionJson> {
  const toJson = await loadToJson(db, env, subscriber, [row], asked)
  return toJson(row)
}

async function loadToJson(
  db: Db,
  env: Env,
  subscriber: SubscriberRow,
  rows: readonly SubscriptionRow[],
  asked: Asked,
): Promise<(row: SubscriptionRow) => SubscriptionJson> {
  const isAsked = (asked.workflowIds?.length ?? 0) + (asked.tags?.length ?? 0) > 0
  const needsWorkflows = isAsked || rows.some((row) => Object.keys(row.preferences).length > 0)
  const workflows = needsWorkflows ? (await loadCurrentWorkflows(db, env)).map((it) => it.workflow) : []
  const choices = isAsked ? choicesByScope(await listPreferences(db, env, subscriber.id)) : () => null
  const isOn = (it: Workflow) =>
    resolvePreference({
      workflow: it,
      channel: 'all',
      subscriberGlobal: choices(subscriber.id, null),
      subscriberWorkflow: choices(subscriber.id, it.id),
    }).enabled
  return (row) => ({
    id: row.id,
    identifier: shownIdentifier(row, subscriber),
    ...(row.name !== null && { name: row.name }),
    topicKey: row.topic_key,
    contextKeys: row.context_keys,
    preferences: workflows.flatMap((it): SubscriptionPreferenceJson[] => {
      const stored = row.preferences[it.id]
      if (isAsked ? !isNamed(it, asked) : !stored) return []
      return [toSubscriptionPreferenceJson({ row, workflow: it, preference: stored ?? { enabled: isOn(it) } })]
    }),
    createdAt: uuid7Time(row.id).toISOString(),
    updatedAt: (row.updated_at ?? uuid7Time(row.id)).toISOString(),
  })
}

export function toSubscriptionPreferenceJson({
  row,
  workflow: it,
  preference: { enabled, condition },
}: ChangedSubscriptionPreference): SubscriptionPreferenceJson {
  return {
    subscriptionId: row.id,
    workflow: toWorkflowSummary(it),
    enabled,
    ...(condition !== undefined && { condition }),
  }
}

function isNamed({ id, identifier, tags }: Workflow, asked: Asked): boolean {
  return (
    (asked.workflowIds?.some((ref) => ref === id || ref === identifier) ?? false) ||
    (asked.tags?.some((tag) => tags.includes(tag)) ?? false)
  )
}
