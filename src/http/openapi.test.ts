import { describe, expect, test } from 'vitest'
import { type Json, useSharedHarness } from '../../test/harness.ts'
import type { Route } from './load-routes.ts'

const h = useSharedHarness()
const api = async (): Promise<Json> => (await h.send('GET', '/openapi.json')).body

/** Every value of every `$ref`, however deep. */
function refsOf(value: Json): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries<Json>(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : refsOf(inner),
  )
}

function operationsOf(description: Json): [string, string, Json][] {
  return Object.entries<Json>(description.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]): [string, string, Json] => [path, method, operation]),
  )
}

function securityOf(route: Route | undefined): unknown[] {
  const [key, session] = [{ apiKey: [] }, { session: [] }]
  if (route?.kind === 'stream') return [key, session]
  if (route?.auth === 'inbox') return [{ inbox: [] }]
  if (route?.kind === 'session') return route.auth === 'session' ? [session] : []
  return route?.kind === 'key' ? [key] : []
}

describe('GET /openapi.json', () => {
  test('is OpenAPI 3.1 and needs no key', async () => {
    const reply = await h.send('GET', '/openapi.json')
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toMatch(/^application\/json/)
    expect(reply.body.openapi).toBe('3.1.0')
    expect(reply.body.info).toMatchObject({ title: 'Tidings', version: expect.any(String) })
  })

  test('lists every route once, by method, path and name', async () => {
    const listed = operationsOf(await api()).map(([path, method, { operationId }]) =>
      [method, path, operationId].join(' '),
    )
    const loaded = h.routes.map(({ method, path, name }) => [method.toLowerCase(), path, name].join(' '))
    expect(listed.toSorted()).toEqual(loaded.toSorted())
    expect(new Set(h.routes.map(({ name }) => name)).size).toBe(h.routes.length)
  })

  test('every $ref leads to a schema, and every schema is used', async () => {
    const description = await api()
    const names = Object.keys(description.components.schemas)
    const refs = new Set(refsOf(description))
    for (const ref of refs) expect(names.map((name) => `#/components/schemas/${name}`)).toContain(ref)
    for (const name of names) expect(refs).toContain(`#/components/schemas/${name}`)
    expect(names).toEqual(expect.arrayContaining(['Error', 'Subscriber', 'Integration', 'Topic', 'StepFilter']))
  })

  test('every operation has its parameters, body, success and refusal', async () => {
    const description = await api()
    const routes = new Map(h.routes.map((route) => [route.name, route]))
    for (const [path, method, operation] of operationsOf(description)) {
      const route = routes.get(operation.operationId)
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const inPath = operation.parameters.filter((it: Json) => it.in === 'path')
      expect(inPath.map((it: Json) => it.name)).toEqual(named)
      for (const parameter of inPath) expect(parameter.required).toBe(true)
      const takesKey = operation.parameters.some((it: Json) => it.in === 'header' && it.name === 'idempotency-key')
      expect(takesKey, operation.operationId).toBe(method !== 'get' && route?.kind === 'key')
      const takesBody = route?.kind === 'open' ? method !== 'get' : route?.body !== undefined
      expect(operation.requestBody !== undefined).toBe(takesBody)
      const refusals = route?.kind === 'key' ? Object.keys(route.refusals ?? {}) : []
      expect(Object.keys(operation.responses)).toEqual([String(route?.status), ...refusals, 'default'])
      expect(operation.responses.default.content['application/json'].schema).toEqual({
        $ref: '#/components/schemas/Error',
      })
      expect(operation.security, operation.operationId).toEqual(securityOf(route))
      expect(operation.summary.length).toBeGreaterThan(3)
    }
  })

  test('groups what belongs together, under names a person reads', async () => {
    const tags = new Set(operationsOf(await api()).flatMap(([, , operation]) => operation.tags))
    expect([...tags].toSorted()).toEqual(
      [
        ...[
          'Activity',
          'Bridge',
          'API keys',
          'Changes',
          'Channel connections',
          'Channel endpoints',
          'Content',
          'Contexts',
          'Dead letters',
          'Dev',
          'Environment',
          'Environment variables',
          'Environments',
          'Events',
          'Import',
          'Inbox',
          'Integrations',
        ],
        ...['Layouts', 'Members', 'Messages', 'Notifications'],
        ...[
          'Numbers',
          'Organization',
          'Providers',
          'Publications',
          'Sends',
          'Session',
          'Sign-in connections',
          'Subscribers',
          'Suppressions',
          'Tenants',
          'Topics',
          'Translations',
          'Unsubscribe',
        ],
        ...['Webhook endpoints', 'Webhooks', 'Workflows'],
      ].toSorted(),
    )
  })

  test('says the limits that are checked', async () => {
    const { paths, components } = await api()
    const limit = paths['/v2/topics'].get.parameters.find((it: Json) => it.name === 'limit')
    expect(limit).toMatchObject({ in: 'query', required: false, schema: { minimum: 1, maximum: 100 } })
    const key = paths['/v2/topics'].post.requestBody.content['application/json'].schema.properties.key
    expect(key).toMatchObject({ minLength: 1, maxLength: 100 })
    expect(components.schemas.Integration.properties.channel.enum).toEqual(['in_app', 'email', 'sms', 'chat', 'push'])
  })
})

describe('GET /docs', () => {
  test('shows every operation and schema on one page, without script and without anything fetched', async () => {
    const reply = await h.send('GET', '/docs')
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(reply.headers.get('content-security-policy')).toBe("default-src 'none'; style-src 'unsafe-inline'")
    for (const { name } of h.routes) expect(reply.text).toContain(`<details id="${name}">`)
    for (const name of Object.keys((await api()).components.schemas))
      expect(reply.text).toContain(`id="schema-${name}"`)
    expect(reply.text).not.toMatch(/<script|<link|<img|<iframe|javascript:|\son\w+=|\ssrc=|https?:\/\//i)
  })

  test('names its groups in words', async () => {
    const { text } = await h.send('GET', '/docs')
    for (const heading of ['<h2 id="api-keys">API keys</h2>', '<h2 id="dead-letters">Dead letters</h2>'])
      expect(text).toContain(heading)
  })

  test('every link on the page leads somewhere', async () => {
    const { text } = await h.send('GET', '/docs')
    const ids = new Set([...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id))
    for (const [, target] of text.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target)
    expect(text.match(/<details/g)?.length).toBe(text.match(/<\/details>/g)?.length)
  })
})
