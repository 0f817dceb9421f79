import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Api } from './calls.ts'
import { makeApi } from './client.ts'
import { ApiFault } from './fault.ts'
import { onSignedOut } from './signed-out.ts'

type Seen = { method: string; url: string; headers: IncomingMessage['headers']; body: string }

const seen: Seen[] = []
let answer: (reply: ServerResponse) => void
const server = createServer(async (request, reply) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { method = '', url = '', headers } = request
  seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() })
  answer(reply)
})
let api: Api
let origin: string

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  api = makeApi(() => 'staging', origin)
})
afterAll(() => new Promise((resolve) => server.close(resolve)))
beforeEach(() => {
  seen.length = 0
  answer = json(200, {})
})

const json = (status: number, body: unknown) => (reply: ServerResponse) => {
  reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
const text = (status: number, body: string) => (reply: ServerResponse) => {
  reply.writeHead(status).end(body)
}
const fault = async (asked: Promise<unknown>) => {
  const error = await asked.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ApiFault)) throw new Error(`not refused by an ApiFault: ${error}`)
  return error
}

describe('a request', () => {
  test('has its names in the path, escaped, and in the query only what is not empty', async () => {
    const path = { topicKey: 'a/b c?{d}$&' }
    await api.get('/v2/topics/{topicKey}/subscriptions', { path, query: { limit: 5, subscriberId: '', after: null } })
    expect(seen[0]?.url).toBe('/v2/topics/a%2Fb%20c%3F%7Bd%7D%24%26/subscriptions?limit=5')
  })

  test('has a list as one name several times, and no name for an empty list', async () => {
    await api.get('/v1/notifications', { query: { channels: ['sms', 'in_app'], emails: [], search: 'a&b' } })
    expect(seen[0]?.url).toBe('/v1/notifications?channels=sms&channels=in_app&search=a%26b')
  })

  test('says which environment it is about, and nothing where none is known', async () => {
    await api.get('/v1/integrations')
    await api.post('/v2/topics', { body: { key: 'k' } })
    await makeApi(() => null, origin).get('/v1/integrations')
    expect(seen.map(({ headers }) => headers['tidings-environment'])).toEqual(['staging', 'staging', undefined])
  })

  test('to read carries neither a body nor the headers of a write', async () => {
    await api.get('/v1/integrations')
    expect(seen[0]).toMatchObject({ method: 'GET', body: '', headers: { accept: 'application/json' } })
    for (const name of ['content-type', 'x-tidings-session', 'idempotency-key']) {
      expect(seen[0]?.headers[name]).toBeUndefined()
    }
  })

  test('to write says that it is ours, and carries a new idempotency key each time', async () => {
    for (const name of ['one', 'two']) {
      await api.patch('/v2/topics/{topicKey}', { path: { topicKey: 'news' }, body: { name } })
    }
    expect(seen.map(({ method, body }) => [method, body])).toEqual([
      ['PATCH', '{"name":"one"}'],
      ['PATCH', '{"name":"two"}'],
    ])
    const keys = seen.map(({ headers }) => headers['idempotency-key'])
    expect(new Set(keys).size).toBe(2)
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(seen[0]?.headers).toMatchObject({ 'x-tidings-session': '1', 'content-type': 'application/json' })
  })

  test('to the session has no idempotency key: it is no route of the public API', async () => {
    await api.post('/session', { body: { key: 'k' } })
    expect(seen[0]?.headers['x-tidings-session']).toBe('1')
    expect(seen[0]?.headers['idempotency-key']).toBeUndefined()
  })

  test('that writes without saying anything sends an empty object; a delete sends nothing', async () => {
    await api.post('/v1/integrations/{integrationId}/set-primary', { path: { integrationId: 'i' } })
    await api.delete('/v1/api-keys/{id}', { path: { id: 'k' } })
    await api.delete('/v2/topics/{topicKey}/subscriptions', {
      path: { topicKey: 't' },
      body: { subscriptions: ['ada'] },
    })
    expect(seen.map(({ body }) => body)).toEqual(['{}', '', '{"subscriptions":["ada"]}'])
    expect(seen[1]?.headers['content-type']).toBeUndefined()
  })
})

describe('a reply', () => {
  test('gives what it says; nothing when it is empty or no JSON', async () => {
    answer = json(200, { key: 'news' })
    const path = { topicKey: 'news' }
    expect(await api.get('/v2/topics/{topicKey}', { path })).toEqual({ key: 'news' })
    answer = text(204, '')
    expect(await api.delete('/v1/api-keys/{id}', { path: { id: 'k' } })).toBeUndefined()
    answer = text(200, '')
    expect(await api.get('/v2/topics/{topicKey}', { path })).toBeUndefined()
    answer = text(200, '<p>a proxy</p>')
    expect(await api.get('/v2/topics/{topicKey}', { path })).toBeUndefined()
  })

  test('that refuses is a fault with its code, its words, and what is wrong with each field', async () => {
    const errors = { name: { messages: ['is too long', 'has a tab'], value: 'x' } }
    answer = json(422, { statusCode: 422, code: 'validation_failed', message: 'No.', errors, requestId: 'r1' })
    const refused = await fault(api.post('/v2/topics', { body: { key: 'k' } }))
    expect(refused).toMatchObject({ status: 422, code: 'validation_failed', message: 'No.', requestId: 'r1' })
    expect(refused.of('name')).toBe('is too long has a tab')
    expect(refused.of('key')).toBeUndefined()
  })

  test('that is no JSON is a fault that says the status', async () => {
    answer = text(502, 'Bad gateway')
    expect(await fault(api.get('/v1/integrations'))).toMatchObject({
      status: 502,
      code: 'unknown',
      message: 'The server answered 502.',
      errors: {},
    })
  })

  test('401 tells that nobody is signed in any more, but not when the session itself is asked for', async () => {
    let told = 0
    const stop = onSignedOut(() => told++)
    answer = json(401, { code: 'unauthorized' })
    await fault(api.get('/session'))
    expect(told).toBe(0)
    await fault(api.get('/v1/integrations'))
    expect(told).toBe(1)
    stop()
    await fault(api.get('/v1/integrations'))
    expect(told).toBe(1)
  })
})

describe('what never arrives', () => {
  test('a server that is not there is a fault of its own', async () => {
    const closed = createServer()
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    expect(await fault(makeApi(() => null, `http://127.0.0.1:${port}`).get('/session'))).toMatchObject({
      status: 0,
      code: 'unreachable',
    })
  })

  test('a request that was given up stays an abort, before and after it was sent', async () => {
    const stop = new AbortController()
    answer = () => stop.abort()
    await expect(api.get('/v1/integrations', { signal: stop.signal })).rejects.toMatchObject({ name: 'AbortError' })
    expect(seen).toHaveLength(1)
    await expect(api.get('/v1/integrations', { signal: stop.signal })).rejects.toMatchObject({ name: 'AbortError' })
    expect(seen).toHaveLength(1)
  })
})
