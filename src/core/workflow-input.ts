import { ApiError, type FieldErrors, validationFailed } from '../errors.ts'
import { freeSlug } from '../lib/free-slug.ts'
import { uuid7 } from '../lib/uuid7.ts'
import { judgeControlValues } from './control-values.ts'
import { payloadSchemaFault } from './payload-schema.ts'
import { completeFilter } from './step-filter.ts'
import type {
  PreferenceLayer,
  Step,
  StepType,
  WorkflowDefinition,
  WorkflowInput,
  WorkflowPreferences,
} from './workflow.ts'

/** What PATCH may change; the rest of a workflow is replaced as a whole. */
export type WorkflowChange = Partial<
  Pick<WorkflowInput, 'name' | 'description' | 'tags' | 'validatePayload' | 'payloadSchema'>
>

// They become available with timers; until then a workflow that has one can be written, not run.
const waitingTypes: readonly StepType[] = ['delay', 'digest', 'throttle']

/** What was sent as what is stored; the steps keep their ids over versions. Throws 422 with every fault. */
export function toDefinition(input: WorkflowInput, previous: WorkflowDefinition | null, now: Date): WorkflowDefinition {
  const faults: FieldErrors = {}
  const steps = readSteps(input.steps, previous?.steps ?? [], now, faults)
  const preferences = input.preferences ?? null
  const definition = {
    name: input.name,
    description: input.description ?? '',
    tags: [...new Set(input.tags)],
    severity: input.severity ?? 'none',
    critical: input.critical ?? effectivePreference(preferences)?.all?.readOnly ?? false,
    validatePayload: input.validatePayload ?? true,
    payloadSchema: input.payloadSchema ?? null,
    preferences,
    steps,
  }
  judgePayloadSchema(definition, faults)
  if (Object.keys(faults).length > 0) throw validationFailed(faults)
  return definition
}

/** The definition with some fields changed. Throws 422. */
export function changeDefinition(current: WorkflowDefinition, change: WorkflowChange): WorkflowDefinition {
  const faults: FieldErrors = {}
  const definition = {
    ...current,
    ...(change.name !== undefined && { name: change.name }),
    ...(change.description !== undefined && { description: change.description }),
    ...(change.tags !== undefined && { tags: [...new Set(change.tags)] }),
    ...(change.validatePayload !== undefined && { validatePayload: change.validatePayload }),
    ...(change.payloadSchema !== undefined && { payloadSchema: change.payloadSchema }),
  }
  if (change.payloadSchema !== undefined) judgePayloadSchema(definition, faults)
  if (Object.keys(faults).length > 0) throw validationFailed(faults)
  return definition
}

/** An active workflow can be run as it stands: 422 `step_not_available` otherwise. */
export function checkRunnable(steps: readonly Step[]): void {
  const errors: FieldErrors = {}
  for (const [index, { type, active }] of steps.entries()) {
    if (!active || !waitingTypes.includes(type)) continue
    const message = `${type} steps are not available yet; save the workflow with active: false, or leave the step out`
    errors[`steps.${index}.type`] = { messages: [message], value: type }
  }
  if (Object.keys(errors).length > 0) throw new ApiError('step_not_available', { errors })
}

/** The team's own setting goes before the workflow's. */
export function effectivePreference(preferences: WorkflowPreferences | null): PreferenceLayer | null {
  return preferences?.user ?? preferences?.workflow ?? null
}

type SentStep = WorkflowInput['steps'][number]

function readSteps(sent: readonly SentStep[], previous: readonly Step[], now: Date, faults: FieldErrors): Step[] {
  const stepIds = nameSteps(sent, previous, faults)
  const known = new Map(previous.map((step) => [step.stepId, step.id]))
  return sent.map((step, index) => {
    const judged = judgeControlValues(step.type, step.controlValues ?? null)
    for (const [path, fault] of Object.entries(judged.faults)) {
      faults[['steps', index, 'controlValues', ...(path ? [path] : [])].join('.')] = fault
    }
    const stepId = stepIds[index] ?? ''
    return {
      id: known.get(stepId) ?? uuid7(now),
      stepId,
      name: step.name,
      type: step.type,
      active: step.active ?? true,
      shouldStopOnFail: step.shouldStopOnFail ?? false,
      controlValues: judged.values,
      filters: (step.filters ?? []).map(completeFilter),
    }
  })
}

/** Names given come first, so that a name made for one step never takes another's. */
function nameSteps(sent: readonly SentStep[], previous: readonly Step[], faults: FieldErrors): string[] {
  const taken = new Set<string>()
  const given = sent.map((step, index) => {
    const stepId = step.stepId ?? previous.find((it) => it.id === step._id)?.stepId
    if (stepId === undefined) return undefined
    if (taken.has(stepId)) {
      faults[`steps.${index}.stepId`] = { messages: ['must be unique within the workflow'], value: stepId }
    }
    taken.add(stepId)
    return stepId
  })
  return sent.map((step, index) => {
    const stepId = given[index] ?? freeSlug(step.name, 'step', taken)
    taken.add(stepId)
    return stepId
  })
}

function judgePayloadSchema({ payloadSchema }: WorkflowDefinition, faults: FieldErrors): void {
  const fault = payloadSchema && payloadSchemaFault(payloadSchema)
  if (fault) faults.payloadSchema = { messages: [fault] }
}
