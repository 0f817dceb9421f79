import { LRUCache } from 'lru-cache'
import { type Static, Type } from 'typebox'
import { createPauses } from '../../lib/chunks.ts'
import { fields, freeObject, nullable, oneOf } from '../../lib/schemas.ts'
import type { Db, Env } from '../../store/database.ts'
import { findWorkflowVersions, type WorkflowVersionRow } from '../../store/workflows.ts'
import { type CompiledBlocks, compileStored } from '../blocks/compile-blocks.ts'
import { type StepFilter, stepFilterInput } from './step-filter.ts'

export const severities = ['high', 'medium', 'low', 'none'] as const
/** What a workflow made here can have. */
export const ownStepTypes = ['in_app', 'email', 'sms', 'push', 'chat', 'delay', 'digest', 'throttle'] as const
/** `custom`: code of the tenant that only gives a result to later steps. */
export const stepTypes = [...ownStepTypes, 'custom'] as const
export type StepType = (typeof stepTypes)[number]

export const whenWords = ['seen', 'unseen', 'read', 'unread', 'sent', 'failed'] as const
/** Spec 2.11 does not say what is called: it is only stored and shown. */
export const replyCallback = fields({
  active: Type.Optional(Type.Boolean()),
  url: Type.Optional(Type.String({ maxLength: 2048 })),
})

/** Different content for some subscribers or payloads. */
const variantInput = fields({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  filters: Type.Optional(Type.Array(stepFilterInput, { maxItems: 100 })),
  controlValues: Type.Optional(nullable(freeObject)),
})

export const durationUnits = ['seconds', 'minutes', 'hours', 'days', 'weeks', 'months'] as const
export const duration = fields({
  amount: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  unit: oneOf(durationUnits),
})

/** As sent. `controlValues` depends on the type; workflow-input.ts checks it. */
export const stepInput = fields({
  /** Clients send back the `_id` of a step they read; a step without a stepId keeps its old one by it. */
  _id: Type.Optional(Type.String()),
  stepId: Type.Optional(Type.String({ minLength: 1, maxLength: 100, format: 'identifier' })),
  name: Type.String({ minLength: 1, maxLength: 255 }),
  type: oneOf(ownStepTypes),
  active: Type.Optional(Type.Boolean()),
  shouldStopOnFail: Type.Optional(Type.Boolean()),
  controlValues: Type.Optional(nullable(freeObject)),
  filters: Type.Optional(Type.Array(stepFilterInput, { maxItems: 100 })),
  /** Ours, not part of the specification's `filters`: runs only if an earlier step had this outcome. */
  when: Type.Optional(nullable(fields({ stepId: Type.String(), is: oneOf(whenWords) }))),
  /** The first variant whose filters pass replaces `controlValues`. */
  variants: Type.Optional(Type.Array(variantInput, { maxItems: 20 })),
  replyCallback: Type.Optional(nullable(replyCallback)),
})

const channelPreference = Type.Optional(fields({ enabled: Type.Optional(Type.Boolean()) }))
const preferenceLayer = nullable(
  fields({
    all: Type.Optional(fields({ enabled: Type.Optional(Type.Boolean()), readOnly: Type.Optional(Type.Boolean()) })),
    channels: Type.Optional(
      fields({
        in_app: channelPreference,
        email: channelPreference,
        sms: channelPreference,
        chat: channelPreference,
        push: channelPreference,
      }),
    ),
  }),
)

/** The preferences of subscribers who chose nothing. `user` (set by the team) wins over `workflow` (its default). */
const preferencesInput = fields({
  user: Type.Optional(preferenceLayer),
  workflow: Type.Optional(preferenceLayer),
  // GET shows the workflow's own layer under this name, as clients read it: what was read can be sent back.
  default: Type.Optional(preferenceLayer),
})
export type SentPreferences = Static<typeof preferencesInput>
export type WorkflowPreferences = Omit<SentPreferences, 'default'>
export type PreferenceLayer = NonNullable<WorkflowPreferences['user']>

export const workflowId = Type.String({ minLength: 1, maxLength: 255, format: 'identifier' })

export const workflowInput = {
  name: Type.String({ minLength: 1, maxLength: 255 }),
  description: Type.Optional(Type.String({ maxLength: 2000 })),
  active: Type.Optional(Type.Boolean()),
  tags: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 50 })),
  severity: Type.Optional(oneOf(severities)),
  critical: Type.Optional(Type.Boolean()),
  validatePayload: Type.Optional(Type.Boolean()),
  payloadSchema: Type.Optional(nullable(freeObject)),
  /** Kept for clients: translations are used wherever there are any. */
  isTranslationEnabled: Type.Optional(Type.Boolean()),
  preferences: Type.Optional(nullable(preferencesInput)),
  /** How long after a step began its messages are tried; a day by default. */
  ttl: Type.Optional(nullable(duration)),
  steps: Type.Array(stepInput, { maxItems: 50 }),
}

export type Duration = Static<typeof duration>
export type When = { stepId: string; is: (typeof whenWords)[number] }
export type Variant = {
  name?: string
  filters: StepFilter[]
  controlValues: Record<string, unknown>
  compiled?: CompiledBlocks
}

export type Step = {
  /** Stays the same over versions while the stepId does. */
  id: string
  stepId: string
  name: string
  type: StepType
  active: boolean
  shouldStopOnFail: boolean
  controlValues: Record<string, unknown>
  /** What an e-mail of blocks is sent by; `controlValues` keeps the document as it was given. */
  compiled?: CompiledBlocks
  filters: StepFilter[]
  // Older versions do not have these fields.
  when?: When
  variants?: Variant[]
  replyCallback?: Static<typeof replyCallback>
}

/** One version, as stored: it never changes. */
export type WorkflowDefinition = {
  name: string
  description: string
  tags: string[]
  severity: (typeof severities)[number]
  critical: boolean
  validatePayload: boolean
  payloadSchema: Record<string, unknown> | null
  preferences: WorkflowPreferences | null
  ttl?: Duration
  /** Values in the HTML of its e-mails are escaped. Versions saved before that was so do not have it. */
  escapesHtml?: true
  isTranslationEnabled?: true
  /** Its code is with the tenant: what a step does is asked of the bridge when it is reached. */
  origin?: 'external'
  steps: Step[]
}

/** A version of a workflow, with its identity. */
export type Workflow = WorkflowDefinition & { id: string; identifier: string; version: number; createdBy: string }

export type WorkflowInput = Static<ReturnType<typeof fields<typeof workflowInput>>>

/** A row that names a version: a row of history, or the workflow's own. */
export type VersionRef = { workflow_id: string; workflow_version: number } | { id: string; version: number }
export type WorkflowVersions = { of(ref: VersionRef): Workflow | undefined }

// Versions never change, so entries stay valid; the limits only bound memory. The size is in characters: a version may
// have a million.
const versionCache = new LRUCache<string, Workflow>({ max: 5_000, maxSize: 32 * 1024 * 1024 })

/** The named versions, cached. Versions that do not exist are left out. */
export async function getWorkflows(
  db: Db,
  env: Pick<Env, 'environmentId'>,
  refs: readonly VersionRef[],
): Promise<WorkflowVersions> {
  const found = new Map<string, Workflow>()
  const missing = new Map<string, { workflowId: string; version: number }>()
  const keyOf = ({ workflowId, version }: { workflowId: string; version: number }) =>
    `${env.environmentId}:${workflowId}:${version}`
  for (const ref of refs) {
    const wanted = toVersionKey(ref)
    const key = keyOf(wanted)
    const workflow = versionCache.get(key)
    if (workflow) found.set(key, workflow)
    else missing.set(key, wanted)
  }
  if (missing.size > 0) {
    for (const row of await findWorkflowVersions(db, env, [...missing.values()])) {
      const [key, workflow] = [keyOf({ workflowId: row.workflow_id, version: row.version }), toWorkflow(row)]
      await compileOld(workflow)
      versionCache.set(key, workflow, { size: JSON.stringify(row.definition).length })
      found.set(key, workflow)
    }
  }
  return { of: (ref) => found.get(keyOf(toVersionKey(ref))) }
}

/** Once for each version in the cache; a version of today has it all. */
async function compileOld({ steps }: Workflow): Promise<void> {
  const pause = createPauses()
  for (const step of steps) {
    if (step.type !== 'email') continue
    for (const content of [step, ...(step.variants ?? [])]) {
      compileStored(content)
      await pause()
    }
  }
}

function toVersionKey(ref: VersionRef): { workflowId: string; version: number } {
  return 'workflow_id' in ref
    ? { workflowId: ref.workflow_id, version: ref.workflow_version }
    : { workflowId: ref.id, version: ref.version }
}

export function toWorkflow(row: WorkflowVersionRow): Workflow {
  // Written by us, from a validated definition.
  const definition = row.definition as WorkflowDefinition
  return {
    ...definition,
    id: row.workflow_id,
    identifier: row.identifier,
    version: row.version,
    createdBy: row.created_by,
  }
}
