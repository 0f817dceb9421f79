import { type Static, Type } from 'typebox'
import { isPlainObject } from '../lib/canonical-json.ts'
import { freeObject, nullable, oneOf } from '../lib/schemas.ts'
import { uuid7Time } from '../lib/uuid7.ts'
import { channels } from '../providers/provider.ts'
import type { Env } from '../store/database.ts'
import type { CurrentWorkflow } from './save-workflow.ts'
import { stepFilterSchema } from './step-filter.ts'
import { toStepMetadata } from './step-metadata.ts'
import { type PreferenceLayer, type Step, severities, stepTypes, type Workflow } from './workflow.ts'
import { effectivePreference } from './workflow-input.ts'

/** Origin of workflows made through the API or from files. */
export const workflowOrigin = 'platform-cloud'

const time = Type.String({ format: 'date-time' })
const status = oneOf(['ACTIVE', 'INACTIVE'])

/** The client's shape of a step, and what is ours: `active`, `shouldStopOnFail`, `filters`. */
const stepSchema = Type.Object(
  {
    _id: Type.String(),
    stepId: Type.String(),
    slug: Type.String(),
    name: Type.String(),
    type: oneOf(stepTypes),
    active: Type.Boolean(),
    shouldStopOnFail: Type.Boolean(),
    filters: Type.Array(stepFilterSchema),
    controlValues: freeObject,
    controls: Type.Object({ values: freeObject }),
    variables: freeObject,
    origin: Type.String(),
    workflowId: Type.String(),
    workflowDatabaseId: Type.String(),
  },
  { title: 'WorkflowStep' },
)

const enabled = Type.Object({ enabled: Type.Boolean() })
const preferenceLayer = Type.Object({
  all: Type.Object({ enabled: Type.Boolean(), readOnly: Type.Boolean() }),
  channels: Type.Object({ in_app: enabled, email: enabled, sms: enabled, chat: enabled, push: enabled }),
})

const sharedProperties = {
  _id: Type.String(),
  workflowId: Type.String(),
  slug: Type.String(),
  name: Type.String(),
  tags: Type.Array(Type.String()),
  active: Type.Boolean(),
  status,
  version: Type.Integer({ description: 'Counts the changes of the definition.' }),
  origin: Type.String(),
  isTranslationEnabled: Type.Boolean(),
  createdAt: time,
  updatedAt: time,
}

/** What the client reads as WorkflowResponseDto; `version` and `critical` are ours. */
export const workflowSchema = Type.Object(
  {
    ...sharedProperties,
    description: Type.String(),
    severity: oneOf(severities),
    critical: Type.Boolean(),
    validatePayload: Type.Boolean(),
    payloadSchema: nullable(freeObject),
    preferences: Type.Object({ user: nullable(preferenceLayer), default: preferenceLayer }),
    steps: Type.Array(stepSchema),
  },
  { title: 'Workflow' },
)
export type WorkflowJson = Static<typeof workflowSchema>

/** In a list: WorkflowListResponseDto. */
export const workflowSummarySchema = Type.Object(
  {
    ...sharedProperties,
    stepTypeOverviews: Type.Array(oneOf(stepTypes)),
    steps: Type.Array(Type.Object({ slug: Type.String(), type: oneOf(stepTypes) })),
  },
  { title: 'WorkflowSummary' },
)
export type WorkflowSummaryJson = Static<typeof workflowSummarySchema>

export function toWorkflowResponseJson(current: CurrentWorkflow): WorkflowJson {
  const { workflow } = current
  const { description, severity, critical, validatePayload, payloadSchema, preferences } = workflow
  return {
    ...toSharedJson(current),
    description,
    severity,
    critical,
    validatePayload,
    payloadSchema,
    preferences: {
      user: preferences?.user ? completePreference(preferences.user, critical) : null,
      default: completePreference(preferences?.workflow ?? null, critical),
    },
    steps: workflow.steps.map((step) => toStepJson(step, workflow)),
  }
}

export function toWorkflowSummaryJson(current: CurrentWorkflow): WorkflowSummaryJson {
  const { steps } = current.workflow
  return {
    ...toSharedJson(current),
    stepTypeOverviews: steps.map((step) => step.type),
    steps: steps.map((step) => ({ slug: step.stepId, type: step.type })),
  }
}

/** `slug`: whatever a client takes for the name of a workflow is one that our paths understand. */
function toSharedJson({ workflow, active, updatedAt }: CurrentWorkflow) {
  return {
    _id: workflow.id,
    workflowId: workflow.identifier,
    slug: workflow.identifier,
    name: workflow.name,
    tags: workflow.tags,
    active,
    status: active ? ('ACTIVE' as const) : ('INACTIVE' as const),
    version: workflow.version,
    origin: workflowOrigin,
    isTranslationEnabled: false,
    createdAt: uuid7Time(workflow.id).toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}

function toStepJson(step: Step, workflow: Workflow): WorkflowJson['steps'][number] {
  const { id, stepId, ...shown } = step
  return {
    ...shown,
    _id: id,
    stepId,
    slug: stepId,
    controls: { values: step.controlValues },
    variables: {},
    origin: workflowOrigin,
    workflowId: workflow.identifier,
    workflowDatabaseId: workflow.id,
  }
}

function completePreference(layer: PreferenceLayer | null, critical: boolean): Static<typeof preferenceLayer> {
  const channel = (name: (typeof channels)[number]) => ({ enabled: layer?.channels?.[name]?.enabled ?? true })
  return {
    all: { enabled: layer?.all?.enabled ?? true, readOnly: layer?.all?.readOnly ?? critical },
    channels: {
      in_app: channel('in_app'),
      email: channel('email'),
      sms: channel('sms'),
      chat: channel('chat'),
      push: channel('push'),
    },
  }
}

/** Spec 2.11, a step. */
export const embeddedStepSchema = Type.Object(
  {
    _id: Type.String(),
    uuid: Type.String(),
    name: Type.String(),
    _templateId: Type.String(),
    _parentId: Type.Optional(Type.String()),
    active: Type.Boolean(),
    shouldStopOnFail: Type.Boolean(),
    template: freeObject,
    filters: Type.Array(stepFilterSchema),
    metadata: Type.Optional(freeObject),
    variants: Type.Array(freeObject),
  },
  { title: 'NotificationStep' },
)

const optionalBoolean = Type.Optional(Type.Boolean())

export const triggerSchema = Type.Object(
  {
    type: oneOf(['event']),
    identifier: Type.String(),
    variables: Type.Array(Type.Object({ name: Type.String() })),
  },
  { title: 'NotificationTrigger' },
)

/** Spec 2.11. */
export const embeddedWorkflowSchema = Type.Object(
  {
    _id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    active: Type.Boolean(),
    draft: Type.Boolean(),
    preferenceSettings: Type.Object({
      email: optionalBoolean,
      sms: optionalBoolean,
      in_app: optionalBoolean,
      chat: optionalBoolean,
      push: optionalBoolean,
    }),
    critical: Type.Boolean(),
    tags: Type.Array(Type.String()),
    steps: Type.Array(embeddedStepSchema),
    _organizationId: Type.String(),
    _creatorId: Type.String(),
    _environmentId: Type.String(),
    triggers: Type.Array(triggerSchema),
    _notificationGroupId: Type.String(),
    deleted: Type.Boolean(),
    deletedAt: Type.String(),
    deletedBy: Type.String(),
  },
  { title: 'EmbeddedWorkflow' },
)
export type EmbeddedWorkflowJson = Static<typeof embeddedWorkflowSchema>

type Standing = { active: boolean; deletedAt?: Date | null | undefined; deletedBy?: string | null | undefined }

/** `deletedAt` and `deletedBy` are required there: empty when it is not deleted. */
export function toEmbeddedWorkflowJson(
  workflow: Workflow,
  env: Pick<Env, 'environmentId' | 'organizationId'>,
  { active, deletedAt, deletedBy }: Standing,
): EmbeddedWorkflowJson {
  const { all, channels: settings } = completePreference(effectivePreference(workflow.preferences), workflow.critical)
  const isEnabled = (name: (typeof channels)[number]) => all.enabled && settings[name].enabled
  return {
    _id: workflow.id,
    name: workflow.name,
    description: workflow.description,
    active,
    draft: false,
    preferenceSettings: Object.fromEntries(channels.map((name) => [name, isEnabled(name)])),
    critical: workflow.critical,
    tags: workflow.tags,
    steps: workflow.steps.map((step, index) => toEmbeddedStepJson(step, workflow.steps[index - 1])),
    _organizationId: env.organizationId,
    _creatorId: workflow.createdBy,
    _environmentId: env.environmentId,
    triggers: toTriggers(workflow),
    // The environment's one group has no row of its own.
    _notificationGroupId: env.environmentId,
    deleted: deletedAt !== null && deletedAt !== undefined,
    deletedAt: deletedAt?.toISOString() ?? '',
    deletedBy: deletedBy ?? '',
  }
}

export function toEmbeddedStepJson(step: Step, parent?: Step): Static<typeof embeddedStepSchema> {
  const metadata = toStepMetadata(step)
  return {
    _id: step.id,
    uuid: step.id,
    name: step.name,
    _templateId: step.id,
    ...(parent && { _parentId: parent.id }),
    active: step.active,
    shouldStopOnFail: step.shouldStopOnFail,
    template: { ...step.controlValues, _id: step.id, type: step.type },
    filters: step.filters,
    ...(metadata && { metadata }),
    variants: [],
  }
}

export function toTriggers({ identifier, payloadSchema }: Workflow): Static<typeof triggerSchema>[] {
  const properties = payloadSchema && isPlainObject(payloadSchema.properties) ? payloadSchema.properties : {}
  return [{ type: 'event', identifier, variables: Object.keys(properties).map((name) => ({ name })) }]
}
