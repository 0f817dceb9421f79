import { type Static, Type } from 'typebox'
import { invalidField } from '../../errors.ts'
import { fields, nullable } from '../../lib/schemas.ts'
import type { Db, Env } from '../../store/database.ts'
import type { SubscriptionPreference, SubscriptionPreferences } from '../../store/subscription-details.ts'
import { listWorkflowsById } from '../../store/workflows.ts'
import { isReadOnly } from '../subscribers/preferences.ts'
import { loadChangeable, workflowRef } from '../subscribers/save-preferences.ts'
import { loadCurrentWorkflows } from '../workflows/save-workflow.ts'
import { faultOfRule, type Rule } from './json-logic.ts'

const condition = Type.Optional(
  Type.Unsafe<Rule>({
    description: 'JSON Logic over payload, subscriber, actor and context. Null takes it back.',
  }),
)
export const preferenceChoice = { enabled: Type.Optional(Type.Boolean()), condition }

const choice = fields({
  workflowId: Type.Optional(workflowRef),
  filter: Type.Optional(
    fields({
      workflowIds: Type.Optional(Type.Array(workflowRef, { maxItems: 100 })),
      tags: Type.Optional(Type.Array(Type.String(), { maxItems: 100 })),
    }),
  ),
  ...preferenceChoice,
})

/** A workflow, a workflow with a choice, or a choice for every workflow that a filter finds. */
const preferencesInput = Type.Array(
  Type.Unsafe<string | Static<typeof choice>>({ anyOf: [{ type: 'string' }, choice] }),
  { maxItems: 100 },
)
type PreferencesInput = Static<typeof preferencesInput>

export const subscriptionChange = {
  name: Type.Optional(nullable(Type.String({ maxLength: 255 }))),
  preferences: Type.Optional(preferencesInput),
}

export type SubscriptionChange = { name?: string | null | undefined; preferences?: PreferencesInput | undefined }

type Change = { enabled?: boolean | undefined; condition?: Rule }

const mostWorkflows = 100
const mostText = 32_768

/** The stored choices with those of the list merged in. What the list does not name stays. */
export async function mergePreferences(
  db: Db,
  env: Env,
  stored: SubscriptionPreferences,
  list: PreferencesInput,
): Promise<SubscriptionPreferences> {
  const merged = { ...stored }
  const workflowsOf = await loadNamed(db, env, list)
  for (const item of list) {
    const change = typeof item === 'string' ? { enabled: true } : item
    checkRule(change)
    for (const id of workflowsOf(item)) merged[id] = changed(merged[id], change)
  }
  return checkSize(db, env, merged)
}

/** One workflow's choice changed. */
export function mergePreference(
  db: Db,
  env: Env,
  stored: SubscriptionPreferences,
  workflowId: string,
  change: Change,
): Promise<SubscriptionPreferences> {
  checkRule(change)
  return checkSize(db, env, { ...stored, [workflowId]: changed(stored[workflowId], change) })
}

function checkRule({ condition: rule }: Change): void {
  const fault = rule === undefined || rule === null ? null : faultOfRule(rule)
  if (fault) throw invalidField('condition', fault)
}

function changed(before: SubscriptionPreference | undefined, { enabled, condition: rule }: Change) {
  const { condition: kept, ...rest } = before ?? { enabled: true }
  const next = rule === undefined ? kept : (rule ?? undefined)
  return { ...rest, ...(enabled !== undefined && { enabled }), ...(next !== undefined && { condition: next }) }
}

async function checkSize(db: Db, env: Env, merged: SubscriptionPreferences): Promise<SubscriptionPreferences> {
  const isFull = (it: SubscriptionPreferences) => Object.keys(it).length > mostWorkflows
  // Workflows that were deleted make room.
  const preferences = isFull(merged) ? await withoutDeleted(db, env, merged) : merged
  if (isFull(preferences)) {
    throw invalidField('preferences', `may name at most ${mostWorkflows} workflows in one subscription`)
  }
  if (JSON.stringify(preferences).length > mostText) {
    throw invalidField('preferences', `may have at most ${mostText} characters in one subscription`)
  }
  return preferences
}

async function withoutDeleted(db: Db, env: Env, preferences: SubscriptionPreferences) {
  const rows = await listWorkflowsById(db, env, Object.keys(preferences))
  const left = new Set(rows.filter((row) => !row.deleted_at).map((row) => row.id))
  return Object.fromEntries(Object.entries(preferences).filter(([id]) => left.has(id)))
}

/** Finds the workflows of an item; all that the list names are read at once. */
async function loadNamed(db: Db, env: Env, list: PreferencesInput) {
  const refs = [...new Set(list.flatMap(refsOf))]
  const changeable = refs.length > 0 ? await loadChangeable(db, env, refs) : []
  const byRef = new Map(refs.map((ref, index) => [ref, changeable[index]?.id]))
  const asksTags = list.some((item) => tagsOf(item).length > 0)
  const current = asksTags ? await loadCurrentWorkflows(db, env) : []
  const open = current.map(({ workflow }) => workflow).filter((it) => !isReadOnly(it))
  return (item: PreferencesInput[number]): Set<string> => {
    const tags = new Set(tagsOf(item))
    const byTag = tags.size > 0 ? open.filter((it) => it.tags.some((tag) => tags.has(tag))) : []
    return new Set([...refsOf(item).flatMap((ref) => byRef.get(ref) ?? []), ...byTag.map(({ id }) => id)])
  }
}

function refsOf(item: PreferencesInput[number]): string[] {
  if (typeof item === 'string') return [item]
  if (item.workflowId === undefined && !item.filter) {
    throw invalidField('preferences', 'each must name a workflowId or have a filter')
  }
  return [item.workflowId ?? [], item.filter?.workflowIds ?? []].flat()
}

function tagsOf(item: PreferencesInput[number]): string[] {
  return typeof item === 'string' ? [] : (item.filter?.tags ?? [])
}
