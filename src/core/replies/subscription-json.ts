import { type Static, Type } from 'typebox'
import { uuid7Time } from '../../lib/uuid7.ts'
import type { Db, Env } from '../../store/database.ts'
import { listPreferences } from '../../store/preferences.ts'
import type { SubscriberRow } from '../../store/subscribers.ts'
import { listSubscriptionsOf, type SubscriptionRow } from '../../store/subscription-details.ts'
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

/** By internal id of the member. */
export async function loadSubscriptionsOf(
  db: Db,
  env: Env,
  topicId: string,
  members: readonly { id: string; subscriber_id: string }[],
): Promise<Map<string, SubscriptionJson[]>> {
  const ids = members.map(({ id }) => id)
  const rows = Map.groupBy(await listSubscriptionsOf(db, env, topicId, ids), (row) => row.subscriber_id)
  const workflows = await loadNeeded(db, env, [...rows.values()].flat())
  return new Map(
    members.map((member) => {
      const own = rows.get(member.id) ?? []
      return [member.id, own.map((row) => ({ ...headOf(row, member), preferences: chosenIn(row, workflows) }))] as const
    }),
  )
}

async function loadToJson(
  db: Db,
  env: Env,
  subscriber: SubscriberRow,
  rows: readonly SubscriptionRow[],
  asked: Asked,
): Promise<(row: SubscriptionRow) => SubscriptionJson> {
  const isAsked = (asked.workflowIds?.length ?? 0) + (asked.tags?.length ?? 0) > 0
  if (!isAsked) {
    const workflows = await loadNeeded(db, env, rows)
    return (row) => ({ ...headOf(row, subscriber), preferences: chosenIn(row, workflows) })
  }
  const workflows = (await loadWorkflows(db, env)).filter((it) => isNamed(it, asked))
  const choices = choicesByScope(await listPreferences(db, env, subscriber.id))
  const isOn = (it: Workflow) =>
    resolvePreference({
      workflow: it,
      channel: 'all',
      subscriberGlobal: choices(subscriber.id, null),
      subscriberWorkflow: choices(subscriber.id, it.id),
    }).enabled
  return (row) => ({
    ...headOf(row, subscriber),
    preferences: workflows.map((it) => {
      const preference = row.preferences[it.id] ?? { enabled: isOn(it) }
      return toSubscriptionPreferenceJson({ row, workflow: it, preference })
    }),
  })
}

async function loadWorkflows(db: Db, env: Env): Promise<Workflow[]> {
  return (await loadCurrentWorkflows(db, env)).map(({ workflow: it }) => it)
}

async function loadNeeded(db: Db, env: Env, rows: readonly SubscriptionRow[]): Promise<Workflow[]> {
  return rows.some((row) => Object.keys(row.preferences).length > 0) ? loadWorkflows(db, env) : []
}

function headOf(row: SubscriptionRow, subscriber: Pick<SubscriberRow, 'subscriber_id'>) {
  return {
    id: row.id,
    identifier: shownIdentifier(row, subscriber),
    ...(row.name !== null && { name: row.name }),
    topicKey: row.topic_key,
    contextKeys: row.context_keys,
    createdAt: uuid7Time(row.id).toISOString(),
    updatedAt: (row.updated_at ?? uuid7Time(row.id)).toISOString(),
  }
}

function chosenIn(row: SubscriptionRow, workflows: readonly Workflow[]): SubscriptionPreferenceJson[] {
  return workflows.flatMap((it) => {
    const preference = row.preferences[it.id]
    return preference ? [toSubscriptionPreferenceJson({ row, workflow: it, preference })] : []
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
