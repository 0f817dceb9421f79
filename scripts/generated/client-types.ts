import type { OpenApi, Operation } from '../../src/http/openapi.ts'
import { clientTypeNames, type PartNames, requiredByClient } from './client-type-names.ts'

/** A JSON schema, as far as docs/openapi.json uses it. */
type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  anyOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  description?: string | undefined
}
type Kind = 'apiKey' | 'inbox'

/**
 * Returns the text of packages/client/src/api-types.ts: every operation as
 * `'GET /v2/topics/{topicKey}': { path, query, body, reply }`, the schemas that have names in the description, and the
 * parts that have names in client-type-names.ts. This is shorter and easier to read than what openapi-typescript makes.
 */
export function clientTypes({ paths, components }: Pick<OpenApi, 'paths' | 'components'>): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  )
  const ofKind = (kind: Kind) =>
    operations.filter(({ operation }) => kindOf(operation) === kind && replyOf(operation) !== 'stream')
  const schemas = Object.entries(withNamedParts(components.schemas as Record<string, Schema>, operations))
  return [
    '// Made from docs/openapi.json by npm run generate; do not edit.\n',
    operationsType('Operations', 'The operations that an API key gives access to.', ofKind('apiKey')),
    operationsType(
      'InboxOperations',
      'The operations that the token of an inbox gives access to, and the one that returns such a token.',
      ofKind('inbox'),
    ),
    ...schemas.map(
      ([name, schema]) =>
        `${comment(schema.description)}export type ${name} = ${typeOf(withRequired(schema, requiredByClient[name]))}\n`,
    ),
  ].join('\n')
}

type NamedOperation = { name: string; operation: Operation }

/** Adds what client-type-names.ts names to the schemas. Throws if a part is missing, or two types share a name. */
function withNamedParts(schemas: Record<string, Schema>, operations: NamedOperation[]): Record<string, Schema> {
  const found = { ...schemas }
  for (const [name, names] of Object.entries(clientTypeNames)) {
    const operation = operations.find((it) => it.name === name)?.operation
    if (!operation) throw new Error(`client-type-names.ts names ${name}, which is no operation`)
    const parts: Record<keyof PartNames, Schema | undefined> = {
      body: bodyOf(operation),
      query: parametersOf(operation, 'query'),
      reply: replySchemaOf(operation),
    }
    for (const part of ['body', 'query', 'reply'] as const) {
      const typeName = names[part]
      if (typeName === undefined) continue
      const schema = parts[part]
      if (!schema) throw new Error(`client-type-names.ts names the ${part} of ${name}, which has none`)
      const other = found[typeName]
      if (other && typeOf(other) !== typeOf(schema)) throw new Error(`${typeName} names two different types`)
      found[typeName] = schema
    }
  }
  return found
}

function withRequired(schema: Schema, names: readonly string[] = []): Schema {
  return names.length === 0 ? schema : { ...schema, required: [...(schema.required ?? []), ...names] }
}

function kindOf({ operationId, security }: Operation): Kind | null {
  if (security.some((it) => 'apiKey' in it)) return 'apiKey'
  return operationId === 'inbox-session' || security.some((it) => 'inbox' in it) ? 'inbox' : null
}

function operationsType(name: string, about: string, all: NamedOperation[]): string {
  const entries = all.map(({ name, operation }) =>
    indent(`${comment(operation.summary)}'${name}': ${operationType(operation, clientTypeNames[name])}`),
  )
  return `${comment(about)}export type ${name} = {\n${entries.join('\n')}\n}\n`
}

function operationType(operation: Operation, names: PartNames = {}): string {
  const body = bodyOf(operation)
  const lines = (['path', 'query'] as const).flatMap((place) => {
    const schema = parametersOf(operation, place)
    if (!schema) return []
    const type = (place === 'query' && names.query) || typeOf(schema)
    return [`${place}${schema.required?.length ? '' : '?'}: ${type}`]
  })
  if (body) lines.push(`body: ${names.body ?? typeOf(body)}`)
  lines.push(`reply: ${names.reply ?? replyOf(operation)}`)
  return `{\n${indent(lines.join('\n'))}\n}`
}

function bodyOf({ requestBody }: Operation): Schema | undefined {
  return requestBody?.content['application/json']?.schema as Schema | undefined
}

/** Returns the parameters in the path or the query as one object, or undefined if there are none. */
function parametersOf({ parameters }: Operation, place: 'path' | 'query'): Schema | undefined {
  const own = parameters.filter((it) => it.in === place)
  if (own.length === 0) return undefined
  const described = own.map((it) => [it.name, { description: it.description, ...(it.schema as Schema) }] as const)
  const required = own.filter((it) => it.required).map((it) => it.name)
  return { type: 'object', properties: Object.fromEntries(described), required }
}

function successOf({ responses }: Operation) {
  return Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
}

function replySchemaOf(operation: Operation): Schema | undefined {
  return successOf(operation)?.content?.['application/json']?.schema as Schema | undefined
}

function replyOf(operation: Operation): string {
  if (!successOf(operation)?.content) return 'undefined'
  const schema = replySchemaOf(operation)
  return schema ? typeOf(schema) : 'stream'
}

function typeOf(schema: Schema): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? 'unknown'
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' | ')
  if (schema.allOf) return schema.allOf.map(typeOf).join(' & ')
  const types = [schema.type ?? 'unknown'].flat().map((type) => plainTypeOf(type, schema))
  return [...new Set(types)].join(' | ')
}

function plainTypeOf(type: string, schema: Schema): string {
  if (type === 'integer') return 'number'
  if (type === 'object') return objectType(schema)
  if (type !== 'array') return type
  const items = typeOf(schema.items ?? {})
  return /[|&]/.test(items) ? `(${items})[]` : `${items}[]`
}

function objectType({ properties, required = [], additionalProperties }: Schema): string {
  const others = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown'
  if (!properties) return `Record<string, ${others}>`
  const lines = Object.entries(properties).map(([name, schema]) => {
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name)
    return `${comment(schema.description)}${key}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`
  })
  if (additionalProperties) lines.push(`[name: string]: ${others}`)
  return lines.length === 0 ? 'Record<string, never>' : `{\n${indent(lines.join('\n'))}\n}`
}

const comment = (text: string | undefined) => (text ? `/** ${text.replaceAll('*/', '* /')} */\n` : '')
const indent = (text: string) => text.replaceAll(/^(?=.)/gm, '  ')
