import type { TSchema } from 'typebox'
import { isPlainObject } from '../lib/canonical-json.ts'
import { errorSchema } from '../lib/schemas.ts'
import { sessionCookie } from './dashboard/session-cookie.ts'
import type { Route } from './load-routes.ts'

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
  parameters: {
    name: string
    in: string
    required: boolean
    description?: string
    deprecated?: true
    schema: unknown
  }[]
  requestBody?: { required: true; content: Record<string, { schema: unknown }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: unknown }> }>
}

/** Made from the schemas that also validate and serialize, so that it cannot differ from what the service does. */
export function openApi(routes: readonly Route[]): OpenApi {
  const schemas: Record<string, unknown> = {}
  const paths: OpenApi['paths'] = {}
  const error = hoist(errorSchema, schemas)
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: toOperation(route, schemas, error) }
  }
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
        inbox: { type: 'http', scheme: 'bearer', description: 'The token of POST /v1/inbox/session.' },
      },
    },
  }
}

const sessionScheme = {
  type: 'apiKey',
  in: 'cookie',
  name: sessionCookie,
  description:
    'Of the dashboard; every route takes it in place of a key. Anything but GET then needs "x-tidings-session: 1".',
}

function toOperation(route: Route, schemas: Record<string, unknown>, error: unknown): Operation {
  const json = (schema: unknown) => ({ 'application/json': { schema } })
  return {
    operationId: route.name,
    summary: route.summary,
    tags: [tagOf(route)],
    security: securityOf(route),
    parameters: [...pathParameters(route), ...queryParameters(route, schemas), ...headerParameters(route)],
    ...requestBody(route, schemas),
    responses: {
      [route.status]: { description: route.status === 201 ? 'Created' : 'OK', ...successContent(route, schemas) },
      ...refusals(route, schemas, error),
      default: { description: 'Refused or failed', content: json(error) },
    },
  }
}

/** The page and generated clients group by it. What belongs to a subscriber stands with the subscribers. */
function tagOf({ resource }: Route): string {
  if (resource === 'api-keys') return 'API keys'
  if (resource === 'sign-in-connections') return 'Sign-in connections'
  const words = resource.startsWith('subscribers-') ? 'subscribers' : resource.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function refusals(route: Route, schemas: Record<string, unknown>, error: unknown): Operation['responses'] {
  const own = route.kind === 'key' ? Object.entries(route.refusals ?? {}) : []
  return Object.fromEntries(
    own.map(([status, schema]) => {
      const both = { allOf: [error, hoist(schema, schemas)] }
      return [status, { description: 'Refused', content: { 'application/json': { schema: both } } }]
    }),
  )
}

function securityOf(route: Route): Operation['security'] {
  if (route.kind === 'stream') return [{ apiKey: [] }, { session: [] }]
  if (route.auth === 'session') return [{ session: [] }]
  if (route.auth === 'inbox') return [{ inbox: [] }]
  return route.auth === 'key' ? [{ apiKey: [] }] : []
}

type Content = { content?: Record<string, { schema: unknown }> }

function successContent(route: Route, schemas: Record<string, unknown>): Content {
  const text = { schema: { type: 'string' } }
  if (route.response) return { content: { 'application/json': { schema: hoist(route.response, schemas) } } }
  if (route.kind === 'stream') return { content: { [route.of]: text } }
  if (route.kind === 'inbox-stream') return { content: { 'text/event-stream': text } }
  return route.auth === 'link' ? { content: { 'text/html': text } } : {}
}

const formSchema = {
  type: 'object',
  description: 'The same fields, and the files under any name.',
  properties: { files: { type: 'array', items: { type: 'string', format: 'binary' } } },
}

function requestBody(route: Route, schemas: Record<string, unknown>): Pick<Operation, 'requestBody'> {
  if (route.body) {
    const schema = hoist(route.body, schemas)
    const form = route.kind === 'key' && route.takesForm ? { 'multipart/form-data': { schema: formSchema } } : {}
    return { requestBody: { required: true, content: { 'application/json': { schema }, ...form } } }
  }
  // Vendors and mail clients send bodies of their own format.
  if (route.kind !== 'open' || route.method === 'GET') return {}
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
  const query: {
    properties?: Record<string, TSchema & { description?: string; deprecated?: true }>
    required?: string[]
  } = route.query
  return Object.entries(query.properties ?? {}).map(([name, { description, deprecated, ...schema }]) => ({
    name,
    in: 'query',
    required: query.required?.includes(name) ?? false,
    ...(description ? { description } : {}),
    ...(deprecated ? { deprecated } : {}),
    schema: hoist(schema, schemas),
  }))
}

function headerParameters(route: Route): Operation['parameters'] {
  if (route.kind === 'stream' && route.of !== 'text/event-stream') return []
  if (route.kind === 'stream') {
    const description = 'The last event heard: a change missed since then is told at once.'
    return [{ name: 'last-event-id', in: 'header', required: false, description, schema: { type: 'string' } }]
  }
  if (route.method === 'GET') return []
  if (route.kind === 'session') {
    const description = 'Shows that the request comes from the dashboard: other sites cannot send it.'
    return [
      { name: 'x-tidings-session', in: 'header', required: true, description, schema: { type: 'string', enum: ['1'] } },
    ]
  }
  if (route.kind !== 'key') return []
  const description = 'The same key and body give the same reply and no second effect, for 24 hours.'
  return [
    { name: 'idempotency-key', in: 'header', required: false, description, schema: { type: 'string', maxLength: 255 } },
  ]
}

/**
 * Moves every schema with a title to components and refers to it by name. Fields that a schema does not name are
 * ignored, so a request may hold them: that our validator removes them is not said.
 */
function hoist(schema: unknown, schemas: Record<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => hoist(item, schemas))
  if (!isPlainObject(schema)) return schema
  if ('x-describedAs' in schema) return hoist(schema['x-describedAs'], schemas)
  const said = Object.entries(schema).filter(([key, value]) => !(key === 'additionalProperties' && value === false))
  const plain = Object.fromEntries(said.map(([key, value]) => [key, hoist(value, schemas)]))
  if (typeof schema.title !== 'string' || !('type' in schema)) return plain
  schemas[schema.title] = plain
  return { $ref: `#/components/schemas/${schema.title}` }
}
