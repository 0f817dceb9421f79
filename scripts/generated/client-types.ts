import type { OpenApi, Operation } from '../../src/http/openapi.ts'

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
 * What packages/client/src/api-types.ts says: every operation as `'GET /v2/topics/{topicKey}': { path, query, body, reply }`,
 * and the named schemas. Smaller and easier to read than the paths of openapi-typescript: people see it when they hover.
 */
export function clientTypes({ paths, components }: Pick<OpenApi, 'paths' | 'components'>): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  )
  const ofKind = (kind: Kind) =>
    operations.filter(({ operation }) => kindOf(operation) === kind && replyOf(operation) !== 'stream')
  const schemas = Object.entries(components.schemas as Record<string, Schema>)
  return [
    '// Made from docs/openapi.json by npm run generate; do not edit.\n',
    operationsType('Operations', 'What an API key opens.', ofKind('apiKey')),
    operationsType(
      'InboxOperations',
      'What the token of an inbox opens, and the call that gives one.',
      ofKind('inbox'),
    ),
    ...schemas.map(([name, schema]) => `${comment(schema.description)}export type ${name} = ${typeOf(schema)}\n`),
  ].join('\n')
}

function kindOf({ operationId, security }: Operation): Kind | null {
  if (security.some((it) => 'apiKey' in it)) return 'apiKey'
  return operationId === 'inbox-session' || security.some((it) => 'inbox' in it) ? 'inbox' : null
}

function operationsType(name: string, about: string, all: { name: string; operation: Operation }[]): string {
  const entries = all.map(({ name, operation }) =>
    indent(`${comment(operation.summary)}'${name}': ${operationType(operation)}`),
  )
  return `${comment(about)}export type ${name} = {\n${entries.join('\n')}\n}\n`
}

function operationType(operation: Operation): string {
  const schemaOf = (place: string): Schema => {
    const own = operation.parameters.filter((it) => it.in === place)
    const described = own.map((it) => [it.name, { description: it.description, ...(it.schema as Schema) }] as const)
    const required = own.filter((it) => it.required).map((it) => it.name)
    return { type: 'object', properties: Object.fromEntries(described), required }
  }
  const body = operation.requestBody?.content['application/json']?.schema as Schema | undefined
  const lines = (['path', 'query'] as const).flatMap((place) => {
    const schema = schemaOf(place)
    if (Object.keys(schema.properties ?? {}).length === 0) return []
    return [`${place}${schema.required?.length ? '' : '?'}: ${typeOf(schema)}`]
  })
  if (body) lines.push(`body: ${typeOf(body)}`)
  lines.push(`reply: ${replyOf(operation)}`)
  return `{\n${indent(lines.join('\n'))}\n}`
}

function replyOf({ responses }: Operation): string {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  if (!success?.content) return 'undefined'
  const json = success.content['application/json']
  return json ? typeOf(json.schema as Schema) : 'stream'
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
