import { isPlainObject } from '../../lib/canonical-json.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import { type Step, type StepType, stepTypes, type WorkflowDefinition } from '../workflows/workflow.ts'
import type { Discovered } from './discover.ts'

/** `schema`: to judge payloads by when an event is accepted; null: the bridge alone does. */
export function toExternalDefinition(
  found: Discovered,
  previous: WorkflowDefinition | null,
  schema: Record<string, unknown> | null,
  now: Date,
): WorkflowDefinition {
  const known = new Map(previous?.steps.map((step) => [step.stepId, step.id]))
  const { all, channels = {} } = found.preferences ?? {}
  const layer = { ...(all && Object.keys(all).length > 0 && { all }), ...(hasSome(channels) && { channels }) }
  return {
    name: found.name?.trim() || found.workflowId,
    description: found.description ?? '',
    tags: [...new Set(found.tags)],
    severity: found.severity ?? 'none',
    critical: all?.readOnly ?? false,
    validatePayload: schema !== null,
    payloadSchema: schema,
    preferences: hasSome(layer) ? { workflow: layer } : null,
    escapesHtml: true,
    origin: 'external',
    steps: found.steps.map(({ stepId, type }): Step => {
      const own = stepTypes.find((it) => it === type)
      if (!own) throw new Error(`${type} is no type of a step`)
      return {
        id: known.get(stepId) ?? uuid7(now),
        stepId,
        name: stepId,
        type: own,
        active: true,
        shouldStopOnFail: stopsOnFail(own),
        // Their code makes the whole mail.
        controlValues: own === 'email' ? { layoutId: null } : {},
        filters: [],
      }
    }),
  }
}

/** What comes after a wait or reads a result has no meaning without it. */
function stopsOnFail(type: StepType): boolean {
  return type === 'delay' || type === 'digest' || type === 'throttle' || type === 'custom'
}

const hasSome = (value: object) => Object.keys(value).length > 0

/** Null: it says nothing about payloads. */
export function payloadSchemaOf({ payload }: Discovered): Record<string, unknown> | null {
  const { $schema: _dialect, ...said } = payload?.schema ?? {}
  const judged = asTheirCode(said)
  const { type: _type, properties, required, ...rest } = judged
  const names = isPlainObject(properties) && hasSome(properties)
  const demands = Array.isArray(required) && required.length > 0
  return names || demands || hasSome(rest) ? judged : null
}

/** Their code fills in defaults before it looks what is missing, and takes out what is too much. */
function asTheirCode(schema: Record<string, unknown>, depth = 0): Record<string, unknown> {
  const { additionalProperties, ...kept } = schema
  const own = additionalProperties === false ? kept : schema
  const { properties, required } = own
  if (depth > 20 || !isPlainObject(properties)) return own
  const inner = Object.fromEntries(
    Object.entries(properties).map(([name, it]) => [name, isPlainObject(it) ? asTheirCode(it, depth + 1) : it]),
  )
  const hasDefault = (name: unknown) => {
    const named = typeof name === 'string' && Object.hasOwn(properties, name) ? properties[name] : undefined
    return isPlainObject(named) && named.default !== undefined
  }
  return {
    ...own,
    properties: inner,
    ...(Array.isArray(required) && { required: required.filter((name) => !hasDefault(name)) }),
  }
}
