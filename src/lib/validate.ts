import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { TSchema } from 'typebox'
import { type FieldErrors, invalidField, validationFailed } from '../errors.ts'
import { isEmail, isIdentifier, isLocale, isTopicKey } from './formats.ts'
import { cutText } from './one-line.ts'
import { isStorableText } from './read-json.ts'
import { isTimezone } from './zoned-time.ts'

const formats: Record<string, { check: (text: string) => boolean; rule: string }> = {
  email: { check: isEmail, rule: 'must be a valid e-mail address' },
  timezone: { check: isTimezone, rule: 'must be an IANA time zone such as Europe/Berlin' },
  locale: { check: isLocale, rule: 'must be a BCP 47 language tag such as en-US' },
  'topic-key': { check: isTopicKey, rule: 'may hold letters, digits, "-", "_" and ":", or be an e-mail address' },
  identifier: { check: isIdentifier, rule: 'must not be blank or hold control characters' },
}

// Enough to correct a request; a thousand faults help nobody.
const maxReportedFaults = 50

// Collecting all faults of a huge body would take seconds: above this many values (at all levels) only the first is
// told.
const maxValuesForAllFaults = 10_000

const firstFault = createAjv(false)
const allFaults = createAjv(true)

function createAjv(allErrors: boolean): Ajv {
  // verbose: a fault carries its value, which is shown to the caller.
  const ajv = new Ajv({ allErrors, verbose: true, removeAdditional: true, strict: true, allowUnionTypes: true })
  for (const [name, { check }] of Object.entries(formats)) ajv.addFormat(name, check)
  for (const name of ['date-time', 'uuid']) ajv.addFormat(name, true)
  ajv.addKeyword('x-describedAs')
  ajv.addKeyword({
    keyword: 'x-maxJsonBytes',
    schemaType: 'number',
    validate: (bytes: number, value: unknown) => Buffer.byteLength(JSON.stringify(value)) <= bytes,
  })
  return ajv
}

/** Compiles on first use: all schemas together take half a second, and a process may need few of them. */
function compileLater(ajv: Ajv, schema: TSchema): () => ValidateFunction {
  let compiled: ValidateFunction | undefined
  return () => {
    compiled ??= ajv.compile(schema)
    return compiled
  }
}

export type Validator = (value: unknown) => void

/** Throws 422 with every fault; removes fields that the schema does not name. */
export function bodyValidator(schema: TSchema): Validator {
  const [first, all] = [compileLater(firstFault, schema), compileLater(allFaults, schema)]
  return (value) => {
    if (first()(value)) return
    const told = hasFewValues(value) && !all()(value) ? all() : first()
    throw validationFailed(toFieldErrors(told, 'body'))
  }
}

/** For a part of a body: every fault by field, or null. Removes fields that the schema does not name. */
export function fieldFaultFinder(schema: TSchema): (value: unknown) => FieldErrors | null {
  const all = compileLater(allFaults, schema)
  return (value) => {
    const check = all()
    return check(value) ? null : toFieldErrors(check, '')
  }
}

/** For one entry of many, which fails alone: the first fault as a sentence, or null. */
export function faultFinder(schema: TSchema): (value: unknown) => string | null {
  const firstOf = compileLater(firstFault, schema)
  return (value) => {
    const check = firstOf()
    if (check(value)) return null
    const [first] = check.errors ?? []
    return first ? `${fieldPath(first)} ${sentence(first)}`.trim() : 'is not valid'
  }
}

function hasFewValues(root: unknown): boolean {
  const open = [root]
  for (let seen = 0; open.length > 0; seen++) {
    const value = open.pop()
    if (seen + open.length > maxValuesForAllFaults) return false
    if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) open.push(inner)
  }
  return true
}

/** Reads the text of a query into numbers, booleans and lists by the schema, then validates it like a body. */
export function queryValidator(schema: TSchema): (query: Record<string, string | string[]>) => Record<string, unknown> {
  const all = compileLater(allFaults, schema)
  const properties: Record<string, { type?: string }> = 'properties' in schema ? Object(schema.properties) : {}
  return (query) => {
    const value: Record<string, unknown> = {}
    for (const [name, property] of Object.entries(properties)) {
      const given = readParameter(query, name)
      if (!given.every(isStorableText)) throw invalidField(name, 'holds a NUL or half a character')
      if (given.length > 0) value[name] = coerce(given, property.type)
    }
    const check = all()
    if (!check(value)) throw validationFailed(toFieldErrors(check, 'query'))
    return value
  }
}

/** `key=a&key=b` and `key[]=a`; an empty value counts as absent. */
function readParameter(query: Record<string, string | string[]>, name: string): string[] {
  return [query[name] ?? [], query[`${name}[]`] ?? []].flat().filter((item) => item !== '')
}

function coerce(given: string[], type: string | undefined): unknown {
  if (type === 'array') return given
  const [text = ''] = given
  // A scalar given twice stays a list, which its schema refuses.
  if (given.length > 1) return given
  if (type === 'integer') return /^-?\d+$/.test(text) ? toSafeInteger(text) : text
  if (type === 'boolean')
    return text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : text
  return text
}

/** Bounds huge numbers instead of refusing them: a page past the end is an empty page. */
function toSafeInteger(digits: string): number {
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number(digits), Number.MAX_SAFE_INTEGER))
}

function toFieldErrors(check: ValidateFunction, root: string): FieldErrors {
  const errors: FieldErrors = {}
  for (const fault of (check.errors ?? []).slice(0, maxReportedFaults)) {
    const path = fieldPath(fault) || root
    const entry = errors[path] ?? { messages: [] }
    errors[path] = entry
    entry.messages.push(sentence(fault))
    const value = sentValue(fault, path)
    if (value !== undefined) entry.value = value
  }
  return errors
}

function fieldPath(fault: ErrorObject): string {
  const path = fault.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (fault.keyword === 'required') path.push(String(fault.params.missingProperty))
  return path.join('.')
}

function sentence(fault: ErrorObject): string {
  if (fault.keyword === 'required') return 'is required'
  if (fault.keyword === 'enum') return `must be one of: ${fault.params.allowedValues.join(', ')}`
  if (fault.keyword === 'x-maxJsonBytes') return `must not be larger than ${Number(fault.schema) / 1024} KB as JSON`
  if (fault.keyword === 'format') return formats[fault.params.format]?.rule ?? `must be a ${fault.params.format}`
  return fault.message ?? 'is not valid'
}

/** Short values are shown back; credentials, signing keys and where people are reached never are. */
function sentValue(fault: ErrorObject, path: string): unknown {
  const value = fault.data
  if (fault.keyword === 'required' || /(^|\.)(credentials|configurations|auth|endpoint)(\.|$)/.test(path))
    return undefined
  if (typeof value === 'string') return value.length <= 200 ? value : `${cutText(value, 200)}…`
  return typeof value === 'number' || typeof value === 'boolean' || value === null ? value : undefined
}
