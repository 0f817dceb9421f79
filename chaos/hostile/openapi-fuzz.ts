import type { OpenApi, Operation } from '../../src/http/openapi.ts'
import { isPlainObject } from '../../src/lib/canonical-json.ts'
import type { Random } from '../lib/random.ts'
import { hostileNumbers, hostileTexts } from './hostile.ts'

export type Op = { method: string; path: string; operation: Operation }
type Schema = Record<string, unknown>
type Schemas = Record<string, unknown>

export function listOperations(description: OpenApi): Op[] {
  return Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

const formats: Record<string, readonly string[]> = {
  email: ['ada@example.com', 'a+b@sub.example.org', 'ü@example.com'],
  timezone: ['Europe/Berlin', 'UTC', 'Asia/Kolkata'],
  locale: ['en', 'en-US', 'de_DE', 'zh-Hant-TW'],
  'topic-key': ['news', 'a:b-c_d', 'x'.repeat(100), 'ada@example.com'],
  identifier: ['ada', 'ü ñ', '👩‍👧', 'x'.repeat(255)],
  'date-time': ['2024-01-01T00:00:00.000Z'],
}

/** A value that the schema allows. */
export function validValue(given: unknown, schemas: Schemas, random: Random, depth = 0): unknown {
  const schema = resolve(given, schemas)
  if (Array.isArray(schema.enum)) return random.pick(schema.enum)
  const options = schema.anyOf ?? schema.oneOf
  if (Array.isArray(options)) return validValue(random.pick(options), schemas, random, depth)
  const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type
  switch (type) {
    case 'string':
      return validText(schema, random)
    case 'integer':
    case 'number':
      return random.integer(Number(schema.minimum ?? 0), Math.min(Number(schema.maximum ?? 50), 50))
    case 'boolean':
      return random.chance(0.5)
    case 'null':
      return null
    case 'array': {
      const count = random.integer(Number(schema.minItems ?? 0), Math.min(Number(schema.maxItems ?? 3), 3))
      return Array.from({ length: count }, () => validValue(schema.items ?? {}, schemas, random, depth + 1))
    }
    case 'object':
      return validObject(schema, schemas, random, depth)
    default:
      return freeValue(random, depth)
  }
}

function validObject(schema: Schema, schemas: Schemas, random: Random, depth: number): unknown {
  const required = Array.isArray(schema.required) ? schema.required : []
  const properties = isPlainObject(schema.properties) ? Object.entries(schema.properties) : []
  if (properties.length === 0) return Object.fromEntries([['k', freeValue(random, depth)]])
  // Objects with forty optional fields are mostly sent with a few.
  const share = properties.length > 12 ? 0.1 : 0.5
  const kept = properties.filter(([name]) => required.includes(name) || random.chance(share))
  return Object.fromEntries(kept.map(([name, inner]) => [name, validValue(inner, schemas, random, depth + 1)]))
}

function validText(schema: Schema, random: Random): string {
  const samples = formats[String(schema.format)]
  if (samples) return random.pick(samples)
  const length = random.integer(Number(schema.minLength ?? 1), Math.min(Number(schema.maxLength ?? 20), 20))
  return Array.from({ length }, () => random.pick([...'abcdefghijklmnopqrstuvwxyzABC 0123456789-_'])).join('')
}

function freeValue(random: Random, depth: number): unknown {
  const plain = [null, true, 1.5, 'text', random.pick(hostileTexts)]
  if (depth > 4 || random.chance(0.6)) return random.pick(plain)
  return random.chance(0.5)
    ? [freeValue(random, depth + 1)]
    : { [random.pick(['a', 'b c', 'ü'])]: freeValue(random, depth + 1) }
}

/** The same value with one thing wrong somewhere: other type, edge, too long, missing, or something extra. */
export function spoil(value: unknown, random: Random): unknown {
  if (isPlainObject(value)) return spoilObject(value, random)
  if (!Array.isArray(value) || random.chance(0.2)) return hostileValue(random)
  if (value.length === 0 || random.chance(0.3)) {
    return Array.from({ length: random.pick([99, 101, 501, 2_000]) }, () => value[0] ?? 'x')
  }
  const place = random.integer(0, value.length - 1)
  return value.map((item, i) => (i === place ? spoil(item, random) : item))
}

function spoilObject(value: Record<string, unknown>, random: Random): unknown {
  const names = Object.keys(value)
  if (names.length === 0 || random.chance(0.1)) return hostileValue(random)
  if (random.chance(0.15)) return { ...value, [hostileText(random)]: freeValue(random, 0) }
  const name = random.pick(names)
  if (random.chance(0.15)) return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))
  return { ...value, [name]: spoil(value[name], random) }
}

const oddShapes: readonly unknown[] = [[], [[]], [null], {}, { a: {} }, { length: 1e9 }, { toString: 1, toJSON: 'x' }]

export function hostileValue(random: Random): unknown {
  switch (random.integer(0, 7)) {
    case 0:
      return random.pick(hostileNumbers)
    case 1:
      return random.pick([null, true, false])
    case 2:
      return random.pick(oddShapes)
    case 3:
      return 'h'.repeat(random.pick([1_000, 20_000, 200_000]))
    case 4:
      return nested(random.integer(2, 80))
    default:
      return hostileText(random)
  }
}

export function hostileText(random: Random): string {
  const text = random.pick(hostileTexts)
  return random.chance(0.2) ? text + random.pick(hostileTexts) : text
}

function nested(depth: number): unknown {
  let value: unknown = 'core'
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { a: value }
  return value
}

function resolve(schema: unknown, schemas: Schemas): Schema {
  if (!isPlainObject(schema)) return {}
  if (typeof schema.$ref !== 'string') return schema
  return resolve(schemas[schema.$ref.split('/').at(-1) ?? ''], schemas)
}
