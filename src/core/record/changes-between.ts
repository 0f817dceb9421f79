import { canonicalJson, isPlainObject } from '../../lib/canonical-json.ts'
import { cutText } from '../../lib/one-line.ts'

/** One difference: absent where there was nothing before, or is nothing after. */
export type Change = { path: string; before?: unknown; after?: unknown }

// For people to read; versions and publications hold the whole.
const mostChanges = 100
const longestText = 1_000

/** What is different, field by field; entries of a list are matched by their stepId or identifier, or else by their place. */
export function changesBetween(before: unknown, after: unknown): Change[] {
  const changes: Change[] = []
  compare('', before, after, changes)
  return shortened(changes)
}

/** As many as somebody reads, and long texts cut. */
export function shortened(changes: readonly Change[]): Change[] {
  if (changes.length <= mostChanges) return changes.map(cutBoth)
  return [...changes.slice(0, mostChanges).map(cutBoth), { path: '…', after: `${changes.length - mostChanges} more` }]
}

function compare(path: string, before: unknown, after: unknown, changes: Change[]): void {
  if (before === after || (isEmpty(before) && isEmpty(after))) return
  const [old, fresh] = [isEmpty(before) ? nothing : partsOf(before), isEmpty(after) ? nothing : partsOf(after)]
  if (!old || !fresh) {
    if (canonicalJson(before) !== canonicalJson(after)) changes.push(toChange(path, before, after))
    return
  }
  for (const name of new Set([...old.keys(), ...fresh.keys()])) {
    compare(path === '' ? name : `${path}.${name}`, old.get(name), fresh.get(name), changes)
  }
}

const nothing: ReadonlyMap<string, unknown> = new Map()

/** What a value consists of, by name; null: it is one whole. */
function partsOf(value: unknown): ReadonlyMap<string, unknown> | null {
  if (isPlainObject(value)) return new Map(Object.entries(value))
  if (!Array.isArray(value) || value.length === 0 || !value.every(isPlainObject)) return null
  return new Map(value.map((entry, place) => [nameOf(entry) ?? String(place), entry]))
}

function nameOf(entry: Record<string, unknown>): string | null {
  const name = entry.stepId ?? entry.identifier
  return typeof name === 'string' ? name : null
}

function toChange(path: string, before: unknown, after: unknown): Change {
  return { path, ...(!isEmpty(before) && { before }), ...(!isEmpty(after) && { after }) }
}

function cutBoth({ path, before, after }: Change): Change {
  return toChange(path, cut(before), cut(after))
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null
}

function cut(value: unknown): unknown {
  if (isEmpty(value)) return value
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text.length <= longestText) return value
  return `${cutText(text, longestText)}… (${text.length} characters)`
}
