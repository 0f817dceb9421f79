import { beforeAll, describe, expect, test } from 'vitest'
import { useHarness } from '../harness.ts'
import { newestSpoken, time } from './client-versions.ts'
import { notCalled } from './every-operation.ts'

/** The newest published client, see client.test.ts: channel endpoints and connections. The pinned one has none. */
const settings = { PUBLIC_URL: 'https://tidings.example.com' }
const h = useHarness(settings)
let dialectUrl = ''

beforeAll(async () => {
  dialectUrl = (await h.node({ ...settings, VENDOR_NAMES: 'novu' })).url
})

const workspace = { id: 'T1', name: 'Acme', botUserId: 'U1' }

describe.each(newestSpoken)('@novu/api $version, $words', ({ open, operations, dialect }) => {
  const succeeded = new Set<string>()
  const onSuccess = (method: string, path: string) => succeeded.add(`${method} ${path}`)

  async function start() {
    const env = await h.environment()
    const client = open({ serverURL: dialect ? dialectUrl : h.url, secretKey: env.key, onSuccess })
    await client.subscribers.create({ subscriberId: 'ada' })
    const credentials = { clientId: 'client', secretKey: 'client-secret-0001' }
    await env.post('/v1/integrations', { providerId: 'slack', channel: 'chat', active: true, credentials })
    return { env, client }
  }

  test('a workspace is added, listed, read, changed and deleted; its tokens stay ours', async () => {
    const { client } = await start()
    const { result: made } = await client.channelConnections.create({
      identifier: 'acme',
      subscriberId: 'ada',
      context: { tenant: 'acme' },
      integrationIdentifier: 'slack',
      workspace,
      auth: { accessToken: 'xoxb-1', refreshToken: 'xoxe-1', expiresAt: '2030-01-01T00:00:00.000Z' },
    })
    expect(made).toMatchObject({
      identifier: 'acme',
      channel: 'chat',
      providerId: 'slack',
      integrationIdentifier: 'slack',
      subscriberId: 'ada',
      contextKeys: ['tenant:acme'],
      workspace,
      auth: { accessToken: '••••', expiresAt: '2030-01-01T00:00:00.000Z' },
      createdAt: time,
      updatedAt: time,
    })
    const { result: list } = await client.channelConnections.list({ subscriberId: 'ada', contextKeys: ['tenant:acme'] })
    expect(list).toMatchObject({ data: [{ identifier: 'acme' }], next: null, previous: null, totalCount: 1 })
    expect((await client.channelConnections.list({ connectionMode: 'shared' })).result.data).toEqual([])
    expect((await client.channelConnections.retrieve('acme')).result).toEqual(made)
    const renamed = { id: 'T1', name: 'Acme Inc.' }
    const changed = await client.channelConnections.update({ workspace: renamed, auth: { accessToken: 'x' } }, 'acme')
    expect(changed.result).toMatchObject({ workspace: renamed, auth: { accessToken: '••••' } })
    await client.channelConnections.delete('acme')
    expect((await client.channelConnections.list({})).result.totalCount).toBe(0)
  })

  test('an endpoint is made, listed, read, moved and deleted, and its subscriber with it if that is asked for', async () => {
    const { client } = await start()
    await client.channelConnections.create({
      identifier: 'acme',
      connectionMode: 'shared',
      integrationIdentifier: 'slack',
      workspace,
      auth: { accessToken: 'xoxb-1' },
    })
    const { result: made } = await client.channelEndpoints.create({
      identifier: 'orders',
      subscriberId: 'bob',
      createSubscriberIfMissing: true,
      integrationIdentifier: 'slack',
      type: 'slack_channel',
      endpoint: { channelId: 'C1' },
    })
    expect(made).toMatchObject({
      identifier: 'orders',
      channel: 'chat',
      providerId: 'slack',
      connectionIdentifier: 'acme',
      subscriberId: 'bob',
      contextKeys: [],
      type: 'slack_channel',
      endpoint: { channelId: 'C1' },
    })
    expect((await client.channelEndpoints.list({ subscriberId: 'bob', providerId: 'slack' })).result.data).toEqual([
      made,
    ])
    expect((await client.channelEndpoints.retrieve('orders')).result).toEqual(made)
    const { result: moved } = await client.channelEndpoints.update({ endpoint: { channelId: 'C2' } }, 'orders')
    expect(moved.endpoint).toEqual({ channelId: 'C2' })
    await client.channelEndpoints.delete('orders')
    expect((await client.channelEndpoints.list({})).result.totalCount).toBe(0)
  })

  test('the addresses where people agree', async () => {
    const { client } = await start()
    const own = { integrationIdentifier: 'slack', subscriberId: 'ada' }
    const { integrations } = client
    const connect = (await integrations.generateConnectOAuthUrl({ ...own, scope: ['chat:write'] })).result
    expect(new URL(connect.url).searchParams.get('scope')).toBe('chat:write')
    expect((await integrations.generateLinkUserOAuthUrl(own)).result.url).toMatch(/^https:\/\/slack\.com\/openid\//)
    expect((await integrations.generateChatOAuthUrl(own)).result.url).toMatch(/^https:\/\/slack\.com\/oauth\/v2\//)
  })

  test('every operation of these was called above; what belongs to a bot needs the bot', () => {
    const ofBots = [
      'integrations.integrationsControllerConfigureIntegrationWebhook',
      'integrations.linkChannelEndpoint',
    ]
    expect(notCalled('client-channels.test.ts', { operations, routes: h.routes, succeeded })).toEqual(ofBots)
  })
})
