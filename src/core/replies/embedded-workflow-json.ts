import { type Static, Type } from 'typebox'
import { isPlainObject } from '../../lib/canonical-json.ts'
import { freeObject, oneOf } from '../../lib/schemas.ts'
import { channels } from '../../providers/provider.ts'
import type { Env } from '../../store/database.ts'
import { resolvePreference } from '../subscribers/preferences.ts'
import { stepFilterSchema } from '../workflows/step-filter.ts'
import { replyCallback, type Step, type Variant, type Workflow } from '../workflows/workflow.ts'
import { toStepMetadata, variantId } from './step-metadata.ts'

const embeddedVariant = {
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
  replyCallback: Type.Optional(replyCallback),
}
const embeddedVariantSchema = Type.Object(embeddedVariant, { title: 'NotificationStepVariant' })

/** Spec 2.11, a step; its variants have the same fields except `variants`. */
export const embeddedStepSchema = Type.Object(
  { ...embeddedVariant, variants: Type.Array(embeddedVariantSchema) },
  { title: 'NotificationStep' },
)

const optionalBoolean = Type.Optional(Type.Boolean())

const variable = Type.Object({ name: Type.String() })

export const triggerSchema = Type.Object(
  {
    type: oneOf(['event']),
    identifier: Type.String(),
    variables: Type.Array(variable),
    subscriberVariables: Type.Optional(Type.Array(variable, { description: 'Not sent.' })),
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
    // Of the specification, and not sent.
    _parentId: Type.Optional(Type.String()),
    notificationGroup: Type.Optional(
      Type.Object({
        _id: Type.Optional(Type.String()),
        _parentId: Type.Optional(Type.String()),
        name: Type.String(),
        _environmentId: Type.String(),
        _organizationId: Type.String(),
      }),
    ),
    data: Type.Optional(freeObject),
    workflowIntegrationStatus: Type.Optional(freeObject),
  },
  { title: 'EmbeddedWorkflow' },
)
export type EmbeddedWorkflowJson = Static<typeof embeddedWorkflowSchema>

type WorkflowState = { active: boolean; deletedAt?: Date | null | undefined; deletedBy?: string | null | undefined }

/** `deletedAt` and `deletedBy` are required by the specification: empty if not deleted. */
export function toEmbeddedWorkflowJson(
  workflow: Workflow,
  env: Pick<Env, 'environmentId' | 'organizationId'>,
  { active, deletedAt, deletedBy }: WorkflowState,
): EmbeddedWorkflowJson {
  // For a subscriber who has chosen nothing.
  const isEnabled = (channel: (typeof channels)[number]) =>
    resolvePreference({ workflow, channel, subscriberGlobal: null, subscriberWorkflow: null }).enabled
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
    // The environment's only group has no row of its own.
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
    ...(step.replyCallback && { replyCallback: step.replyCallback }),
    variants: (step.variants ?? []).map((variant, index) => toEmbeddedVariant(step, variant, index)),
  }
}

function toEmbeddedVariant(
  step: Step,
  { name, filters, controlValues }: Variant,
  index: number,
): Static<typeof embeddedVariantSchema> {
  const id = variantId(step, index)
  const metadata = toStepMetadata({ type: step.type, controlValues })
  return {
    _id: id,
    uuid: id,
    name: name ?? step.name,
    _templateId: id,
    _parentId: step.id,
    active: step.active,
    shouldStopOnFail: step.shouldStopOnFail,
    template: { ...controlValues, _id: id, type: step.type },
    filters,
    ...(metadata && { metadata }),
  }
}

export function toTriggers({ identifier, payloadSchema }: Workflow): Static<typeof triggerSchema>[] {
  const properties = payloadSchema && isPlainObject(payloadSchema.properties) ? payloadSchema.properties : {}
  return [{ type: 'event', identifier, variables: Object.keys(properties).map((name) => ({ name })) }]
}
