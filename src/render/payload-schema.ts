import { Ajv, type ErrorObject, type Options, type SchemaValidateFunction, type ValidateFunction } from 'ajv'
import { LRUCache } from 'lru-cache'
import { canonicalJson, isPlainObject } from '../lib/canonical-json.ts'
import { isEmail } from '../lib/formats.ts'
import { cutText } from '../lib/one-line.ts'

/** Tenants' JSON Schemas. Compiling and checking may take any time: only for threads that can be killed. */

type PayloadSchema = Record<string, unknown>

const maxBytes = 64 * 1024
// 500 rules take up to 0.3 s to compile; 2,000 alternatives take seconds and nest so deeply that V8 refuses to run them.
const maxRules = 500

// Enough to correct a payload.
const maxReportedFaults = 50
const maxPathChars = 300
// Every value may break every rule, and each fault takes 200 bytes: above this many only the first is told.
const maxPossibleFaults = 100_000

const definitionKeys = ['definitions', '$defs']
const dialect = 'http://json-schema.org/draft-07/schema'
const schemaValidator = new Ajv({ strict: false, logger: false })

const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i
const options: Options = {
  strict: false,
  logger: false,
  // Otherwise a payload without `toString` would have it.
  ownProperties: true,
  // `schemaValidator` has checked the schema; it may name any dialect, and is read as draft 7.
  meta: false,
  validateSchema: false,
  // Makes larger code in a third of the time.
  code: { optimize: false },
  formats: {
    email: isEmail,
    uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
    uri: (text: string) => URL.canParse(text),
    date: (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)),
    'date-time': (text: string) => dateTime.test(text) && !Number.isNaN(Date.parse(text)),
  },
}

type Check = ReturnType<typeof payloadCheck>
/** By the schema's text. */
const checks = new LRUCache<string, Check>({
  max: 100,
  maxSize: 256 * 1024, // characters of schemas; compiled they take some hundred bytes for each
  sizeCalculation: (_check, schema) => schema.length,
})

/** Both as JSON; without a payload the schema itself is judged. One sentence per fault. */
export function judgePayload(schema: string, payload: string | null): string[] {
  if (payload === null) {
    const fault = payloadSchemaFault(JSON.parse(schema))
    return fault === null ? [] : [fault]
  }
  try {
    const check = checks.get(schema) ?? payloadCheck(JSON.parse(schema))
    checks.set(schema, check)
    return check(JSON.parse(payload))
  } catch (error) {
    // A schema that could be saved can run out of stack, or was saved when other rules held.
    return [`payload cannot be checked by the payloadSchema: ${error instanceof Error ? error.message : 'it fails'}`]
  }
}

/** What is wrong with a payload schema, or null. */
export function payloadSchemaFault(schema: PayloadSchema): string | null {
  if (Buffer.byteLength(JSON.stringify(schema)) > maxBytes) return `is larger than ${maxBytes / 1024} KB`
  try {
    if (countRules(schema, () => 0) > maxRules)
      return `has more than ${maxRules} rules when its references are followed`
    const { $schema: _dialect, ...rest } = schema
    if (!schemaValidator.validate(dialect, rest))
      return `is not a JSON Schema: ${schemaValidator.errorsText(schemaValidator.errors, { dataVar: 'schema' })}`
    // V8 parses the generated code when it is first called.
    payloadCheck(schema)({})
    return null
  } catch (error) {
    return `is not a usable JSON Schema: ${error instanceof Error ? error.message : 'it does not compile'}`
  }
}

/** Compiles a saved schema; one sentence per fault. A new Ajv each, so that the `$id`s of two schemas cannot clash. */
export function payloadCheck(schema: PayloadSchema): (payload: unknown) => string[] {
  const { $schema: _dialect, ...rest } = schema
  const first = createAjv(false).compile(rest)
  let every: ValidateFunction | undefined
  // `required` and `dependencies` name properties as texts, and each is a fault of its own.
  const rules = countRules(schema, (value) => (typeof value === 'string' ? 1 : 0))
  return (payload) => {
    if (first(payload)) return []
    let { errors } = first
    if (!hasMoreValues(payload, maxPossibleFaults / rules)) {
      every ??= createAjv(true).compile(rest)
      every(payload)
      errors = every.errors
    }
    return (errors ?? []).slice(0, maxReportedFaults).map(toSentence)
  }
}

/** Names of properties may be as long as a payload. */
function toSentence({ instancePath, message }: ErrorObject): string {
  const path = instancePath.replaceAll('/', '.')
  return `payload${path.length > maxPathChars ? `${cutText(path, maxPathChars)}…` : path} ${message}`
}

function createAjv(allErrors: boolean): Ajv {
  const ajv = new Ajv({ ...options, allErrors })
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({ keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', validate: haveUniqueItems })
  return ajv
}

/** The library compares every item with every other one. */
const haveUniqueItems: SchemaValidateFunction = (isAsked: boolean, items: unknown[]) => {
  const seen = new Map<string, number>()
  for (const [index, item] of isAsked ? items.entries() : []) {
    const text = canonicalJson(item)
    const earlier = seen.get(text)
    if (earlier !== undefined) {
      const message = `must NOT have duplicate items (items ## ${earlier} and ${index} are identical)`
      haveUniqueItems.errors = [{ keyword: 'uniqueItems', message, params: { i: index, j: earlier } }]
      return false
    }
    seen.set(text, index)
  }
  return true
}

function hasMoreValues(root: unknown, most: number): boolean {
  const open = [root]
  let count = 1
  for (let value = open.pop(); value !== undefined && count <= most; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue
    for (const inner of Object.values(value)) open.push(inner)
    count += Object.keys(value).length
  }
  return count > most
}

/**
 * The number of rules with every `$ref` replaced by what it names; `weigh` says what a plain value counts. Throws for
 * recursion, other documents, and changes of the base.
 */
function countRules(root: PayloadSchema, weigh: (value: unknown) => number): number {
  const counted = new Map<object, number>()
  const open = new Set<object>()

  const count = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return weigh(value)
    const known = counted.get(value)
    if (known !== undefined) return known
    if (open.has(value)) throw new Error('a $ref that leads back to itself is not supported')
    open.add(value)
    const node: Record<string, unknown> = isPlainObject(value) ? value : {}
    if (node.$async !== undefined && !isPlainObject(node.$async)) throw new Error('$async is not supported')
    if (typeof node.$id === 'string' && value !== root) throw new Error('$id is supported at the top only')
    let sum = 1 + (typeof node.$ref === 'string' ? count(resolve(root, node.$ref)) : 0)
    for (const [key, inner] of Object.entries(value)) {
      const rules = count(inner)
      // Definitions count where they are used, not where they are defined.
      if (value !== root || !definitionKeys.includes(key)) sum += rules
    }
    open.delete(value)
    counted.set(value, sum)
    return sum
  }
  return count(root)
}

function resolve(root: PayloadSchema, ref: string): unknown {
  if (!ref.startsWith('#/')) throw new Error(`$ref "${ref}" must be local, such as #/definitions/address`)
  const parts = decodeURIComponent(ref.slice(2)).split('/')
  let found: unknown = root
  for (const part of parts) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    const inside = typeof found === 'object' && found !== null && Object.hasOwn(found, key)
    if (!inside) throw new Error(`$ref "${ref}" names nothing in the schema`)
    found = Object(found)[key]
  }
  return found
}
