import { isPlainObject } from '../../lib/canonical-json.ts'

export const maxContextEntries = 5

type Context = { context: Record<string, unknown> | null; contextKeys: string[] | null }

/** `{ type: id }` or `{ type: { id, data } }`; the keys are the sorted `type:id`. */
export function readContext(context: unknown): Context | { fault: string } {
  if (context === undefined || context === null) return { context: null, contextKeys: null }
  if (!isPlainObject(context)) return { fault: 'context must be an object' }
  const entries = Object.entries(context)
  if (entries.length > maxContextEntries) return { fault: `context may have at most ${maxContextEntries} entries` }
  const keys: string[] = []
  for (const [type, value] of entries) {
    if (type === '' || type.includes(':')) return { fault: `context type "${type}" must not be empty or hold ":"` }
    const id = isPlainObject(value) ? value.id : value
    if (typeof id !== 'string' || id === '' || id.length > 255)
      return { fault: `context.${type} must be a string, or an object with an id` }
    keys.push(`${type}:${id}`)
  }
  return keys.length === 0 ? { context: null, contextKeys: null } : { context, contextKeys: keys.sort() }
}
