import type { Variable } from '../../../ui/form/completion.ts'
import { type Draft, isObject, type Values } from '../draft.ts'

const person = ['subscriberId', 'firstName', 'lastName', 'email', 'phone', 'avatar', 'locale', 'timezone', 'isOnline']

/** Names that templates of this workflow can use: always there, in the schema, or in the sample at hand. */
export function variablesOf(draft: Pick<Draft, 'payloadSchema'>, payload: Values, afterDigest: boolean): Variable[] {
  const inPayload = payloadVariables(draft.payloadSchema, payload)
  return [
    ...inPayload.map((variable) => ({ ...variable, name: `payload.${variable.name}` })),
    ...person.map((name) => ({ name: `subscriber.${name}`, about: 'who gets it', type: typeOfField(name) })),
    { name: 'subscriber.data', about: 'who gets it: your own fields', type: 'object' },
    ...(afterDigest
      ? [
          { name: 'step.events', about: 'gathered payloads, the first 100', type: 'array', items: inPayload },
          { name: 'step.eventCount', about: 'how many were gathered', type: 'integer' },
        ]
      : []),
    ...['subscriberId', 'firstName', 'lastName'].map((name) => ({ name: `actor.${name}`, about: 'who caused it' })),
    { name: 'tenant.identifier', about: 'tenant of the event' },
    { name: 'tenant.name', about: 'tenant of the event' },
    { name: 'tenant.data', about: 'tenant of the event' },
    { name: 'context', about: 'by type: id and data' },
  ]
}

const typeOfField = (name: string) => (name === 'isOnline' ? 'boolean' : 'string')

/** With names that begin at the payload: what the schema has, then what only the sample has. */
function payloadVariables(schema: unknown, payload: Values): Variable[] {
  const fromSchema = isObject(schema) ? inSchema(schema) : []
  const known = new Set(fromSchema.map(({ name }) => name))
  return [...fromSchema, ...inValue(payload).filter(({ name }) => !known.has(name))]
}

const deepest = 4
const join = (path: string, name: string) => (path ? `${path}.${name}` : name)

function inSchema({ properties }: Values, path = '', depth = 0): Variable[] {
  if (!isObject(properties) || depth > deepest) return []
  return Object.entries(properties).flatMap(([key, inner]) => {
    const name = join(path, key)
    if (!isObject(inner)) return [{ name, about: 'in the schema' }]
    const items = isObject(inner.items) ? itemsInSchema(inner.items, depth + 1) : null
    return [
      { name, about: 'in the schema', ...typeIn(inner), ...(items && { items }) },
      ...inSchema(inner, name, depth + 1),
    ]
  })
}

function itemsInSchema(schema: Values, depth: number): Variable[] {
  return [{ name: '', about: 'the item', ...typeIn(schema) }, ...inSchema(schema, '', depth)]
}

function typeIn({ type }: Values): { type?: string } {
  const named = Array.isArray(type) ? type.find((one) => one !== 'null') : type
  return typeof named === 'string' ? { type: named } : {}
}

function inValue(value: unknown, path = '', depth = 0): Variable[] {
  if (!isObject(value) || depth > deepest) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const name = join(path, key)
    const about = 'in the sample'
    if (!Array.isArray(inner)) return [{ name, about, type: typeOf(inner) }, ...inValue(inner, name, depth + 1)]
    const first: unknown = inner[0]
    const items = [{ name: '', about: 'the item', type: typeOf(first) }, ...inValue(first, '', depth + 1)]
    return [{ name, about, type: 'array', ...(inner.length > 0 && { items }) }]
  })
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
