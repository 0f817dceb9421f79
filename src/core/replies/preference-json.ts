import { type Static, Type } from 'typebox'
import { oneOf } from '../../lib/schemas.ts'
import { type Channel, channels } from '../../providers/provider.ts'
import type { Db, Env } from '../../store/database.ts'
import { listPreferences, type PreferenceRow } from '../../store/preferences.ts'
import type { SubscriberRow } from '../../store/subscribers.ts'
import { listWorkflowsById } from '../../store/workflows.ts'
import {
  type Choices,
  choicesByScope,
  isReadOnly,
  resolvePreference,
  toStoredChoices,
} from '../subscribers/preferences.ts'
import type { ChangedPreference } from '../subscribers/save-preferences.ts'
import { loadSchedules, scheduleSchema } from '../subscribers/schedule.ts'
import { type CurrentWorkflow, loadCurrentWorkflows } from '../workflows/save-workflow.ts'
import { severities, type Workflow } from '../workflows/workflow.ts'

const time = Type.String({ format: 'date-time' })
const optionalBoolean = Type.Optional(Type.Boolean())
const channelsSchema = Type.Object({
  in_app: optionalBoolean,
  email: optionalBoolean,
  sms: optionalBoolean,
  chat: optionalBoolean,
  push: optionalBoolean,
})

/** The effective preference of this subscriber. `readOnly` and `critical` are our additions. */
const workflowPreferenceSchema = Type.Object(
  {
    enabled: Type.Boolean(),
    readOnly: Type.Boolean({ description: 'The subscriber has no say in it.' }),
    channels: channelsSchema,
    overrides: Type.Array(
      Type.Object({ channel: oneOf(channels), source: oneOf(['subscriber', 'template', 'workflowOverride']) }),
      { description: 'Who decided, channel by channel.' },
    ),
    workflow: Type.Object({
      slug: Type.String(),
      identifier: Type.String(),
      name: Type.String(),
      critical: Type.Boolean(),
      updatedAt: time,
    }),
    updatedAt: Type.Optional(time),
  },
  { title: 'SubscriberWorkflowPreference' },
)

export const preferencesSchema = Type.Object(
  {
    global: Type.Object({
      enabled: Type.Boolean(),
      channels: channelsSchema,
      schedule: Type.Optional(scheduleSchema),
    }),
    workflows: Type.Array(workflowPreferenceSchema),
  },
  { title: 'SubscriberPreferences' },
)
export type PreferencesJson = Static<typeof preferencesSchema>

export const criticalities = ['critical', 'nonCritical', 'all'] as const

/** All active workflows: clients expect no paging here. */
export async function showPreferences(
  db: Db,
  env: Env,
  subscriber: SubscriberRow,
  criticality: (typeof criticalities)[number],
): Promise<PreferencesJson> {
  const rows = await listPreferences(db, env, subscriber.id)
  const choices = choicesByScope(rows)
  const global = choices(subscriber.id, null)
  const chosenAt = new Map(rows.map((row) => [row.workflow_id, row.updated_at]))
  const schedule = (await loadSchedules(db, env, [subscriber.id])).get(subscriber.id)
  const current = await loadCurrentWorkflows(db, env)
  const shown = current.filter(
    ({ workflow: { critical } }) => criticality === 'all' || critical === (criticality === 'critical'),
  )
  return {
    global: { ...toGlobalJson(global), ...(schedule && { schedule }) },
    workflows: shown.map((it) =>
      toWorkflowPreferenceJson(it, global, choices(subscriber.id, it.workflow.id), chosenAt.get(it.workflow.id)),
    ),
  }
}

export function toGlobalJson(choices: Choices | null): Pick<PreferencesJson['global'], 'enabled' | 'channels'> {
  const enabled = choices?.all ?? true
  return { enabled, channels: Object.fromEntries(channels.map((name) => [name, choices?.[name] ?? enabled])) }
}

type WorkflowPreference = PreferencesJson['workflows'][number]

// What holds for whoever chose nothing is asked for most, and follows from the version alone.
const unchosen = new WeakMap<Workflow, { at: number; json: WorkflowPreference }>()

function toWorkflowPreferenceJson(
  current: CurrentWorkflow,
  global: Choices | null,
  own: Choices | null,
  chosenAt: Date | undefined,
): WorkflowPreference {
  if (global || own || chosenAt) return resolveJson(current, global, own, chosenAt)
  const known = unchosen.get(current.workflow)
  // It may be switched off and on without a new version.
  const at = current.updatedAt.getTime()
  if (known?.at === at) return known.json
  const json = resolveJson(current, null, null, undefined)
  unchosen.set(current.workflow, { at, json })
  return json
}

function resolveJson(
  { workflow, updatedAt }: CurrentWorkflow,
  global: Choices | null,
  own: Choices | null,
  chosenAt: Date | undefined,
): WorkflowPreference {
  const { enabled, decisions } = resolveAll(workflow, global, own)
  return {
    enabled,
    readOnly: isReadOnly(workflow),
    channels: Object.fromEntries(decisions.map(({ channel, decision }) => [channel, decision.enabled])),
    overrides: decisions.map(({ channel, decision }) => ({
      channel,
      source: decision.by === 'subscriber' ? 'subscriber' : 'template',
    })),
    workflow: {
      slug: workflow.identifier,
      identifier: workflow.identifier,
      name: workflow.name,
      critical: workflow.critical,
      updatedAt: updatedAt.toISOString(),
    },
    ...(chosenAt && { updatedAt: chosenAt.toISOString() }),
  }
}

/** Only for channels the workflow has an active step for: there is nothing to choose about the others. */
function resolveAll(workflow: Workflow, subscriberGlobal: Choices | null, subscriberWorkflow: Choices | null) {
  const resolve = (channel: Channel | 'all') =>
    resolvePreference({ workflow, channel, subscriberGlobal, subscriberWorkflow })
  const used = new Set<string>(workflow.steps.filter((step) => step.active).map((step) => step.type))
  const decisions = channels
    .filter((channel) => used.has(channel))
    .map((channel) => ({ channel, decision: resolve(channel) }))
  return { enabled: resolve('all').enabled, decisions }
}

/** In the reply to a bulk change. */
export const changedPreferenceSchema = Type.Object(
  {
    level: oneOf(['global', 'template']),
    workflow: Type.Object({
      id: Type.String(),
      identifier: Type.String(),
      name: Type.String(),
      critical: Type.Boolean(),
      tags: Type.Array(Type.String()),
      severity: oneOf(severities),
    }),
    enabled: Type.Boolean(),
    channels: channelsSchema,
  },
  { title: 'ChangedPreference' },
)

export function toChangedPreferenceJson({
  workflow,
  global,
  own,
}: ChangedPreference): Static<typeof changedPreferenceSchema> {
  const { enabled, decisions } = resolveAll(workflow, global, own)
  return {
    level: 'template',
    workflow: toWorkflowSummary(workflow),
    enabled,
    channels: Object.fromEntries(decisions.map(({ channel, decision }) => [channel, decision.enabled])),
  }
}

export function toWorkflowSummary({ id, identifier, name, critical, tags, severity }: Workflow) {
  return { id, identifier, name, critical, tags, severity }
}

/** What a subscriber chose, as stored; nothing is resolved. */
export const exportedPreferencesSchema = Type.Object(
  {
    choices: Type.Array(
      Type.Object({
        workflowId: Type.Optional(Type.String({ description: 'Absent: for every workflow.' })),
        enabled: optionalBoolean,
        channels: channelsSchema,
        updatedAt: time,
      }),
    ),
    schedule: Type.Optional(scheduleSchema),
  },
  { title: 'ExportedPreferences' },
)

export async function exportPreferences(
  db: Db,
  env: Env,
  subscriberId: string,
): Promise<Static<typeof exportedPreferencesSchema>> {
  const rows = await listPreferences(db, env, subscriberId)
  const workflowIds = rows.flatMap((row) => row.workflow_id ?? [])
  const workflows = await listWorkflowsById(db, env, workflowIds)
  const identifiers = new Map(workflows.map((row) => [row.id, row.identifier]))
  const schedule = (await loadSchedules(db, env, [subscriberId])).get(subscriberId)
  return { choices: rows.map((row) => toExportedJson(row, identifiers)), ...(schedule && { schedule }) }
}

function toExportedJson(row: PreferenceRow, identifiers: ReadonlyMap<string, string>) {
  const choices = toStoredChoices(row)
  const chosen = channels.flatMap((name) =>
    typeof choices[name] === 'boolean' ? [[name, choices[name]] as const] : [],
  )
  return {
    ...(row.workflow_id !== null && { workflowId: identifiers.get(row.workflow_id) ?? row.workflow_id }),
    ...(typeof choices.all === 'boolean' && { enabled: choices.all }),
    channels: Object.fromEntries(chosen),
    updatedAt: row.updated_at.toISOString(),
  }
}
