import { describe, expect, test } from 'vitest'
import { sender, useSharedHarness } from '../../test/harness.ts'
import { openDatabase } from '../store/database.ts'
import { authenticator } from './access/auth.ts'
import { createServer } from './server.ts'

const h = useSharedHarness()
const madeId = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('x-request-id', () => {
  test.each(['a', 'A.b_c-9', 'x'.repeat(128), '01a1dd1a-648b-70a8-9ac9-8b6d647b99d8'])('%s is echoed', async (id) => {
    const env = await h.environment()
    const ok = await env.get('/v2/topics', undefined, { 'x-request-id': id })
    const refused = await env.get('/v2/topics/unknown', undefined, { 'x-request-id': id })
    expect([ok, refused].map((reply) => reply.headers.get('x-request-id'))).toEqual([id, id])
    expect(refused.body.requestId).toBe(id)
  })

  test.each(['x'.repeat(129), 'two words', 'a/b', '<script>', 'é', '', 'a,b'])(
    '%j is replaced by one of ours',
    async (id) => {
      const env = await h.environment()
      const reply = await env.get('/v2/topics', undefined, { 'x-request-id': id })
      expect(reply.headers.get('x-request-id')).toMatch(madeId)
    },
  )

  test('is on every kind of reply, and another one each time', async () => {
    const env = await h.environment()
    const replies = [
      await env.get('/v2/topics'),
      await env.post('/v2/topics', { key: 'a' }),
      await env.delete('/v2/topics/a'),
      await env.get('/v2/topics/unknown'),
      await env.post('/v2/topics', {}),
      await env.send('POST', '/v2/topics', { raw: '{' }),
      await h.send('GET', '/v2/topics'),
      await h.send('GET', '/nowhere'),
      await h.send('GET', '/%zz'),
      await h.send('GET', '/openapi.json'),
      await h.send('GET', '/docs'),
      await h.send('GET', '/health/live'),
    ]
    const ids = replies.map((reply) => reply.headers.get('x-request-id'))
    for (const id of ids) expect(id).toMatch(madeId)
    expect(new Set(ids).size).toBe(replies.length)
  })
})

describe('a route that does not exist', () => {
  test.each([
    ['GET', '/'],
    ['GET', '/v3/topics'],
    ['GET', '/v2/Topics'],
    ['GET', '/v1/topics'],
    ['PUT', '/v2/topics'],
    ['OPTIONS', '/v2/topics'],
    ['POST', '/v2/topics/a/b/c/d'],
    ['GET', '/v2//topics'],
    ['GET', '/v2/topics;limit=1'],
    ['GET', '/constructor'],
    ['GET', '/__proto__'],
  ])('%s %s is 404 with the shape of every error, key or no key', async (method, path) => {
    const env = await h.environment()
    for (const reply of [await h.send(method, path), await env.send(method, path)]) {
      expect(reply.status).toBe(404)
      expect(reply.body).toEqual({
        statusCode: 404,
        code: 'route_not_found',
        message: expect.stringContaining('/openapi.json'),
        path,
        timestamp: expect.any(String),
        requestId: reply.headers.get('x-request-id'),
      })
    }
  })

  test('HEAD has the headers of the 404 and no body', async () => {
    const reply = await fetch(`${h.url}/v2/topics`, { method: 'HEAD' })
    expect(reply.status).toBe(404)
    expect(reply.headers.get('content-type')).toMatch(/^application\/json/)
    expect(await reply.text()).toBe('')
  })
})

describe('odd paths', () => {
  test.each([
    ['%zz', 400, 'malformed_request'],
    ['%', 400, 'malformed_request'],
    ['%E0%A4%A', 400, 'malformed_request'],
    ['%ED%A0%80', 400, 'malformed_request'],
    ['%FF', 400, 'malformed_request'],
    ['%00', 404, 'route_not_found'],
    ['a%00b', 404, 'route_not_found'],
    ['%2F', 404, 'topic_not_found'],
    ['a%2Fb%2Fc', 404, 'topic_not_found'],
    ['..%2F..%2Fv2%2Ftopics', 404, 'topic_not_found'],
    ['%25zz', 404, 'topic_not_found'],
    ['%3Fa%3Db', 404, 'topic_not_found'],
    ['%F0%9F%90%A6', 404, 'topic_not_found'],
    ['x'.repeat(3060), 404, 'topic_not_found'],
    ['%F0%9F%90%A6'.repeat(255), 404, 'topic_not_found'],
  ])('/v2/topics/%s is %i %s', async (key, status, code) => {
    const env = await h.environment()
    expect((await env.get(`/v2/topics/${key}`)).body).toMatchObject({ statusCode: status, code })
  })

  test('an id longer than any that can be stored is not there: 404, however long', async () => {
    const env = await h.environment()
    for (const length of [3061, 8000, 15_000]) {
      expect((await env.get(`/v2/topics/${'x'.repeat(length)}`)).status, String(length)).toBe(404)
    }
    expect((await env.get(`/v2/topics?name=${'x'.repeat(15_000)}`)).status).toBe(200)
  })

  test('percent-encoding is undone once: what was stored is found', async () => {
    const env = await h.environment()
    for (const subscriberId of ['a/b', '%2F', 'a b+c', '50%', 'ü', '🐦', '?x=1', '#', '..', 'x'.repeat(255)]) {
      await env.post('/v2/subscribers', { subscriberId })
      const reply = await env.get(`/v2/subscribers/${encodeURIComponent(subscriberId)}`)
      // A client resolves ".." itself, encoded or not.
      if (subscriberId !== '..') expect(reply.body.subscriberId).toBe(subscriberId)
    }
  })

  test('path in an error is what was asked for', async () => {
    const env = await h.environment()
    const reply = await env.get('/v2/topics/caf%C3%A9?limit=1')
    expect(reply.body.path).toBe('/v2/topics/caf%C3%A9?limit=1')
  })
})

describe('when PostgreSQL is away', () => {
  test('503 with Retry-After and no inner text; liveness stands', async () => {
    const url = 'postgres://nobody@127.0.0.1:1/none'
    const database = openDatabase({ url, poolSize: 2, rowLevelSecurity: false, onError() {} })
    const ctx = { ...h.ctx, database }
    const server = createServer(ctx, h.routes, authenticator(ctx, []))
    const send = sender(await server.listen({ host: '127.0.0.1', port: 0 }))
    try {
      const env = await h.environment()
      const reply = await send('GET', '/v2/topics', { key: env.key })
      expect(reply).toMatchObject({ status: 503, body: { code: 'service_unavailable' } })
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(reply.text).not.toMatch(/ECONNREFUSED|127\.0\.0\.1|postgres:/)
    } finally {
      await server.close()
      await database.close()
    }
  })
})
