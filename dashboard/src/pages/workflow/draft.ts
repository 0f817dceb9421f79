import type { Workflow, WorkflowStep } from '../../api/types.ts'
import { freeSlug } from '../../lib/slug.ts'

export type Step = WorkflowStep
export type StepType = Step['type']
/** What is made here; other steps are code of a bridge, and have no form. */
export type OwnStepType = Exclude<StepType, 'custom'>
export type Values = Record<string, unknown>
export type Layer = Workflow['preferences']['default']
export type Duration = NonNullable<Workflow['ttl']>

/** The workflow as it was read, changed in place. What no form shows stays in it, and goes back with it. */
export type Draft = Omit<Workflow, 'ttl'> & { ttl?: Duration | undefined }

const unsaved = 'unsaved-'

/**
 * What PUT takes. `active` is left out: it is switched by itself, and a save must not undo what somebody switched
 * meanwhile. The workflow's own preferences are read as `default`, and written as `workflow`.
 */
export function toInput({ active, status, preferences, ...rest }: Draft) {
  const own = saysNothing(preferences.default, rest.critical) ? null : preferences.default
  return { ...rest, preferences: { user: preferences.user, workflow: own }, steps: rest.steps.flatMap(toStepInput) }
}

/** `controls` mirrors `controlValues` and would be stale; a step that is not stored has no `_id` yet. */
function toStepInput({ controls, _id, type, ...rest }: Step) {
  if (type === 'custom') return []
  const step = { ...rest, type }
  return [_id.startsWith(unsaved) ? step : { _id, ...step }]
}

/** A workflow without preferences is read as one that has everything on. */
function saysNothing({ all, channels }: Layer, critical: boolean): boolean {
  return all.enabled && all.readOnly === critical && Object.values(channels).every(({ enabled }) => enabled)
}

export const isSame = (a: Draft, b: Draft) => JSON.stringify(toInput(a)) === JSON.stringify(toInput(b))

let lastUnsaved = 0
export const isUnsaved = ({ _id }: Step) => _id.startsWith(unsaved)

/** A step that is not stored yet. `like` gives it all that another one has. */
export function newStep(
  draft: Draft,
  start: { type: StepType; name: string; controlValues: Values },
  like?: Step,
): Step {
  lastUnsaved += 1
  const taken = draft.steps.map(({ stepId }) => stepId)
  const stepId = freeSlug(start.name, 'step', taken)
  return {
    active: true,
    shouldStopOnFail: false,
    filters: [],
    variants: [],
    controls: { values: {} },
    variables: {},
    origin: draft.origin,
    workflowId: draft.workflowId,
    workflowDatabaseId: draft._id,
    ...structuredClone(like),
    ...start,
    _id: `${unsaved}${lastUnsaved}`,
    stepId,
    slug: stepId,
  }
}

/** The object without one of its fields. */
export function without<T extends object, Key extends keyof T>(object: T, key: Key): Omit<T, Key> {
  const { [key]: _, ...rest } = object
  return rest
}

export const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The text at a path such as `redirect.url`; nothing when there is none. */
export function textAt(values: Values, path: string): string {
  const value = valueAt(values, path)
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

export function valueAt(values: Values, path: string): unknown {
  let value: unknown = values
  for (const key of path.split('.')) value = isObject(value) ? value[key] : undefined
  return value
}

/** The values with another one at a path. Undefined and '' take it away, and with it what is then empty around it. */
export function putAt(values: Values, path: string, value: unknown): Values {
  const [key = '', ...rest] = path.split('.')
  if (rest.length > 0) {
    const inner = values[key]
    const changed = putAt(isObject(inner) ? inner : {}, rest.join('.'), value)
    return Object.keys(changed).length > 0 ? { ...values, [key]: changed } : without(values, key)
  }
  return value === undefined || value === '' ? without(values, key) : { ...values, [key]: value }
}
