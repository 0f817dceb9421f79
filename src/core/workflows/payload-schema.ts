import { Ajv, type Options } from 'ajv'
import { isPlainObject } from '../../lib/canonical-json.ts'
import { isEmail } from '../../lib/formats.ts'

export type PayloadSchema = Record<string, unknown>

const maxBytes = 64 * 1024
// Compiling and validating block the process that answers requests. 500 rules take up to 0.3 s to compile; 2,000
// alternatives take seconds and nest so deeply that V8 refuses to run them.
const maxRules = 500

// Enough to correct a payload.
const maxReportedFaults = 50

const definitionKeys = ['definitions', '$defs']
const dialect = 'http://json-schema.org/draft-07/schema'
const schemaValidator = new Ajv({ strict: false, logger: false })

const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i
const options: Options = {
  allErrors: true,
  strict: false,
  logger: false,
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

/** What is wrong with a payload schema, or null. */
export function payloadSchemaFault(schema: PayloadSchema): string | null {
  if (Buffer.byteLength(JSON.stringify(schema)) > maxBytes) return `is larger than ${maxBytes / 1024} KB`
  try {
    if (countRules(schema) > maxRules) return `has more than ${maxRules} rules when its references are followed`
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
  const check = new Ajv(options).compile(rest)
  return (payload) => {
    if (check(payload)) return []
    const faults = (check.errors ?? []).slice(0, maxReportedFaults)
    return faults.map((fault) => `payload${fault.instancePath.replaceAll('/', '.')} ${fault.message}`)
  }
}

/**
 * The number of rules with every `$ref` replaced by what it names. Throws for recursion, other documents, and changes
 * of the base.
 */
function countRules(root: PayloadSchema): number {
  const counted = new Map<object, number>()
  const open = new Set<object>()

  const count = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return 0
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
