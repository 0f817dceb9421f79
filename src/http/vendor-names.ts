import { isPlainObject } from '../lib/canonical-json.ts'
import { isPortions } from './write-json.ts'

// Clients of the vendor's own service know our built-in names with the vendor's prefix. VENDOR_NAMES=novu translates
// them here and nowhere else: only in fields that hold such a name, never in the caller's own data.
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
const callersOwn = new Set(['data', 'payload', 'payloadSchema', 'credentials'])

export function fromVendorNames<T>(sent: T): T {
  return translate(sent, fromVendor) as T
}

export function toVendorNames(json: string): string {
  return JSON.stringify(translate(JSON.parse(json), toVendor))
}

/** The same for a result that is not written yet. */
export function translateNames(result: unknown): unknown {
  return translate(result, toVendor)
}

function translate(value: unknown, names: Map<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => translate(item, names))
  if (isPortions(value)) return translatePortions(value, names)
  if (!isPlainObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (translatedFields.has(key) && typeof inner === 'string') return [key, names.get(inner) ?? inner]
      // `data` of a list holds our resources; `data` of a resource is the caller's own.
      return [key, callersOwn.has(key) && !Array.isArray(inner) && !isPortions(inner) ? inner : translate(inner, names)]
    }),
  )
}

async function* translatePortions(portions: AsyncIterable<unknown[]>, names: Map<string, string>) {
  for await (const portion of portions) yield portion.map((item) => translate(item, names))
}
