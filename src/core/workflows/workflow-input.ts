import { type FieldErrors, validationFailed } from '../../errors.ts'
import { createPauses } from '../../lib/chunks.ts'
import { freeSlug } from '../../lib/free-slug.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import { readPreferences } from './complete-preference.ts'
import { judgeControlValues } from './control-values.ts'
import { addAmount } from './next-time.ts'
import { completeFilter, type StepFilter } from './step-filter.ts'
import type {
  Duration,
  PreferenceLayer,
  Step,
  Variant,
  When,
  WorkflowDefinition,
  WorkflowInput,
  WorkflowPreferences,
} from './workflow.ts'

/** What PATCH may change; the rest of a workflow is replaced as a whole. */
export type WorkflowChange = Partial<
  Pick<WorkflowInput, 'name' | 'description' | 'tags' | 'validatePayload' | 'payloadSchema' | 'isTranslationEnabled'>
>

/**
 * From what was sent to what is stored; steps keep their ids over versions. `schemaFault`: what judge-payloads.ts found.
 * Throws 422 with every fault.
 */
export async function toDefinition(
  input: WorkflowInput,
  previous: WorkflowDefinition | null,
  schemaFault: string | null,
  now: Date,
): Promise<WorkflowDefinition> {
  const faults: FieldErrors = {}
  const steps = await readSteps(input.steps, previous?.steps ?? [], now, faults)
  // Clients send two empty layers back for a workflow without preferences: that is none.
  const preferences = readPreferences(input.preferences ?? null, previous, input.critical ?? false)
  const definition = {
    name: input.name,
    description: input.description ?? '',
    tags: [...new Set(input.tags)],
    severity: input.severity ?? 'none',
    critical: input.critical ?? effectivePreference(preferences)?.all?.readOnly ?? false,
    validatePayload: input.validatePayload ?? true,
    payloadSchema: input.payloadSchema ?? null,
    preferences,
    ...(input.ttl && { ttl: input.ttl }),
    ...(input.isTranslationEnabled && { isTranslationEnabled: true as const }),
    escapesHtml: true as const,
    steps,
  }
  checkTtl(input.ttl ?? null, faults)
  if (schemaFault !== null) faults.payloadSchema = { messages: [schemaFault] }
  if (Object.keys(faults).length > 0) throw validationFailed(faults)
  return definition
}

/** The definition with some fields changed. Throws 422. */
export function changeDefinition(
  current: WorkflowDefinition,
  change: WorkflowChange,
  schemaFault: string | null,
): WorkflowDefinition {
  if (schemaFault !== null) throw validationFailed({ payloadSchema: { messages: [schemaFault] } })
  const { isTranslationEnabled, ...rest } = current
  const isTranslated = change.isTranslationEnabled ?? isTranslationEnabled ?? false
  return {
    ...rest,
    ...(isTranslated && { isTranslationEnabled: true as const }),
    ...(change.name !== undefined && { name: change.name }),
    ...(change.description !== undefined && { description: change.description }),
    ...(change.tags !== undefined && { tags: [...new Set(change.tags)] }),
    ...(change.validatePayload !== undefined && { validatePayload: change.validatePayload }),
    ...(change.payloadSchema !== undefined && { payloadSchema: change.payloadSchema }),
  }
}

/** The team's own setting wins over the workflow's. */
export function effectivePreference(preferences: WorkflowPreferences | null): PreferenceLayer | null {
  return preferences?.user ?? preferences?.workflow ?? null
}

type SentStep = WorkflowInput['steps'][number]

async function readSteps(
  sent: readonly SentStep[],
  previous: readonly Step[],
  now: Date,
  faults: FieldErrors,
): Promise<Step[]> {
  const stepIds = nameSteps(sent, previous, faults)
  const known = new Map(previous.map((step) => [step.stepId, step.id]))
  const readValues = createReader(faults)
  const steps: Step[] = []
  for (const [index, step] of sent.entries()) {
    const place = `steps.${index}`
    const stepId = stepIds[index] ?? ''
    const content = await readValues(step, step.controlValues ?? null, place)
    const variants: Variant[] = []
    for (const [at, { name, filters, controlValues }] of (step.variants ?? []).entries()) {
      const placeOf = `${place}.variants.${at}`
      variants.push({
        ...(name !== undefined && { name }),
        filters: readFilters(filters, placeOf, faults),
        // A variant is complete: it replaces the step's own values.
        ...(await readValues(step, controlValues ?? null, placeOf)),
      })
    }
    checkWhen(step.when ?? null, stepIds.slice(0, index), place, faults)
    steps.push({
      id: known.get(stepId) ?? uuid7(now),
      stepId,
      name: step.name,
      type: step.type,
      active: step.active ?? true,
      shouldStopOnFail: step.shouldStopOnFail ?? false,
      ...content,
      filters: readFilters(step.filters, place, faults),
      ...(step.when && { when: step.when }),
      ...(variants.length > 0 && { variants }),
      ...(step.replyCallback && { replyCallback: step.replyCallback }),
    })
  }
  return steps
}

type Values = Record<string, unknown>

/** A workflow may hold a megabyte of templates: others have their turn between them. */
function createReader(faults: FieldErrors) {
  const pause = createPauses()
  return async (
    { type }: SentStep,
    sent: Values | null,
    place: string,
  ): Promise<Pick<Step, 'controlValues' | 'compiled'>> => {
    await pause()
    const judged = await judgeControlValues(type, sent, pause)
    for (const [path, fault] of Object.entries(judged.faults)) {
      faults[[place, 'controlValues', ...(path ? [path] : [])].join('.')] = fault
    }
    return { controlValues: judged.values, ...(judged.compiled && { compiled: judged.compiled }) }
  }
}

/** A condition on no field is never met: its step would never run, and nobody would know why. */
function readFilters(sent: SentStep['filters'], place: string, faults: FieldErrors): StepFilter[] {
  return (sent ?? []).map((filter, index) => {
    for (const [at, { field }] of (filter.children ?? []).entries()) {
      if (field.trim() !== '') continue
      faults[`${place}.filters.${index}.children.${at}.field`] = { messages: ['must name a field'], value: field }
    }
    return completeFilter(filter)
  })
}

/** A step that depends on itself or on a later one would wait for ever. */
function checkWhen(when: When | null, earlier: readonly string[], place: string, faults: FieldErrors): void {
  if (!when || earlier.includes(when.stepId)) return
  faults[`${place}.when.stepId`] = { messages: ['must be the stepId of an earlier step'], value: when.stepId }
}

// A message still tried after a month is of no use, and hinders retention.
const longestTtlMs = 31 * 86_400_000

function checkTtl(ttl: Duration | null, faults: FieldErrors): void {
  const from = new Date(0)
  if (!ttl || addAmount(from, ttl.amount, ttl.unit, 'UTC').getTime() <= longestTtlMs) return
  faults.ttl = { messages: ['must be at most 31 days'], value: ttl }
}

/** Given stepIds are reserved first, so that a generated one never takes them. */
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
