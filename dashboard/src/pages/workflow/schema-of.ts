import { isObject, type Values } from './draft.ts'

/** A schema that the sample fits: every field, by its type, none required. */
export function schemaOf(value: Values): Values {
  return { type: 'object', properties: Object.fromEntries(Object.entries(value).map(([k, v]) => [k, typeOf(v)])) }
}

function typeOf(value: unknown): Values {
  if (isObject(value)) return schemaOf(value)
  if (Array.isArray(value)) return value.length > 0 ? { type: 'array', items: typeOf(value[0]) } : { type: 'array' }
  if (value === null) return {}
  return { type: typeof value }
}
