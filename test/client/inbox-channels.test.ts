import { afterAll, expect, test } from 'vitest'
import { type Client, type Json, useHarness } from '../harness.ts'
import { startTelegram } from '../vendors/telegram.ts'
import { startApp } from './inbox-channels.ts'
import { hashOf, identifierOf } from './inbox-session.ts'

/** What the chat connect buttons of the published client call, with only its addresses changed. */
const telegram = await startTelegram()
afterAll(() => telegram.close())
const app = await startApp(telegram.port)
const h = useHarness({ ...app.settings, INBOX_HASH: 'required' })

async function open(env: Client, subscriberId: string, context?: object): Promise<Json> {
  const { Novu } = await import('@novu/js-3.19.2')
  return new Novu({
    applicationIdentifier: await identifierOf(env),
    subscriber: subscriberId,
    subscriberHash: hashOf(env.key, subscriberId),
    ...(context && { context, contextHash: hashOf(env.key, JSON.stringify(context)) }),
    backendUrl: h.url,
    socketUrl: h.url,
  } as Json)
}

/** What a call of the client gives; an error is thrown, with what the service said. */
async function got(result: Promise<Json>): Promise<Json> {
  const { data, error } = await result
  if (error) throw error
  return data
}
const statusOf = async (result: Promise<Json>) => (await result).error?.originalError?.status

test('connects a workspace, is linked to it, lists both and disconnects', async () => {
  const env = await h.environment()
  const [integrationIdentifier, novu] = [await app.make(env), await open(env, 'ada')]
  const { channelConnections, channelEndpoints } = novu
  const identifier = 'chconn-slack-default-ada'
  expect(await statusOf(channelConnections.get({ identifier }))).toBe(404)
  // As <SlackConnectButton/> asks.
  const asked = { integrationIdentifier, connectionIdentifier: identifier, subscriberId: 'ada' }
  const { url } = await got(
    channelConnections.generateConnectOAuthUrl({ ...asked, connectionMode: 'subscriber', autoLinkUser: false }),
  )
  expect(await app.agree(env, url)).toBe(true)
  const connection = { identifier, workspace: { id: 'T0ACME', name: 'Acme' }, createdAt: expect.any(String) }
  expect(await got(channelConnections.get({ identifier, connectionMode: 'subscriber' }))).toMatchObject(connection)
  const lists = { subscriberId: 'ada', channel: 'chat', providerId: 'slack', contextKeys: [], limit: 10 }
  expect(await got(channelConnections.list({ ...lists, connectionMode: 'subscriber' }))).toMatchObject([connection])

  const link = await got(channelEndpoints.generateLinkUserOAuthUrl(asked))
  expect(await app.agree(env, link.url)).toBe(true)
  const [endpoint] = await got(channelEndpoints.list({ ...lists, connectionIdentifier: identifier }))
  expect(endpoint).toMatchObject({ type: 'slack_user', identifier: expect.any(String) })
  const kept = (await env.get(`/v1/channel-endpoints/${endpoint.identifier}`)).body
  expect(kept).toMatchObject({ subscriberId: 'ada', endpoint: { userId: 'U0ADA' }, connectionIdentifier: identifier })
  await got(channelEndpoints.delete({ identifier: endpoint.identifier }))
  expect(await got(channelEndpoints.list())).toEqual([])

  await got(channelConnections.delete({ identifier }))
  expect(await got(channelConnections.list())).toEqual([])
})

test('the older call connects and links in one', async () => {
  const env = await h.environment()
  const [integrationIdentifier, novu] = [await app.make(env), await open(env, 'ada')]
  const { url } = await got(novu.channelConnections.generateOAuthUrl({ integrationIdentifier, mode: 'connect' }))
  expect(await app.agree(env, url)).toBe(true)
  expect(await got(novu.channelConnections.list())).toHaveLength(1)
  expect(await got(novu.channelEndpoints.list())).toMatchObject([{ type: 'slack_user' }])
})

test('a workspace that is shared in a context is there for everybody in it', async () => {
  const env = await h.environment()
  const context = { tenant: 'acme' }
  const [integrationIdentifier, ada] = [await app.make(env), await open(env, 'ada', context)]
  const identifier = 'chconn-slack-default'
  const { url } = await got(
    ada.channelConnections.generateConnectOAuthUrl({
      integrationIdentifier,
      connectionIdentifier: identifier,
      connectionMode: 'shared',
      context,
      autoLinkUser: false,
    }),
  )
  expect(await app.agree(env, url)).toBe(true)
  const [bob, outside] = [await open(env, 'bob', context), await open(env, 'bob')]
  expect(await got(bob.channelConnections.get({ identifier, connectionMode: 'shared' }))).toMatchObject({ identifier })
  expect(await statusOf(outside.channelConnections.get({ identifier }))).toBe(404)
  expect(await statusOf(bob.channelConnections.delete({ identifier }))).toBe(404)
})

test('is given the address of a bot, whose person is this one', async () => {
  const env = await h.environment()
  const credentials = { apiToken: telegram.token, baseUrl: telegram.url }
  const integration = { providerId: 'telegram', channel: 'chat', credentials }
  const { identifier: integrationIdentifier } = (await env.post('/v1/integrations', integration)).body
  const { channelEndpoints } = await open(env, 'ada')
  const { url } = await got(channelEndpoints.link({ integrationIdentifier }))
  expect(url).toMatch(/^https:\/\/t\.me\/\w+\?start=[\w-]{54}$/)
})

test('a browser makes no endpoint of its own choice', async () => {
  const env = await h.environment()
  const [integrationIdentifier, novu] = [await app.make(env), await open(env, 'ada')]
  const { channelEndpoints } = novu
  const given = { integrationIdentifier, type: 'slack_user', endpoint: { userId: 'U0BOB' } }
  expect(await statusOf(channelEndpoints.create(given))).toBe(422)
  expect(await got(channelEndpoints.list())).toEqual([])
})
