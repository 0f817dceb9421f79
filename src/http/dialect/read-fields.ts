import { ApiError } from '../../errors.ts'
import { maxDepth } from '../../lib/read-json.ts'

// Reading this many takes some milliseconds; a bulk of a hundred events has a tenth of it.
const mostFields = 10_000

/**
 * A body of form fields, as older clients write objects and lists: `to[subscriberId]=ada`, `tags[0]=a`, `tags[]=b`. All
 * values are text.
 */
export function readFields(text: string): Record<string, unknown> {
  if (text.split('&', mostFields + 1).length > mostFields) {
    throw new ApiError('body_too_large', { message: `The form holds more than ${mostFields} fields.` })
  }
  const body: Fields = new Map()
  for (const [name, value] of new URLSearchParams(text)) put(body, pathOf(name), value)
  return Object.fromEntries([...body].map(([key, value]) => [key, toValue(value)]))
}

type Fields = Map<string, string | Fields>

function pathOf(name: string): string[] {
  const start = name.indexOf('[')
  if (start <= 0 || !name.endsWith(']')) return [name]
  const path = [name.slice(0, start), ...name.slice(start + 1, -1).split('][')]
  if (path.length > maxDepth) throw unreadable()
  return path
}

function put(fields: Fields, [first = '', ...rest]: string[], value: string): void {
  const key = first === '' ? String(fields.size) : first
  if (key === '__proto__') throw unreadable()
  if (rest.length === 0) {
    fields.set(key, value)
    return
  }
  const inner = fields.get(key) ?? new Map()
  if (typeof inner === 'string') throw unreadable()
  fields.set(key, inner)
  put(inner, rest, value)
}

/** One whose keys count from 0 is a list. */
function toValue(value: string | Fields): unknown {
  if (typeof value === 'string') return value
  const isList = [...value.keys()].every((key, index) => key === String(index))
  if (isList) return [...value.values()].map(toValue)
  return Object.fromEntries([...value].map(([key, inner]) => [key, toValue(inner)]))
}

function unreadable(): ApiError {
  return new ApiError('malformed_request', { message: 'The form cannot be read.' })
}
