import { type Static, Type } from 'typebox'
import { ApiError, validationFailed } from '../../errors.ts'
import { fields, nullable } from '../../lib/schemas.ts'
import { isUuid7 } from '../../lib/uuid7.ts'
import type { Db, Env } from '../../store/database.ts'
import { deleteSchedule, findPreferences, upsertPreferences, upsertSchedule } from '../../store/preferences.ts'
import type { SubscriberRow } from '../../store/subscribers.ts'
import { findWorkflowsByIdentifier, listWorkflowsById } from '../../store/workflows.ts'
import { toCurrent } from '../workflows/save-workflow.ts'
import { getWorkflows, type Workflow } from '../workflows/workflow.ts'
import { type Choices, choicesByScope, isReadOnly } from './preferences.ts'
import { type Schedule, scheduleFaults, scheduleSchema } from './schedule.ts'

const choice = Type.Optional(nullable(Type.Boolean()))

const channelChoices = { in_app: choice, email: choice, sms: choice, chat: choice, push: choice }

/** Absent: unchanged; null: no choice any more. `enabled` is ours: for every channel without a choice of its own. */
export const choiceInput = { enabled: choice, channels: fields(channelChoices) }
/** The same, as inbox components send it. */
export const flatChoices = { enabled: choice, ...channelChoices }
/** As `preferencesPatch` has it. */
export function nestChoices({ enabled, ...channels }: { enabled?: boolean | null | undefined } & Choices) {
  return { channels, ...(enabled !== undefined && { enabled }) }
}

export const workflowRef = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'Of a workflow: workflowId, _id or slug.',
})

export const preferencesPatch = fields({
  workflowId: Type.Optional(workflowRef),
  enabled: choiceInput.enabled,
  channels: Type.Optional(choiceInput.channels),
  schedule: Type.Optional(nullable(scheduleSchema)),
})

export const bulkPreferencesPatch = fields({
  preferences: Type.Array(fields({ workflowId: workflowRef, ...choiceInput }), { minItems: 1, maxItems: 100 }),
})

/** For all workflows, or for the named one. The schedule always applies to all. */
export async function changePreferences(
  db: Db,
  env: Env,
  subscriber: SubscriberRow,
  patch: Static<typeof preferencesPatch>,
  now: Date,
): Promise<void> {
  const faults = patch.schedule ? scheduleFaults(patch.schedule) : {}
  if (Object.keys(faults).length > 0) throw validationFailed(faults)
  const [workflow] = patch.workflowId === undefined ? [] : await loadChangeable(db, env, [patch.workflowId])
  const choices = toChoices(patch)
  if (Object.keys(choices).length > 0) {
    await save(db, env, [{ subscriberId: subscriber.id, workflowId: workflow?.id ?? null, choices }], now)
  }
  if (patch.schedule !== undefined) await saveSchedule(db, env, subscriber.id, patch.schedule, now)
}

/** A workflow, and the subscriber's choices now: for all workflows, and for this one. */
export type ChangedPreference = { workflow: Workflow; global: Choices | null; own: Choices | null }

/** All or nothing. If a workflow is named twice, the later choice wins and it is returned once. */
export async function changeManyPreferences(
  db: Db,
  env: Env,
  subscriber: SubscriberRow,
  { preferences }: Static<typeof bulkPreferencesPatch>,
  now: Date,
): Promise<ChangedPreference[]> {
  const changed = new Map<string, { workflow: Workflow; choices: Choices }>()
  const workflows = await loadChangeable(
    db,
    env,
    preferences.map((patch) => patch.workflowId),
  )
  for (const [index, workflow] of workflows.entries()) {
    const choices = { ...changed.get(workflow.id)?.choices, ...toChoices(preferences[index] ?? {}) }
    changed.set(workflow.id, { workflow, choices })
  }
  const changes = [...changed].map(([workflowId, { choices }]) => ({
    subscriberId: subscriber.id,
    workflowId,
    choices,
  }))
  await save(db, env, changes, now)
  const stored = choicesByScope(await findPreferences(db, env, [subscriber.id], [...changed.keys()]))
  const global = stored(subscriber.id, null)
  return [...changed.values()].map(({ workflow }) => ({ workflow, global, own: stored(subscriber.id, workflow.id) }))
}

/** In the order of `refs`, which are identifiers or ids. Identifiers are looked up first. */
export async function loadChangeable(db: Db, env: Env, refs: readonly string[]): Promise<Workflow[]> {
  const named = await findWorkflowsByIdentifier(db, env, [...new Set(refs)])
  const byIdentifier = new Map(named.map((row) => [row.identifier, row]))
  const ids = new Set(refs.filter((ref) => !byIdentifier.has(ref) && isUuid7(ref)))
  const known = ids.size > 0 ? await listWorkflowsById(db, env, [...ids]) : []
  const byId = new Map(known.filter((row) => !row.deleted_at).map((row) => [row.id, row]))
  const rows = refs.map((ref) => {
    const row = byIdentifier.get(ref) ?? byId.get(ref.toLowerCase())
    if (!row) throw new ApiError('workflow_not_found', { message: `No workflow has the workflowId ${ref}.` })
    return row
  })
  const versions = await getWorkflows(db, env, rows)
  return rows.map((row) => {
    const { workflow } = toCurrent(row, versions)
    if (isReadOnly(workflow)) {
      throw new ApiError('preference_read_only', {
        message: `${workflow.identifier} leaves its subscribers no choice.`,
      })
    }
    return workflow
  })
}

function toChoices({ enabled, channels }: { enabled?: boolean | null; channels?: Choices }): Choices {
  return { ...channels, ...(enabled !== undefined && { all: enabled }) }
}

type Changes = Parameters<typeof upsertPreferences>[2]

async function save(db: Db, env: Env, changes: Changes, now: Date): Promise<void> {
  // The subscriber was deleted since the request began.
  if ((await upsertPreferences(db, env, changes, now)) === 0) throw new ApiError('subscriber_not_found')
}

async function saveSchedule(
  db: Db,
  env: Env,
  subscriberId: string,
  schedule: Schedule | null,
  now: Date,
): Promise<void> {
  if (!schedule) return deleteSchedule(db, env, subscriberId, now)
  const { isEnabled: enabled, weeklySchedule: weekly = null } = schedule
  await upsertSchedule(db, env, { subscriberId, enabled, weekly }, now)
}
