import { controlNames } from '../../core/workflows/control-values.ts'
import { type StepType, severities, stepTypes } from '../../core/workflows/workflow.ts'
import { isPlainObject } from '../../lib/canonical-json.ts'
import { cutText } from '../../lib/one-line.ts'
import { channels } from '../../providers/provider.ts'
import { carryCondition } from './carry-conditions.ts'
import type { Item } from './lists.ts'
import { textIn } from './names.ts'
import { unknownFields } from './unknown-fields.ts'

/**
 * `entry`: as POST /v1/content takes it. `left`: what of it could not be carried, and why. `isWhole` false: what it lacks
 * makes it arrive switched off.
 */
export type Carried = { name: string; entry: Item; left: { field?: string; why: string }[]; isWhole?: boolean }
type Left = Carried['left']

const ownOfStep = ['active', 'shouldStopOnFail', 'when', 'variants', 'replyCallback']
const knownOfStep = [
  ...ownOfStep,
  'stepId',
  'name',
  'type',
  'controls',
  'controlValues',
  'filters',
  'providerOverrides',
]
const toldOfStep = ['stepResolverHash', 'workflowId', 'workflowDatabaseId']

const known = [
  'workflowId',
  'name',
  'description',
  'active',
  'tags',
  'severity',
  'critical',
  'validatePayload',
  'payloadSchema',
  'isTranslationEnabled',
  'preferences',
  'ttl',
  'steps',
  // Told of by themselves, or made anew.
  'agent',
  'lastPublishedAt',
  'lastPublishedBy',
  'lastTriggeredAt',
  'payloadExample',
  'missingTranslations',
]

/**
 * As POST /v1/content takes it. What a step needs and what is not known here makes the workflow arrive switched off: it
 * would send to others, or something else.
 */
export function carryWorkflow(given: Item): Carried {
  const left: Left = unknownFields(given, known)
  const name = textIn(given.workflowId)
  const steps = (Array.isArray(given.steps) ? given.steps : []).map((it, at) => carryStep(it, at, left))
  const carried = steps.flatMap((it) => it.step ?? [])
  const isWhole = steps.every((it) => it.isWhole)
  if (given.agent) left.push({ field: 'agent', why: 'there are no agents here' })
  if (!isWhole)
    left.push({ field: 'active', why: 'it arrives switched off, because a step could not be carried whole' })
  const entry = {
    workflowId: name,
    name: cut(textIn(given.name) || name, 255, 'name', left),
    description: cut(textIn(given.description), 2000, 'description', left),
    active: given.active !== false && isWhole,
    tags: carryTags(given.tags, left),
    severity: carrySeverity(given.severity, left),
    ...(typeof given.critical === 'boolean' && { critical: given.critical }),
    ...(typeof given.validatePayload === 'boolean' && { validatePayload: given.validatePayload }),
    payloadSchema: isPlainObject(given.payloadSchema) ? given.payloadSchema : null,
    isTranslationEnabled: given.isTranslationEnabled === true,
    ...(isPlainObject(given.preferences) && { preferences: carryPreferences(given.preferences, left) }),
    ...(isPlainObject(given.ttl) && { ttl: given.ttl }),
    steps: carried,
  }
  return { name, entry, left, isWhole }
}

/** Workflows that are written in code are served by a program; there is nothing in them to carry. Null: it is another. */
export function whyInCode({ origin }: Item): string | null {
  return origin === 'external'
    ? 'it is defined in your code: point the bridge of your program to this service, or write it as a file'
    : null
}

export function cut(text: string, most: number, field: string, left: Left): string {
  if (text.length <= most) return text
  left.push({ field, why: `has ${text.length} characters; the first ${most} are taken` })
  return cutText(text, most)
}

function carrySeverity(given: unknown, left: Left): string {
  const found = severities.find((it) => it === given)
  if (!found && textIn(given) !== '')
    left.push({ field: 'severity', why: `"${textIn(given).slice(0, 50)}" is none here` })
  return found ?? 'none'
}

function carryTags(given: unknown, left: Left): string[] {
  if (Array.isArray(given) && given.some((it) => typeof it !== 'string'))
    left.push({ field: 'tags', why: 'a tag is a text here' })
  const tags = Array.isArray(given) ? given.filter((it): it is string => typeof it === 'string' && it !== '') : []
  const kept = [...new Set(tags.filter((it) => it.length <= 100))].slice(0, 50)
  if (kept.length < new Set(tags).size) left.push({ field: 'tags', why: 'only 50 tags of 100 characters are taken' })
  return kept
}

/** The workflow's own layer is called `default`, complete: where it says only what holds anyway, none is kept here. */
function carryPreferences({ user, default: own }: Item, left: Left): Item {
  const layer = (given: unknown) => {
    if (!isPlainObject(given)) return null
    const all = isPlainObject(given.all) ? given.all : {}
    const each = isPlainObject(given.channels) ? given.channels : {}
    if (all.condition !== undefined)
      left.push({ field: 'preferences', why: 'conditions of preferences are not known here' })
    return {
      all: booleansOf(all, ['enabled', 'readOnly']),
      channels: Object.fromEntries(
        channels.flatMap((name) => (isPlainObject(each[name]) ? [[name, booleansOf(each[name], ['enabled'])]] : [])),
      ),
    }
  }
  const completed = layer(own)
  return { user: layer(user), default: completed && complete(completed) }
}

function complete({ all, channels: each }: { all: Item; channels: Item }): Item {
  const whole = { enabled: true, readOnly: false, ...all }
  const usual = channels.map((name) => [name, { enabled: whole.enabled }] as const)
  return { all: whole, channels: { ...Object.fromEntries(usual), ...each } }
}

function booleansOf(given: Item, names: readonly string[]): Item {
  return Object.fromEntries(names.flatMap((name) => (typeof given[name] === 'boolean' ? [[name, given[name]]] : [])))
}

/** `step` null: nothing of it could be carried. */
type CarriedStep = { step: Item | null; isWhole: boolean }

function carryStep(given: unknown, at: number, left: Left): CarriedStep {
  const step = isPlainObject(given) ? given : {}
  const stepId = textIn(step.stepId) || textIn(step.slug)
  const field = `steps.${stepId || at}`
  const type = stepTypes.find((it) => it === step.type)
  if (!type) {
    left.push({ field, why: `there are no steps of the type "${textIn(step.type).slice(0, 50)}" here` })
    return { step: null, isWhole: false }
  }
  for (const it of unknownFields(step, [...knownOfStep, ...toldOfStep]))
    left.push({ field: `${field}.${it.field}`, why: it.why })
  const { values, condition } = controlsOf(step)
  const own = Array.isArray(step.filters) ? step.filters : []
  const filters = carryBoth(condition, own)
  const isCode = textIn(step.stepResolverHash) !== ''
  if (typeof filters === 'string') left.push({ field, why: filters })
  if (isCode) left.push({ field, why: 'its content is made by your code' })
  if (isPlainObject(step.providerOverrides) && Object.keys(step.providerOverrides).length > 0) {
    left.push({ field: `${field}.providerOverrides`, why: 'a step has no overrides of providers here; an event may' })
  }
  const carried = {
    ...(stepId !== '' && { stepId }),
    name: cut(textIn(step.name) || stepId || type, 255, `${field}.name`, left),
    type,
    controlValues: knownOf(type, values, field, left),
    filters: typeof filters === 'string' || filters.length === 0 ? own : filters,
    // What only a service like this one says.
    ...pick(step, ownOfStep),
  }
  return { step: carried, isWhole: typeof filters !== 'string' && !isCode }
}

/** Of a rule and filters both must pass, and here one of the filters. */
function carryBoth(condition: unknown, own: readonly unknown[]): ReturnType<typeof carryCondition> {
  const filters = carryCondition(condition)
  const isBoth = filters.length > 0 && own.length > 0 && typeof filters !== 'string'
  return isBoth ? 'its condition is a rule, and filters besides' : filters
}

/** Newer versions have them beside `controls`, older ones only within. */
function controlsOf({ controlValues, controls }: Item): { values: Item; condition: unknown } {
  const within = isPlainObject(controls) && isPlainObject(controls.values) ? controls.values : {}
  const { skip: condition, ...values } = isPlainObject(controlValues) ? controlValues : within
  return { values, condition }
}

function knownOf(type: StepType, values: Item, field: string, left: Left): Item {
  const names = controlNames(type)
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => {
      if (names.includes(name)) return true
      const isEmpty = value === null || value === undefined || value === '' || value === false
      if (!isEmpty) left.push({ field: `${field}.${name}`, why: `is not known in a step of the type ${type} here` })
      return false
    }),
  )
}

function pick(given: Item, names: readonly string[]): Item {
  return Object.fromEntries(names.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])))
}
