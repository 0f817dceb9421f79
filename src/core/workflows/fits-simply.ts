import { isPlainObject } from '../../lib/canonical-json.ts'

/**
 * Whether a payload plainly fits its schema, for the main thread: it takes at most `steps` steps whatever a tenant wrote.
 * False means only that this cannot be said here (a rule that is not known below, a fault, or too many values): then a
 * thread that can be killed judges, with all rules of JSON Schema.
 */
export function fitsSimply(schema: unknown, payload: unknown, steps: Steps): boolean {
  steps.left -= 1
  if (steps.left < 0) return false
  if (schema === true) return true
  if (!isPlainObject(schema)) return false
  for (const [name, rule] of Object.entries(schema)) {
    steps.left -= 1
    if (annotations.has(name)) continue
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined
    if (!check?.(rule, payload, schema, steps)) return false
  }
  return steps.left >= 0
}

/** Shared by all payloads of a request. */
export type Steps = { left: number }

type Schema = Record<string, unknown>
type Check = (rule: unknown, value: unknown, schema: Schema, steps: Steps) => boolean

// They say nothing about the payload.
const annotations = new Set([
  'title',
  'description',
  'default',
  'examples',
  '$comment',
  '$schema',
  'definitions',
  '$defs',
])

const types: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: isPlainObject,
}

const checks: Record<string, Check> = {
  type: (rule, value) => [rule].flat().some((name) => typeof name === 'string' && types[name]?.(value)),
  const: (rule, value) => isPlainValue(rule) && rule === value,
  enum: (rule, value, _schema, steps) => {
    if (!Array.isArray(rule)) return false
    steps.left -= rule.length
    return steps.left >= 0 && isPlainValue(value) && rule.includes(value)
  },
  minimum: (rule, value) => typeof value !== 'number' || Number(rule) <= value,
  maximum: (rule, value) => typeof value !== 'number' || Number(rule) >= value,
  // A character takes one unit or two, so half of the length is enough of a proof.
  minLength: (rule, value) =>
    typeof value !== 'string' || Number(rule) <= value.length / 2 || (Number(rule) <= 1 && value !== ''),
  maxLength: (rule, value) => typeof value !== 'string' || Number(rule) >= value.length,
  minItems: (rule, value) => !Array.isArray(value) || Number(rule) <= value.length,
  maxItems: (rule, value) => !Array.isArray(value) || Number(rule) >= value.length,
  required: (rule, value, _schema, steps) => {
    if (!isPlainObject(value)) return true
    if (!Array.isArray(rule)) return false
    steps.left -= rule.length
    return steps.left >= 0 && rule.every((name) => value[name] !== undefined && Object.hasOwn(value, name))
  },
  properties: (rule, value, _schema, steps) => {
    if (!isPlainObject(value)) return true
    if (!isPlainObject(rule)) return false
    for (const [name, inner] of Object.entries(rule)) {
      steps.left -= 1
      if (Object.hasOwn(value, name) && !fitsSimply(inner, value[name], steps)) return false
    }
    return true
  },
  additionalProperties: (rule, value, { properties, patternProperties }, steps) => {
    if (!isPlainObject(value)) return true
    if (patternProperties !== undefined) return false
    for (const [name, inner] of Object.entries(value)) {
      steps.left -= 1
      const isNamed = isPlainObject(properties) && Object.hasOwn(properties, name)
      if (!isNamed && !fitsSimply(rule, inner, steps)) return false
    }
    return true
  },
  items: (rule, value, _schema, steps) =>
    !Array.isArray(value) || (!Array.isArray(rule) && value.every((inner) => fitsSimply(rule, inner, steps))),
  allOf: (rule, value, _schema, steps) => Array.isArray(rule) && rule.every((inner) => fitsSimply(inner, value, steps)),
}

function isPlainValue(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}
