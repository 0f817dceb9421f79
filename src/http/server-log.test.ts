import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Json, sender, useSharedHarness } from '../../test/harness.ts'
import { makeSendgrid } from '../../test/integration-samples.ts'
import { authenticator } from './access/auth.ts'
import { createServer } from './server.ts'

const h = useSharedHarness()
const lines: string[] = []
let send: ReturnType<typeof sender>
let stop: () => Promise<void>

beforeAll(async () => {
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) })
  const ctx = { ...h.ctx, log }
  const server = createServer(ctx, h.routes, authenticator(ctx, []))
  send = sender(await server.listen({ host: '127.0.0.1', port: 0 }))
  stop = () => server.close()
})
afterAll(() => stop())

/** The line is written once the reply is out: wait for it. */
async function lineOf(requestId: string | null): Promise<Json> {
  for (let tries = 0; tries < 100; tries++) {
    const found = lines.map((line) => JSON.parse(line)).find((it) => it.requestId === requestId && it.msg === 'request')
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('no line was logged')
}

const allowed = ['level', 'time', 'pid', 'hostname', 'msg', 'requestId', 'method', 'route', 'status', 'ms']
const sometimes = ['environmentId', 'keyId', 'idempotency', 'code']

describe('the log line of a request', () => {
  test('has named fields and nothing else, whatever the outcome', async () => {
    const env = await h.environment()
    const key = env.key
    const headers = { 'idempotency-key': 'planted-key' }
    const canary = 'planted-canary'
    const replies = {
      made: await send('POST', '/v1/tenants', { key, headers, body: { identifier: canary, data: { canary } } }),
      again: await send('POST', '/v1/tenants', { key, headers, body: { identifier: canary, data: { canary } } }),
      found: await send('GET', `/v1/tenants/${canary}?name=${canary}`, { key }),
      refused: await send('GET', `/v2/topics?limit=${canary}`, { key }),
      broken: await send('POST', '/v1/tenants', { key, raw: `{"${canary}` }),
      strange: await send('GET', `/v2/topics`, { key: canary }),
      nowhere: await send('GET', `/${canary}?${canary}`, {}),
      bad: await send('GET', `/v2/topics/${canary}%zz`, { key }),
    }
    const line = (name: keyof typeof replies) => lineOf(replies[name].headers.get('x-request-id'))
    expect(await line('made')).toMatchObject({
      method: 'POST',
      route: '/v1/tenants',
      status: 201,
      environmentId: env.environmentId,
      keyId: expect.any(String),
      idempotency: 'claimed',
      ms: expect.any(Number),
    })
    expect(await line('again')).toMatchObject({ status: 201, idempotency: 'replayed' })
    expect(await line('found')).toMatchObject({ route: '/v1/tenants/:identifier', status: 200 })
    expect(await line('refused')).toMatchObject({ status: 422, code: 'validation_failed' })
    expect(await line('broken')).toMatchObject({ status: 400, code: 'malformed_json' })
    expect(await line('strange')).toMatchObject({ status: 401, code: 'unauthorized' })
    expect(await line('nowhere')).toMatchObject({ route: null, status: 404, code: 'route_not_found' })
    expect(await line('bad')).toMatchObject({ status: 400, code: 'malformed_request' })
    for (const name of Object.keys(replies) as (keyof typeof replies)[]) {
      for (const field of Object.keys(await line(name))) expect([...allowed, ...sometimes], name).toContain(field)
    }
    const everything = lines.join('')
    for (const secret of [canary, 'planted-key', key, key.slice(-51)]) expect(everything).not.toContain(secret)
  })

  test('of a 5xx comes with the cause, under the same request id, and the secret in neither', async () => {
    const env = await h.environment()
    const made = await makeSendgrid(env, { credentials: { apiKey: 'planted-secret-value' } })
    await sql`
      update integration set credentials = jsonb_build_object('from', credentials->'apiKey')
      where environment_id = ${env.environmentId}`.execute(h.admin)
    const body = { credentials: { senderName: 'planted-secret-value' } }
    const reply = await send('PUT', `/v1/integrations/${made._id}`, { key: env.key, body })
    expect(reply.status).toBe(500)
    const line = await lineOf(reply.headers.get('x-request-id'))
    expect(line).toMatchObject({ status: 500, code: 'internal_error' })
    const cause = lines.map((text) => JSON.parse(text)).find((it) => it.msg === 'request failed')
    expect(cause).toMatchObject({ level: 50, requestId: line.requestId, err: { message: expect.any(String) } })
    expect(lines.join('')).not.toContain('planted-secret-value')
  })
})
