import { describe, expect, test } from 'vitest'
import { type Client, type Json, useSharedHarness } from '../../../test/harness.ts'

const h = useSharedHarness()
const path = '/v1/subscribers/ada/credentials'

async function arrange(): Promise<Client> {
  const env = await h.environment()
  await env.post('/v2/subscribers', { subscriberId: 'ada' })
  return env
}
const integrations = async (env: Client): Promise<Json[]> => (await env.get('/v1/integrations')).body
const put = (env: Client, providerId: string, integrationIdentifier?: string) =>
  env.put(path, { providerId, credentials: { deviceTokens: ['t'] }, integrationIdentifier })
const create = async (env: Client, body: object): Promise<Json> => {
  const reply = await env.post('/v1/integrations', body)
  expect(reply.status).toBe(201)
  return reply.body
}

// Spec 2.2, and whether the placeholder integration is active: for chat by the subscriber's own webhook it is.
const channelProviders: Record<string, ['chat' | 'push', active: boolean]> = {
  slack: ['chat', true],
  discord: ['chat', true],
  msteams: ['chat', true],
  mattermost: ['chat', true],
  ryver: ['chat', true],
  zulip: ['chat', true],
  'grafana-on-call': ['chat', true],
  getstream: ['chat', false],
  'rocket-chat': ['chat', false],
  'whatsapp-business': ['chat', false],
  'chat-webhook': ['chat', true],
  'platform-slack': ['chat', false],
  fcm: ['push', false],
  apns: ['push', false],
  expo: ['push', false],
  'one-signal': ['push', false],
  pushpad: ['push', false],
  'push-webhook': ['push', false],
  'pusher-beams': ['push', false],
  appio: ['push', false],
}

describe('providerId', () => {
  test('each of the spec is taken; the placeholder made for it is active exactly for webhook chat', async () => {
    const env = await arrange()
    for (const providerId of Object.keys(channelProviders)) {
      expect((await put(env, providerId)).status, providerId).toBe(200)
    }
    const made = (await integrations(env)).map((it) => [it.providerId, [it.channel, it.active]])
    expect(Object.fromEntries(made)).toEqual(channelProviders)
    expect(made).toHaveLength(20)
    const { channels } = (await env.get('/v2/subscribers/ada')).body
    expect(channels.map((channel: Json) => channel.providerId)).toEqual(Object.keys(channelProviders))
  })

  test('any other is 422, also those of other channels and of built-in names', async () => {
    const env = await arrange()
    const others = [
      '',
      'sendgrid',
      'twilio',
      'platform',
      'platform-email',
      'novu-slack',
      'Slack',
      'slack ',
      '__proto__',
    ]
    for (const providerId of [...others, 'toString']) {
      const reply = await put(env, providerId)
      expect([reply.status, Object.keys(reply.body.errors ?? {})], providerId).toEqual([422, ['providerId']])
    }
    expect(await integrations(env)).toEqual([])
  })
})

describe('the placeholder', () => {
  test('is an ordinary integration, named after its provider, without credentials', async () => {
    const env = await arrange()
    await put(env, 'fcm')
    const [placeholder] = await integrations(env)
    expect(placeholder).toMatchObject({ providerId: 'fcm', credentials: {}, primary: false, deleted: false })
    expect(placeholder.name.length).toBeGreaterThan(0)
    expect(placeholder.identifier).toMatch(/^[a-z0-9-]+$/)
  })

  test('is made once, though twenty subscribers register at the same moment', async () => {
    const env = await h.environment()
    const ids = Array.from({ length: 20 }, (_, n) => `s${n}`)
    await env.post('/v1/subscribers/bulk', { subscribers: ids.map((subscriberId) => ({ subscriberId })) })
    const body = { providerId: 'fcm', credentials: { deviceTokens: ['t'] } }
    const replies = await Promise.all(ids.map((id) => env.put(`/v1/subscribers/${id}/credentials`, body)))
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200]))
    expect(new Set(replies.map((reply) => reply.body.channels[0]._integrationId)).size).toBe(1)
    expect(await integrations(env)).toHaveLength(1)
  })

  test('is adopted by the first integration of that provider: same _id, and the tokens are its own now', async () => {
    const env = await arrange()
    await put(env, 'one-signal')
    const [placeholder] = await integrations(env)
    await create(env, { providerId: 'fcm', channel: 'push' })
    const adopted = await create(env, { providerId: 'one-signal', channel: 'push', name: 'Ours', identifier: 'ours' })
    expect(adopted).toMatchObject({ _id: placeholder._id, name: 'Ours', identifier: 'ours' })
    const { channels } = (await env.get('/v2/subscribers/ada')).body
    expect(channels).toMatchObject([{ _integrationId: adopted._id, integrationIdentifier: 'ours' }])
    const second = await create(env, { providerId: 'one-signal', channel: 'push' })
    expect(second._id).not.toBe(adopted._id)
    expect(await integrations(env)).toHaveLength(3)
  })

  test('may take the identifier its own name would have had', async () => {
    const env = await arrange()
    await put(env, 'fcm')
    const [placeholder] = await integrations(env)
    const adopted = await create(env, { providerId: 'fcm', channel: 'push' })
    expect([adopted._id, adopted.identifier]).toEqual([placeholder._id, placeholder.identifier])
  })

  test('is not made where an integration of the provider exists, active or not', async () => {
    const env = await arrange()
    const made = await create(env, { providerId: 'fcm', channel: 'push' })
    expect((await put(env, 'fcm')).body.channels).toMatchObject([{ _integrationId: made._id }])
    expect(await integrations(env)).toHaveLength(1)
  })

  test('is made anew after the integration was deleted, whose channels are shown no more', async () => {
    const env = await arrange()
    await put(env, 'slack')
    const [first] = await integrations(env)
    await env.delete(`/v1/integrations/${first._id}`)
    expect((await env.get('/v2/subscribers/ada')).body.channels).toEqual([])
    const { channels } = (await put(env, 'slack')).body
    expect(channels).toHaveLength(1)
    expect(channels[0]._integrationId).not.toBe(first._id)
  })
})

describe('which integration', () => {
  const discord = (identifier: string, active: boolean) => ({
    providerId: 'discord',
    channel: 'chat',
    identifier,
    active,
  })

  test('without a name the oldest active one, else the oldest', async () => {
    const env = await arrange()
    for (const [identifier, active] of Object.entries({ first: false, second: true, third: true })) {
      await create(env, discord(identifier, active))
    }
    const chosen = async () => {
      const { channels } = (await put(env, 'discord')).body
      await env.delete(`${path}/discord`)
      return channels.map((channel: Json) => channel.integrationIdentifier)
    }
    const setActive = async (identifier: string, active: boolean) => {
      const found = (await integrations(env)).find((it) => it.identifier === identifier)
      expect((await env.put(`/v1/integrations/${found._id}`, { active })).status).toBe(200)
    }
    expect(await chosen()).toEqual(['second'])
    await setActive('second', false)
    expect(await chosen()).toEqual(['third'])
    await setActive('third', false)
    expect(await chosen()).toEqual(['first'])
    const [first] = await integrations(env)
    await env.delete(`/v1/integrations/${first._id}`)
    expect(await chosen()).toEqual(['second'])
  })

  test('a named one is used, each with credentials of its own', async () => {
    const env = await arrange()
    await create(env, discord('first', true))
    const second = await create(env, discord('second', false))
    expect((await put(env, 'discord', 'second')).body.channels).toMatchObject([
      { integrationIdentifier: 'second', _integrationId: second._id },
    ])
    await env.put(path, { providerId: 'discord', credentials: { deviceTokens: ['u'] } })
    const { channels } = (await env.get('/v2/subscribers/ada')).body
    expect(channels.map((it: Json) => [it.integrationIdentifier, it.credentials.deviceTokens])).toEqual([
      ['first', ['u']],
      ['second', ['t']],
    ])
  })

  test("404 for a name nobody has, another provider's, another environment's or a deleted one's; nothing is made", async () => {
    const env = await arrange()
    const other = await h.environment()
    await create(other, discord('theirs', true))
    const { _id } = await create(env, discord('gone', true))
    await env.delete(`/v1/integrations/${_id}`)
    await create(env, { providerId: 'slack', channel: 'chat', identifier: 'slack-one' })
    for (const name of ['nobody', 'theirs', 'gone', 'slack-one', 'GONE', '']) {
      expect((await put(env, 'discord', name)).body.code, name).toBe('integration_not_found')
    }
    expect(await integrations(env)).toHaveLength(1)
    expect((await env.get('/v2/subscribers/ada')).body).toMatchObject({ channels: [], __v: 0 })
  })
})
