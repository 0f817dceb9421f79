import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes src/api-types.ts: the named schemas of docs/openapi.json as TypeScript types. Run: npm run api-types -w dashboard */
type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  patternProperties?: Record<string, Schema>
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  description?: string
  nullable?: boolean
}

const root = join(import.meta.dirname, '..')
const description = JSON.parse(readFileSync(join(root, '../docs/openapi.json'), 'utf8'))
const schemas: Record<string, Schema> = description.components.schemas

function toType(schema: Schema): string {
  const type = bareType(schema)
  return schema.nullable ? `${type} | null` : type
}

function bareType(schema: Schema): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? 'unknown'
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const some = schema.anyOf ?? schema.oneOf
  if (some) return [...new Set(some.map(toType))].join(' | ')
  if (schema.allOf) return schema.allOf.map(toType).join(' & ')
  if (Array.isArray(schema.type)) return schema.type.map((type) => bareType({ ...schema, type })).join(' | ')
  if (schema.type === 'array') return schema.items ? `(${toType(schema.items)})[]` : 'unknown[]'
  if (schema.type === 'integer') return 'number'
  if (schema.type === 'object' || schema.properties) return objectType(schema)
  return schema.type ?? 'unknown'
}

function objectType({ properties, required = [], additionalProperties, patternProperties }: Schema): string {
  if (!properties) {
    const value = Object.values(patternProperties ?? {})[0] ?? additionalProperties
    return `Record<string, ${typeof value === 'object' ? toType(value) : 'unknown'}>`
  }
  const fields = Object.entries(properties).map(
    ([name, schema]) => `${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${toType(schema)}`,
  )
  return `{ ${fields.join('; ')} }`
}

const types = Object.entries(schemas).map(([name, schema]) => `export type ${name} = ${toType(schema)}`)
const text = `// Made from docs/openapi.json by scripts/api-types.ts; do not edit.\n\n${types.join('\n\n')}\n`
writeFileSync(join(root, 'src/api-types.ts'), text)
