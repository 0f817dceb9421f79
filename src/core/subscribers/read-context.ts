import { isLargerThan, isPlainObject } from '../../lib/canonical-json.ts'

export const maxContextEntries = 5
/** Of a type and of an id. */
export const maxContextChars = 255
export const maxContextBytes = 64 * 1024

type Context = { context: Record<string, unknown> | null; contextKeys: string[] | null }

/** `{ type: id }` or `{ type: { id, data } }`; the keys are the sorted `type:id`. */
export function readContext(context: unknown): Context | { fault: string } {
  if (context === undefined || context === null) return { context: null, contextKeys: null }
  if (!isPlainObject(context)) return { fault: 'context must be an object' }
  const entries = Object.entries(context)
  if (entries.length > maxContextEntries) return { fault: `context may have at most ${maxContextEntries} entries` }
  const keys: string[] = []
  for (const [type, value] of entries) {
    const id = isPlainObject(value) ? value.id : value
    const fault = typeFault(type) ?? entryFault(type, id) ?? (isPlainObject(value) ? dataFault(type, value.data) : null)
    if (fault !== null) return { fault }
    keys.push(`${type}:${id}`)
  }
  return keys.length === 0 ? { context: null, contextKeys: null } : { context, contextKeys: keys.sort() }
}

function typeFault(type: string): string | null {
  if (type === '' || type.includes(':')) return `context type "${type}" must not be empty or hold ":"`
  return type.length > maxContextChars ? `a context type may have at most ${maxContextChars} characters` : null
}

function entryFault(type: string, id: unknown): string | null {
  const isId = typeof id === 'string' && id !== '' && id.length <= maxContextChars
  return isId ? null : `context.${type} must be a string, or an object with an id`
}

function dataFault(type: string, data: unknown): string | null {
  if (data === undefined || data === null) return null
  if (!isPlainObject(data)) return `context.${type}.data must be an object`
  const isTooLarge = isLargerThan(data, maxContextBytes)
  return isTooLarge ? `context.${type}.data must not be larger than ${maxContextBytes / 1024} KB as JSON` : null
}
