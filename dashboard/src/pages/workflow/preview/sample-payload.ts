import { type Draft, isObject, type Values } from '../draft.ts'

export function parse(text: string): { value?: unknown; fault?: string } {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    return { fault: `This is not JSON: ${error instanceof Error ? error.message : 'unreadable'}` }
  }
}

export function readPayload(text: string): { payload: Values; fault: string | undefined } {
  const { value, fault } = parse(text.trim() || '{}')
  if (isObject(value)) return { payload: value, fault: undefined }
  return { payload: {}, fault: fault ?? 'A payload is an object: { … }' }
}

/** Every name that the templates use and the schema has, each with something to look at. */
export function samplePayload(draft: Draft): Values {
  const used: Values = {}
  for (const [, path = ''] of JSON.stringify(draft.steps).matchAll(/payload((?:\.[A-Za-z_]\w*)+)/g)) {
    fill(used, path.slice(1).split('.'))
  }
  const known = isObject(draft.payloadSchema) ? exampleOf(draft.payloadSchema, '') : {}
  return { ...used, ...(isObject(known) ? known : {}) }
}

function fill(into: Values, [name = '', ...rest]: string[]): void {
  const present = into[name]
  if (rest.length === 0) into[name] ??= name
  else {
    const inner = isObject(present) ? present : {}
    into[name] = inner
    fill(inner, rest)
  }
}

function exampleOf(schema: Values, name: string, depth = 0): unknown {
  if (schema.example !== undefined) return schema.example
  if (schema.default !== undefined) return schema.default
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const { properties, type } = schema
  if (isObject(properties) && depth < 6) {
    return Object.fromEntries(
      Object.entries(properties).map(([key, inner]) => [key, isObject(inner) ? exampleOf(inner, key, depth + 1) : key]),
    )
  }
  if (type === 'object') return {}
  if (type === 'array') return isObject(schema.items) && depth < 6 ? [exampleOf(schema.items, name, depth + 1)] : []
  if (type === 'number' || type === 'integer') return 1
  return type === 'boolean' ? true : name
}
