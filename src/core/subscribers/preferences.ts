import type { Channel } from '../../providers/provider.ts'
import type { Db, Env } from '../../store/database.ts'
import { findPreferences, type PreferenceRow, upsertPreferences } from '../../store/preferences.ts'
import type { PreferenceLayer, Workflow } from '../workflows/workflow.ts'
import { effectivePreference } from '../workflows/workflow-input.ts'

/** `all`: every channel. Absent or null: no choice. */
export type Choices = { [Key in Channel | 'all']?: boolean | null }

/** `why` goes into the execution detail; `by` says who decided. */
export type Decision = { enabled: boolean; by: 'critical' | 'subscriber' | 'workflow' | 'default'; why: string }

type PreferenceRules = Pick<Workflow, 'critical' | 'preferences'>
type PreferenceQuery = {
  workflow: PreferenceRules
  /** `all`: whether the workflow as a whole is on. */
  channel: Channel | 'all'
  subscriberGlobal: Choices | null
  subscriberWorkflow: Choices | null
}
type Layer = { by: 'subscriber' | 'workflow'; place: string; choices: Choices | null }

/** The first layer with a choice decides; docs/preferences.md gives the order and the reasons. */
export function resolvePreference({
  workflow,
  channel,
  subscriberGlobal,
  subscriberWorkflow,
}: PreferenceQuery): Decision {
  if (workflow.critical)
    return { enabled: true, by: 'critical', why: 'The workflow is critical: preferences do not apply' }
  const subscribers: Layer[] = [
    { by: 'subscriber', place: 'by the subscriber for this workflow', choices: subscriberWorkflow },
    { by: 'subscriber', place: 'by the subscriber for all workflows', choices: subscriberGlobal },
  ]
  const layers: Layer[] = [
    ...(isReadOnly(workflow) ? [] : subscribers),
    { by: 'workflow', place: 'by the team for this workflow', choices: toChoices(workflow.preferences?.user) },
    { by: 'workflow', place: 'by default in this workflow', choices: toChoices(workflow.preferences?.workflow) },
  ]
  for (const { by, place, choices } of layers) {
    for (const key of new Set([channel, 'all'] as const)) {
      const enabled = choices?.[key]
      if (typeof enabled === 'boolean')
        return { enabled, by, why: `${channelIs(key)} turned ${enabled ? 'on' : 'off'} ${place}` }
    }
  }
  return { enabled: true, by: 'default', why: 'No preference says otherwise' }
}

/** Subscribers cannot choose: it is sent to everybody, or as the team has set it. */
export function isReadOnly({ critical, preferences }: PreferenceRules): boolean {
  return critical || effectivePreference(preferences)?.all?.readOnly === true
}

function toChoices(layer: PreferenceLayer | null | undefined): Choices | null {
  if (!layer) return null
  const { in_app, email, sms, chat, push } = layer.channels ?? {}
  return {
    all: layer.all?.enabled ?? null,
    in_app: in_app?.enabled ?? null,
    email: email?.enabled ?? null,
    sms: sms?.enabled ?? null,
    chat: chat?.enabled ?? null,
    push: push?.enabled ?? null,
  }
}

const names = {
  all: 'All channels',
  in_app: 'In-app',
  email: 'E-mail',
  sms: 'SMS',
  chat: 'Chat',
  push: 'Push',
} as const

function channelIs(key: Channel | 'all'): string {
  return `${names[key]} ${key === 'all' ? 'are' : 'is'}`
}

export type Preferences = {
  /** `subscriberId` is internal, as in the rows of the pipeline. */
  decide(subscriberId: string, workflow: PreferenceRules & Pick<Workflow, 'id'>, channel: Channel): Decision
}

/** The choices of a page of people, in one query. Ids are internal. */
export async function loadPreferences(
  db: Db,
  env: Env,
  subscriberIds: readonly string[],
  workflowIds: readonly string[],
): Promise<Preferences> {
  const choices = choicesByScope(await findPreferences(db, env, subscriberIds, workflowIds))
  return {
    decide: (subscriberId, workflow, channel) =>
      resolvePreference({
        workflow,
        channel,
        subscriberGlobal: choices(subscriberId, null),
        subscriberWorkflow: choices(subscriberId, workflow.id),
      }),
  }
}

/** Finds choices by subscriber and workflow; workflow null: the choices for all workflows. */
export function choicesByScope(rows: readonly PreferenceRow[]) {
  const found = new Map(rows.map((row) => [`${row.subscriber_id} ${row.workflow_id}`, toStoredChoices(row)]))
  return (subscriberId: string, workflowId: string | null) => found.get(`${subscriberId} ${workflowId}`) ?? null
}

export function toStoredChoices(row: PreferenceRow): Choices {
  // Written by us, from a validated body.
  return row.choices as Choices
}

/**
 * What an unsubscribe link does: turns this workflow off on this channel. Ids are internal, as in the message. False:
 * the subscriber no longer exists.
 */
export async function unsubscribeFromWorkflow(
  db: Db,
  env: Env,
  { subscriberId, workflowId, channel }: { subscriberId: string; workflowId: string; channel: Channel },
  now: Date,
): Promise<boolean> {
  const changed = await upsertPreferences(db, env, [{ subscriberId, workflowId, choices: { [channel]: false } }], now)
  return changed > 0
}
