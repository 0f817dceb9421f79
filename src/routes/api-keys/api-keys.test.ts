import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { client, type Json, sender, useHarness } from '../../../test/harness.ts'
import { apiKeyId } from '../../lib/api-key.ts'
import { uuid7 } from '../../lib/uuid7.ts'

const h = useHarness()

const plain = { bootstrap: false, scope: 'everything', reach: 'environment' }

describe('API keys over HTTP', () => {
  test('a new key is shown once, works, and is listed without its text', async () => {
    const env = await h.environment()
    const made = await env.post('/v1/api-keys', { name: 'deploy' })
    expect(made).toMatchObject({ status: 201, body: { name: 'deploy', id: apiKeyId(made.body.key) } })
    expect((await h.send('GET', '/v2/topics', { key: made.body.key })).status).toBe(200)
    const listed = await env.get('/v1/api-keys')
    // As the record knows it: the first one was made past it.
    const createdBy = { type: 'key', id: apiKeyId(env.key), name: 'test' }
    expect(listed.body.data.map(({ lastUsedAt, ...key }: Json) => key)).toEqual([
      { id: made.body.id, name: 'deploy', createdAt: made.body.createdAt, createdBy, current: false, ...plain },
      { id: apiKeyId(env.key), name: 'test', createdAt: expect.any(String), current: true, ...plain },
    ])
    expect(listed.text).not.toContain(made.body.key.slice(-51))
  })

  test('when it was last used is written, once a minute and not with every request', async () => {
    const env = await h.environment()
    const made = (await env.post('/v1/api-keys', { name: 'deploy' })).body
    const shown = async (): Promise<Json> =>
      (await env.get('/v1/api-keys')).body.data.find((key: Json) => key.id === made.id)
    expect(await shown()).not.toHaveProperty('lastUsedAt')
    const versions = async () =>
      (await sql<{ xmin: string }>`select xmin::text from api_key where id = ${made.id}`.execute(h.admin)).rows[0]?.xmin
    await h.send('GET', '/v2/topics', { key: made.key })
    await expect.poll(async () => (await shown()).lastUsedAt).toEqual(expect.any(String))
    expect(Math.abs(Date.parse((await shown()).lastUsedAt) - Date.now())).toBeLessThan(60_000)
    const written = await versions()
    const nodes = [h.send, sender((await h.node()).url)]
    for (const send of [...nodes, ...nodes])
      expect((await send('GET', '/v2/topics', { key: made.key })).status).toBe(200)
    await sleep(200)
    expect(await versions()).toBe(written)
  })

  test('two live keys and no third, even when ten are asked for at once', async () => {
    const env = await h.environment()
    const replies = await Promise.all(Array.from({ length: 10 }, () => env.post('/v1/api-keys', { name: 'x' })))
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1)
    for (const reply of replies.filter((it) => it.status !== 201)) expect(reply.body.code).toBe('too_many_api_keys')
  })

  test('a change over: make the second, revoke the first with it, and every node refuses the first within 5 s', async () => {
    const env = await h.environment()
    const made = await env.post('/v1/api-keys', { name: 'next' })
    const next = client(h.send, made.body.key)
    const nodes = [h.send, sender((await h.node()).url)]
    const statuses = () =>
      Promise.all(nodes.map(async (send) => (await send('GET', '/v2/topics', { key: env.key })).status))
    expect(await statuses()).toEqual([200, 200])
    expect((await next.delete(`/v1/api-keys/${apiKeyId(env.key)}`)).status).toBe(204)
    for (const begun = performance.now(); (await statuses()).some((status) => status !== 401); await sleep(100)) {
      expect(performance.now() - begun).toBeLessThan(5_000)
    }
    const [live, revoked] = (await next.send('GET', '/v1/api-keys')).body.data
    expect(live).toMatchObject({ name: 'next', current: true })
    expect(revoked).toMatchObject({ name: 'test', current: false, revokedAt: expect.any(String) })
    expect((await next.post('/v1/api-keys', { name: 'third' })).status).toBe(201)
  })

  test('the last live key stays, also when two are revoked at once', async () => {
    const env = await h.environment()
    const id = apiKeyId(env.key)
    expect((await env.delete(`/v1/api-keys/${id}`)).body.code).toBe('last_api_key')
    const made = await env.post('/v1/api-keys', { name: 'second' })
    const replies = await Promise.all([id, made.body.id].map((it) => env.delete(`/v1/api-keys/${it}`)))
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([204, 409])
  })

  test.each(['garbage', uuid7(new Date()), "' or 1=1"])('there is no key %j to revoke', async (id) => {
    const env = await h.environment()
    const reply = await env.delete(`/v1/api-keys/${encodeURIComponent(id)}`)
    expect(reply).toMatchObject({ status: 404, body: { code: 'api_key_not_found' } })
  })
})
