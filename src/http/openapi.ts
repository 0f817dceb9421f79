import type { TSchema } from 'typebox'
import { isPlainObject } from '../lib/canonical-json.ts'
import { errorSchema } from '../lib/schemas.ts'
import type { Route } from './define-route.ts'
import { hostOperations, sessionScheme } from './host-operations.ts'

export type OpenApi = {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, unknown>; securitySchemes: Record<string, unknown> }
}

export type Operation = {
  operationId: string
  summary: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters: { name: string; in: string; required: boolean; description?: string; schema: unknown }[]
  requestBody?: { required: true; content: Record<string, { schema: unknown }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: unknown }> }>
}

/** The description is made from the same schemas that validate and serialize: it cannot say anything else. */
export function openApi(routes: readonly Route[]): OpenApi {
  const schemas: Record<string, unknown> = {}
  const paths: OpenApi['paths'] = {}
  const error = hoist(errorSchema, schemas)
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: toOperation(route, schemas, error) }
  }
  const refusal = { description: 'Refused or failed', content: { 'application/json': { schema: error } } }
  Object.assign(
    paths,
    hostOperations((schema) => hoist(schema, schemas), refusal),
  )
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tidings',
      version: '1',
      description:
        'Notification delivery: subscribers, topics, integrations, triggers and the record of every message.',
    },
    paths,
    components: {
      schemas,
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'ApiKey <key>' },
        session: sessionScheme,
      },
    },
  }
}

function toOperation(route: Route, schemas: Record<string, unknown>, error: unknown): Operation {
  const json = (schema: unknown) => ({ 'application/json': { schema } })
  const page = { content: { 'text/html': { schema: { type: 'string' } } } }
  const noBody = route.auth === 'link' ? page : {}
  const success = route.response ? { content: json(hoist(route.response, schemas)) } : noBody
  return {
    operationId: route.name,
    summary: route.summary,
    tags: [route.name.split('-')[0] ?? ''],
    security: route.auth === 'key' ? [{ apiKey: [] }] : [],
    parameters: [...pathParameters(route), ...queryParameters(route, schemas), ...idempotencyParameter(route)],
    ...requestBody(route, schemas),
    responses: {
      [route.status]: { description: route.status === 201 ? 'Created' : 'OK', ...success },
      default: { description: 'Refused or failed', content: json(error) },
    },
  }
}

function requestBody(route: Route, schemas: Record<string, unknown>): Pick<Operation, 'requestBody'> {
  if (route.body) {
    return { requestBody: { required: true, content: { 'application/json': { schema: hoist(route.body, schemas) } } } }
  }
  // What a vendor or a mail client sends is theirs to say.
  if (route.auth === 'key' || route.method === 'GET') return {}
  const content = { 'application/json': { schema: {} }, 'application/x-www-form-urlencoded': { schema: {} } }
  return { requestBody: { required: true, content } }
}

function pathParameters(route: Route): Operation['parameters'] {
  return [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters(route: Route, schemas: Record<string, unknown>): Operation['parameters'] {
  if (!route.query) return []
  const query: { properties?: Record<string, TSchema & { description?: string }>; required?: string[] } = route.query
  return Object.entries(query.properties ?? {}).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: query.required?.includes(name) ?? false,
    ...(description ? { description } : {}),
    schema: hoist(schema, schemas),
  }))
}

function idempotencyParameter(route: Route): Operation['parameters'] {
  if (route.method === 'GET' || route.auth !== 'key') return []
  const description = 'The same key and body give the same reply and no second effect, for 24 hours.'
  return [
    { name: 'idempotency-key', in: 'header', required: false, description, schema: { type: 'string', maxLength: 255 } },
  ]
}

/** A schema with a title is a resource: it moves to components and is referred to by name. */
function hoist(schema: unknown, schemas: Record<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => hoist(item, schemas))
  if (!isPlainObject(schema)) return schema
  const plain = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, hoist(value, schemas)]))
  if (typeof schema.title !== 'string' || !('type' in schema)) return plain
  schemas[schema.title] = plain
  return { $ref: `#/components/schemas/${schema.title}` }
}
