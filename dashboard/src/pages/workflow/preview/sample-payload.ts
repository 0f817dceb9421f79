import { type Draft, isObject, type Step, type Values } from '../draft.ts'

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

type Sampled = Pick<Draft, 'steps' | 'payloadSchema'>

/** Every name that conditions and templates use and the schema has, each with something to look at. */
export function samplePayload(draft: Sampled): Values {
  const used: Values = {}
  // First: a value that a condition asks for tells more than the field's name.
  for (const part of draft.steps.flatMap(partsOf)) {
    const path = part.field.replace(/^payload\./, '').split('.')
    if (part.on === 'payload' && path.every((name) => /^[A-Za-z_][\w-]*$/.test(name) && name !== '__proto__'))
      fill(used, path, askedFor(part))
  }
  for (const [, path = ''] of JSON.stringify(draft.steps).matchAll(/payload((?:\.[A-Za-z_]\w*)+)/g)) {
    fill(used, path.slice(1).split('.'))
  }
  const known = isObject(draft.payloadSchema) ? exampleOf(draft.payloadSchema, '') : {}
  return { ...used, ...(isObject(known) ? known : {}) }
}

type Part = Step['filters'][number]['children'][number]

const partsOf = ({ filters, variants }: Step): Part[] =>
  [filters, ...variants.map((variant) => variant.filters)].flat().flatMap(({ children }) => children)

/** What meets the condition, where that is easy to say. */
function askedFor({ operator, value }: Part): unknown {
  const [first = ''] = /IN$|BETWEEN$/.test(operator) ? value.split(',') : [value]
  const text = first.trim()
  if (operator.startsWith('NOT_') || text === '') return undefined
  if (text === 'true' || text === 'false') return text === 'true'
  const number = Number(text)
  if (Number.isNaN(number)) return text
  if (operator === 'LARGER') return number + 1
  return operator === 'SMALLER' ? number - 1 : number
}

function fill(into: Values, [name = '', ...rest]: string[], value?: unknown): void {
  const present = into[name]
  if (rest.length === 0) into[name] ??= value ?? name
  else {
    const inner = isObject(present) ? present : {}
    into[name] = inner
    fill(inner, rest, value)
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
