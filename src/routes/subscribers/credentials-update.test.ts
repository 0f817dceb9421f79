import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { type Client, type Json, useSharedHarness } from '../../../test/harness.ts'

const h = useSharedHarness()
const path = '/v1/subscribers/ada/credentials'
const webhookUrl = 'https://hooks.example.com/services/T/B/x'
const tokens = (count: number, from = 0) => Array.from({ length: count }, (_, n) => `token-${from + n}`)
const push = (deviceTokens: string[]) => ({ providerId: 'fcm', credentials: { deviceTokens } })

async function arrange(): Promise<Client> {
  const env = await h.environment()
  await env.post('/v2/subscribers', { subscriberId: 'ada', firstName: 'Ada' })
  return env
}
const stored = async (env: Client): Promise<Json[]> => (await env.get('/v2/subscribers/ada')).body.channels
const storedTokens = async (env: Client) => (await stored(env))[0].credentials.deviceTokens

afterEach(() => {
  h.ctx.clock = () => new Date()
})

// PATCH is what clients call to append; the specification lets PUT append too, so both do the same.
describe.each(['put', 'patch'] as const)('%s /v1/subscribers/{subscriberId}/credentials', (method) => {
  test('200 with the subscriber, its channel and the integration behind it', async () => {
    const env = await arrange()
    const before = (await env.get('/v2/subscribers/ada')).body
    const { status, body } = await env[method](path, push(['a']))
    expect(status).toBe(200)
    const [integration] = (await env.get('/v1/integrations')).body
    expect(body).toEqual({
      ...before,
      __v: 1,
      updatedAt: body.updatedAt,
      channels: [
        {
          providerId: 'fcm',
          integrationIdentifier: integration.identifier,
          _integrationId: integration._id,
          credentials: { deviceTokens: ['a'] },
        },
      ],
    })
    expect((await env.get('/v2/subscribers/ada')).body).toEqual(body)
  })

  test('device tokens are appended in order and kept unique', async () => {
    const env = await arrange()
    await env[method](path, push(['b', 'a', 'b']))
    expect(await storedTokens(env)).toEqual(['b', 'a'])
    await env[method](path, push(['c', 'a', 'A', 'b', 'd', 'c']))
    expect(await storedTokens(env)).toEqual(['b', 'a', 'c', 'A', 'd'])
    await env[method](path, push([]))
    expect(await storedTokens(env)).toEqual(['b', 'a', 'c', 'A', 'd'])
  })

  test('a channel holds 500 tokens; one more is 422 and changes nothing', async () => {
    const env = await arrange()
    expect((await env[method](path, push(tokens(501)))).status).toBe(422)
    expect(await stored(env)).toEqual([])
    expect((await env[method](path, push(tokens(499)))).status).toBe(200)
    expect((await env[method](path, push(['token-0', 'token-499']))).status).toBe(200)
    const refused = await env[method](path, push(['token-500']))
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['credentials.deviceTokens']])
    expect((await env[method](path, push(tokens(500)))).status, 'the same 500').toBe(200)
    expect(await storedTokens(env)).toEqual(tokens(500))
    const other = { providerId: 'apns', credentials: { deviceTokens: ['x'] } }
    expect((await env[method](path, other)).status, 'another channel').toBe(200)
  })

  test('fifty at once lose no token', async () => {
    const env = await arrange()
    const replies = await Promise.all(tokens(50).map((token) => env[method](path, push([token]))))
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200]))
    expect((await storedTokens(env)).toSorted()).toEqual(tokens(50).sort())
    expect((await env.get('/v2/subscribers/ada')).body).toMatchObject({ __v: 50, channels: [{ providerId: 'fcm' }] })
    expect((await env.get('/v1/integrations')).body).toHaveLength(1)
  })
})

describe('credentials', () => {
  const texts = { channel: '#ops', alertUid: 'uid', title: 'T', imageUrl: 'i', state: 'alerting', externalUrl: 'e' }

  test('every field of the spec is stored; a field given replaces, the others stay; unknown ones are dropped', async () => {
    const env = await arrange()
    const all = { webhookUrl, ...texts, deviceTokens: ['t'] }
    const put = async (credentials: object) => {
      const reply = await env.put(path, { providerId: 'grafana-on-call', credentials })
      expect(reply.status).toBe(200)
      return reply.body.channels[0].credentials
    }
    expect(await put({ ...all, password: 'x', _id: 1 })).toEqual(all)
    for (const name of Object.keys(texts)) {
      expect(await put({ [name]: `new ${name}` }), name).toEqual(Object.assign(all, { [name]: `new ${name}` }))
    }
    expect(await put({ webhookUrl: `${webhookUrl}/2` })).toEqual({ ...all, webhookUrl: `${webhookUrl}/2` })
    expect(await put({ title: '' })).toMatchObject({ title: '', alertUid: 'new alertUid' })
  })

  test('422 for values of another type, an unnamed provider, or none at all', async () => {
    const env = await arrange()
    const faulty: [string, object][] = [
      ['providerId', { credentials: {} }],
      ['providerId', { providerId: 1, credentials: {} }],
      ['providerId', { providerId: null, credentials: {} }],
      ['credentials', { providerId: 'slack' }],
      ['credentials', { providerId: 'slack', credentials: null }],
      ['credentials', { providerId: 'slack', credentials: [] }],
      ['credentials.title', { providerId: 'slack', credentials: { title: 1 } }],
      ['credentials.channel', { providerId: 'slack', credentials: { channel: null } }],
      ['credentials.deviceTokens', { providerId: 'fcm', credentials: { deviceTokens: 't' } }],
      ['credentials.deviceTokens', { providerId: 'fcm', credentials: { deviceTokens: null } }],
      ['credentials.deviceTokens.1', { providerId: 'fcm', credentials: { deviceTokens: ['t', 7] } }],
      ['credentials.deviceTokens.0', { providerId: 'fcm', credentials: { deviceTokens: [''] } }],
      ['credentials.deviceTokens.0', { providerId: 'fcm', credentials: { deviceTokens: ['x'.repeat(4097)] } }],
      ['integrationIdentifier', { providerId: 'fcm', integrationIdentifier: 5, credentials: {} }],
    ]
    for (const [field, body] of faulty) {
      const reply = await env.put(path, body)
      expect([reply.status, Object.keys(reply.body.errors ?? {})], JSON.stringify(body)).toEqual([422, [field]])
    }
    expect((await env.put(path, push(['x'.repeat(4096)]))).status).toBe(200)
  })

  test.each([
    'http://127.0.0.1/hook',
    'http://localhost/hook',
    'https://10.1.2.3/hook',
    'http://169.254.169.254/latest/meta-data',
    'http://[::1]/hook',
    'http://2130706433/hook',
    'https://db.internal/hook',
    'ftp://hooks.example.com/x',
    'https://user:pass@hooks.example.com/x',
    'https://hooks.example.com:22/x',
    'not a url',
    '',
  ])('422 for the webhookUrl %j, and the URL is not repeated in the reply', async (url) => {
    const env = await arrange()
    const reply = await env.put(path, { providerId: 'slack', credentials: { webhookUrl: url } })
    expect([reply.status, Object.keys(reply.body.errors)]).toEqual([422, ['credentials.webhookUrl']])
    expect(reply.body.errors['credentials.webhookUrl']).not.toHaveProperty('value')
    expect(await stored(env)).toEqual([])
    expect((await env.get('/v1/integrations')).body).toEqual([])
  })

  test('are sealed at rest: neither tokens nor URLs can be read in the table', async () => {
    const env = await arrange()
    await env.put(path, { providerId: 'slack', credentials: { webhookUrl, deviceTokens: ['secret-token'] } })
    const { rows } = await sql<{ row: string }>`
      select c::text as row from subscriber_channel c where environment_id = ${env.environmentId}`.execute(h.admin)
    expect(rows).toHaveLength(1)
    expect(rows[0]?.row).toContain('sealed.')
    expect(rows[0]?.row).not.toMatch(/secret-token|hooks\.example/)
  })

  test('__v and updatedAt move only on a real change', async () => {
    const env = await arrange()
    const put = async (time: string, credentials: object) => {
      h.ctx.clock = () => new Date(time)
      const { body } = await env.put(path, { providerId: 'slack', credentials })
      return [body.__v, body.updatedAt]
    }
    const first = '2026-01-01T00:00:00.001Z'
    expect(await put(first, { webhookUrl, deviceTokens: ['a', 'b'] })).toEqual([1, first])
    const later = '2026-01-01T00:00:00.002Z'
    for (const same of [{}, { webhookUrl }, { deviceTokens: ['b', 'a'] }, { deviceTokens: [] }]) {
      expect(await put(later, same), JSON.stringify(same)).toEqual([1, first])
    }
    expect(await put(later, { title: 'new' })).toEqual([2, later])
  })

  test('404 for an unknown subscriber, and no integration is made for nobody', async () => {
    const env = await h.environment()
    for (const method of ['put', 'patch'] as const) {
      expect((await env[method](path, push(['a']))).body.code).toBe('subscriber_not_found')
    }
    expect((await env.get('/v1/integrations')).body).toEqual([])
  })
})

describe('DELETE /v1/subscribers/{subscriberId}/credentials/{providerId}/device-tokens', () => {
  const forget = (env: Client, deviceTokens: string[], providerId = 'fcm') =>
    env.send('DELETE', `${path}/${providerId}/device-tokens`, { body: { deviceTokens } })

  test('forgets the named ones; the others, and what else the channel has, stay', async () => {
    const env = await arrange()
    await env.put(path, push(['a', 'b/c?d', 'e']))
    await env.put(path, { providerId: 'expo', credentials: { deviceTokens: ['a'] } })
    const { status, body } = await forget(env, ['b/c?d', 'nobody'])
    expect(status).toBe(200)
    expect(body.channels).toMatchObject([
      { providerId: 'fcm', credentials: { deviceTokens: ['a', 'e'] } },
      { providerId: 'expo', credentials: { deviceTokens: ['a'] } },
    ])
    const again = await forget(env, ['b/c?d'])
    expect([again.status, again.body.__v, again.body.updatedAt]).toEqual([200, body.__v, body.updatedAt])
    expect((await forget(env, ['a', 'e'])).body.channels[0].credentials).toEqual({ deviceTokens: [] })
  })

  test('404 where there is nothing to forget from', async () => {
    const env = await arrange()
    expect((await forget(env, ['a'])).body.code).toBe('channel_not_found')
    const nobody = '/v1/subscribers/eve/credentials/fcm/device-tokens'
    expect((await env.send('DELETE', nobody, { body: { deviceTokens: ['a'] } })).body.code).toBe('subscriber_not_found')
  })
})

describe('DELETE /v1/subscribers/{subscriberId}/credentials/{providerId}', () => {
  test('forgets the channel of that provider and no other, once', async () => {
    const env = await arrange()
    await env.put(path, push(['a']))
    await env.put(path, { providerId: 'slack', credentials: { webhookUrl } })
    const reply = await env.delete(`${path}/fcm`)
    expect([reply.status, reply.text]).toEqual([204, ''])
    const { body } = await env.get('/v2/subscribers/ada')
    expect(body).toMatchObject({ __v: 3, channels: [{ providerId: 'slack' }] })
    expect((await env.delete(`${path}/fcm`)).body.code).toBe('channel_not_found')
    for (const providerId of ['sendgrid', 'nobody', 'FCM']) {
      expect((await env.delete(`${path}/${providerId}`)).status, providerId).toBe(404)
    }
    expect((await env.delete('/v1/subscribers/eve/credentials/slack')).body.code).toBe('subscriber_not_found')
    await env.put(path, push(['b']))
    expect(await stored(env)).toMatchObject([{ credentials: { deviceTokens: ['b'] } }, {}])
  })

  test('forgets the channels of every integration of that provider', async () => {
    const env = await arrange()
    for (const identifier of ['one', 'two']) {
      await env.post('/v1/integrations', { providerId: 'fcm', channel: 'push', identifier })
      await env.put(path, { ...push([identifier]), integrationIdentifier: identifier })
    }
    expect(await stored(env)).toHaveLength(2)
    await env.delete(`${path}/fcm`)
    expect(await stored(env)).toEqual([])
  })
})
