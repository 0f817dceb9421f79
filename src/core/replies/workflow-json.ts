import { type Static, Type } from 'typebox'
import { freeObject, nullable, oneOf } from '../../lib/schemas.ts'
import { uuid7Time } from '../../lib/uuid7.ts'
import type { BlockWarning } from '../blocks/page.ts'
import { layoutWarnings } from '../layouts/whole-page.ts'
import { oddTranslations } from '../translations/missing.ts'
import { completeLayer, completePreference } from '../workflows/complete-preference.ts'
import type { CurrentWorkflow } from '../workflows/save-workflow.ts'
import { stepFilterSchema } from '../workflows/step-filter.ts'
import {
  duration,
  replyCallback,
  type Step,
  severities,
  stepTypes,
  type Workflow,
  whenWords,
} from '../workflows/workflow.ts'

/** The origin of all workflows made here. */
export const workflowOrigin = 'platform-cloud'

const time = Type.String({ format: 'date-time' })
const status = oneOf(['ACTIVE', 'INACTIVE'])

const variantSchema = Type.Object(
  { name: Type.Optional(Type.String()), filters: Type.Array(stepFilterSchema), controlValues: freeObject },
  { title: 'StepVariant' },
)

export const issueSchema = Type.Object({
  issueType: oneOf(['ILLEGAL_VARIABLE_IN_CONTROL_VALUE', 'MISSING_VALUE']),
  message: Type.String(),
  severity: Type.Literal('warning'),
  variableName: Type.Optional(Type.String()),
})
type Issue = Static<typeof issueSchema>

/** The client's shape of a step, and our additions: `active`, `shouldStopOnFail`, `filters`, `when`, `variants`. */
export const stepSchema = Type.Object(
  {
    _id: Type.String(),
    stepId: Type.String(),
    slug: Type.String(),
    name: Type.String(),
    type: oneOf(stepTypes),
    active: Type.Boolean(),
    shouldStopOnFail: Type.Boolean(),
    filters: Type.Array(stepFilterSchema),
    when: Type.Optional(Type.Object({ stepId: Type.String(), is: oneOf(whenWords) })),
    variants: Type.Array(variantSchema),
    replyCallback: Type.Optional(replyCallback),
    controlValues: freeObject,
    controls: Type.Object({ values: freeObject }),
    issues: Type.Optional(
      Type.Object(
        { controls: Type.Record(Type.String(), Type.Array(issueSchema)) },
        { description: 'What is not sent as it stands there, by field. Nothing is held back.' },
      ),
    ),
    variables: freeObject,
    origin: Type.String(),
    workflowId: Type.String(),
    workflowDatabaseId: Type.String(),
  },
  { title: 'WorkflowStep' },
)

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

/** WorkflowResponseDto of the client; `version`, `critical` and `ttl` are our additions. */
export const workflowSchema = Type.Object(
  {
    ...sharedProperties,
    description: Type.String(),
    severity: oneOf(severities),
    critical: Type.Boolean(),
    validatePayload: Type.Boolean(),
    payloadSchema: nullable(freeObject),
    ttl: Type.Optional(duration),
    preferences: Type.Object({ user: nullable(completeLayer), default: completeLayer }),
    steps: Type.Array(stepSchema),
    missingTranslations: Type.Optional(
      Type.Unsafe<Record<string, number>>({
        type: 'object',
        additionalProperties: { type: 'integer' },
        description: 'By language: how many keys its templates ask for that are not translated.',
      }),
    ),
  },
  { title: 'Workflow' },
)
export type WorkflowJson = Static<typeof workflowSchema>

/** WorkflowListResponseDto of the client. */
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
  const { description, severity, critical, validatePayload, payloadSchema, preferences, ttl } = workflow
  return {
    ...toSharedJson(current),
    description,
    severity,
    critical,
    validatePayload,
    payloadSchema,
    ...(ttl && { ttl }),
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

/** `slug` is the workflowId: clients may use either in our paths. */
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
    origin: workflow.origin ?? workflowOrigin,
    isTranslationEnabled: workflow.isTranslationEnabled ?? false,
    createdAt: uuid7Time(workflow.id).toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}

export function toStepJson(step: Step, workflow: Workflow): WorkflowJson['steps'][number] {
  const { id, stepId, compiled: _compiled, ...shown } = step
  const controls = issuesOf(step)
  return {
    ...shown,
    _id: id,
    stepId,
    slug: stepId,
    variants: (step.variants ?? []).map(({ compiled: _made, ...variant }) => variant),
    controls: { values: step.controlValues },
    ...(controls && { issues: { controls } }),
    variables: {},
    origin: workflow.origin ?? workflowOrigin,
    workflowId: workflow.identifier,
    workflowDatabaseId: workflow.id,
  }
}

/** By the place among the step's fields. */
function issuesOf(step: Step): Record<string, Issue[]> | null {
  const found: Record<string, Issue[]> = {}
  const add = (field: string, issue: Issue) => {
    found[field] = [...(found[field] ?? []), issue]
  }
  for (const [at, content] of [step, ...(step.variants ?? [])].entries()) {
    const place = at === 0 ? '' : `variants.${at - 1}.`
    const { compiled, controlValues } = content
    const ofLayout = layoutWarnings(step.type, controlValues, compiled !== undefined)
    for (const warning of [...(compiled?.warnings ?? []), ...ofLayout]) add(`${place}body`, toIssue(warning))
    for (const { field, variable, message } of oddTranslations(step.type, content)) {
      add(place + field, toIssue({ message, variable }))
    }
  }
  return Object.keys(found).length > 0 ? found : null
}

/** In words that every version of the client knows: one that it does not know makes it fail. */
export function toIssue({ message, variable }: BlockWarning): Issue {
  if (variable === undefined) return { issueType: 'MISSING_VALUE', message, severity: 'warning' }
  return { issueType: 'ILLEGAL_VARIABLE_IN_CONTROL_VALUE', message, severity: 'warning', variableName: variable }
}
