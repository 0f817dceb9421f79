import { isPlainObject } from '../../lib/canonical-json.ts'
import { isPortions } from '../write-json.ts'

// Clients of the vendor's own service know our built-in names with the vendor's prefix. They are translated here and
// nowhere else: only in fields that hold such a name, never in the caller's own data.
const builtInNames = [
  'platform',
  'platform-email',
  'platform-sms',
  'platform-slack',
  'platform-cloud',
  'platform-cloud-v1',
]
const toVendor = new Map(builtInNames.map((name) => [name, name.replace('platform', 'novu')]))
const fromVendor = new Map([...toVendor].map(([name, vendor]) => [vendor, name]))
const translatedFields = new Set(['providerId', 'origin'])
// Types of contexts and words of translations are keys of the caller's, too.
const callersOwn = new Set([
  'data',
  'payload',
  'payloadSchema',
  'previewPayload',
  'credentials',
  'overrides',
  'context',
  'content',
])

export function fromVendorNames<T>(sent: T): T {
  return translate(sent, fromVendor) as T
}

/** Of a result that is read from its text, or not written yet. */
export function toVendorNames(result: unknown): unknown {
  return translate(result, toVendor)
}

function translate(value: unknown, names: Map<string, string>): unknown {
  if (Array.isArray(value)) return translateAll(value, names)
  if (isPortions(value)) return translatePortions(value, names)
  if (!isPlainObject(value)) return value
  let changed: Record<string, unknown> | null = null
  for (const [key, inner] of Object.entries(value)) {
    const ours = translateField(key, inner, names)
    if (ours === inner) continue
    changed ??= { ...value }
    // Not assigned: it may be called __proto__.
    Object.defineProperty(changed, key, { value: ours, enumerable: true, configurable: true, writable: true })
  }
  return changed ?? value
}

/** What needs no change is not copied: most lists hold no name at all. */
function translateAll(list: readonly unknown[], names: Map<string, string>): readonly unknown[] {
  let changed: unknown[] | null = null
  for (const [at, item] of list.entries()) {
    const ours = translate(item, names)
    if (ours === item) continue
    changed ??= [...list]
    changed[at] = ours
  }
  return changed ?? list
}

function translateField(key: string, inner: unknown, names: Map<string, string>): unknown {
  if (translatedFields.has(key) && typeof inner === 'string') return names.get(inner) ?? inner
  return isCallersOwn(key, inner) ? inner : translate(inner, names)
}

/** `data` of a list holds our resources; `data` of a resource is the caller's own. */
function isCallersOwn(key: string, value: unknown): boolean {
  return callersOwn.has(key) && !(key === 'data' && (Array.isArray(value) || isPortions(value)))
}

async function* translatePortions(portions: AsyncIterable<unknown[]>, names: Map<string, string>) {
  for await (const portion of portions) yield [...translateAll(portion, names)]
}
