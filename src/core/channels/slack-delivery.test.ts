import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { allowing, makeIntegration, storyOf } from '../../../test/outside.ts'
import { makeSubscribers, makeWorkflow, trigger } from '../../../test/pipeline.ts'
import { startSlack } from '../../../test/vendors/slack.ts'

const publicUrl = 'https://tidings.example.com'
const callback = `${publicUrl}/v1/integrations/chat/oauth/callback`
const slack = await startSlack({ rotation: true, app: { redirectUris: [callback] } })
slack.addWorkspace({ id: 'T0BETA', name: 'Beta', people: [{ id: 'U0EVE', name: 'Eve' }] })
afterAll(() => slack.close())

const h = useHarness({ ...allowing(slack.port), PUBLIC_URL: publicUrl }, { worker: true })

const general = 'C0ACMEGENERAL'
const chatStep = { name: 'Chat', type: 'chat', controlValues: { body: 'Order {{payload.order}}' } }

/** An environment with a workflow, Ada and the app of Slack. */
async function arrange(): Promise<{ env: Client; integration: Json }> {
  const env = await h.environment()
  await makeWorkflow(env, 'hello', { steps: [chatStep] })
  await makeSubscribers(env, ['ada'])
  const { clientId, clientSecret } = slack.app
  const integration = await makeIntegration(env, {
    providerId: 'slack',
    channel: 'chat',
    credentials: { clientId, secretKey: clientSecret, baseUrl: slack.url },
  })
  return { env, integration }
}

async function start(env: Client, more: Json = {}, path = 'channel-connections/oauth'): Promise<string> {
  const body = { integrationIdentifier: 'slack', ...more }
  const started = await env.post(`/v1/integrations/${path}`, body)
  expect(started.status, started.text).toBe(201)
  return started.body.url
}

/** The browser comes back to us. */
const comeBack = (to: URL) => h.send('GET', to.pathname + to.search, { key: null })

async function connect(env: Client, more: Json = {}, as?: { who: string }) {
  const page = await comeBack(await slack.allow(await start(env, more), as))
  expect(page.status).toBe(200)
  expect(page.text).toContain('is connected.')
}

const addChannel = (env: Client, more: Json = {}) =>
  env.post('/v1/channel-endpoints', {
    subscriberId: 'ada',
    integrationIdentifier: 'slack',
    type: 'slack_channel',
    endpoint: { channelId: general },
    ...more,
  })

async function send(env: Client, event: Json = {}) {
  const { transactionId } = await trigger(env, { to: 'ada', payload: { order: 7 }, ...event })
  await h.settled()
  return storyOf(env, transactionId)
}

beforeEach(() => {
  slack.posted.length = 0
  slack.calls.length = 0
})

describe('installed by OAuth', () => {
  test('the workspace is connected, the person who did it is reached, and nobody sees the tokens', async () => {
    const { env } = await arrange()
    await connect(env, { subscriberId: 'ada', connectionIdentifier: 'acme' })
    const { body, text } = await env.get('/v1/channel-connections')
    expect(body.data).toEqual([
      expect.objectContaining({
        identifier: 'acme',
        providerId: 'slack',
        subscriberId: 'ada',
        workspace: { id: 'T0ACME', name: 'Acme', botUserId: 'U0ACMEBOT' },
        auth: { accessToken: '••••', expiresAt: expect.any(String) },
        refused: null,
      }),
    ])
    for (const token of slack.tokens.keys()) expect(text).not.toContain(token)
    const [endpoint] = (await env.get('/v1/channel-endpoints?subscriberId=ada')).body.data
    expect(endpoint).toMatchObject({ type: 'slack_user', endpoint: { userId: 'U0ADA' }, connectionIdentifier: 'acme' })

    const { messages } = await send(env)
    expect(messages).toMatchObject([{ status: 'sent', channel: 'chat', providerId: 'slack' }])
    expect(slack.posted).toMatchObject([{ workspaceId: 'T0ACME', body: { channel: 'U0ADA', text: 'Order 7' } }])
  })

  test('each address is good once; a forged and an old one are nothing', async () => {
    const { env } = await arrange()
    const back = await slack.allow(await start(env))
    const forged = new URL(back)
    forged.searchParams.set('state', `${back.searchParams.get('state')?.slice(0, -1)}x`)
    expect((await comeBack(forged)).status).toBe(404)
    expect((await comeBack(back)).status).toBe(200)
    expect((await comeBack(back)).status).toBe(404)
    const late = await slack.allow(await start(env))
    await sql`update connect_attempt set expires_at = now() - interval '1 second'
      where environment_id = ${env.environmentId}`.execute(h.admin)
    expect((await comeBack(late)).status).toBe(404)
    expect((await env.get('/v1/channel-connections')).body.data).toHaveLength(1)
  })

  test('who declines, or comes with a code of another address, connects nothing and reads why', async () => {
    const { env } = await arrange()
    const declined = await comeBack(await slack.cancel(await start(env)))
    expect(declined.text).toMatch(/Not connected[\s\S]*not allowed/)
    const [mine, other] = [await slack.allow(await start(env)), await slack.allow(await start(env))]
    await comeBack(other)
    other.searchParams.set('state', mine.searchParams.get('state') ?? '')
    expect((await comeBack(other)).text).toContain('used already')
    expect((await env.get('/v1/channel-connections')).body.data).toHaveLength(1)
  })

  test('installed again under its name it is the same connection with new tokens', async () => {
    const { env } = await arrange()
    await connect(env, { connectionIdentifier: 'acme' })
    await addChannel(env, { connectionIdentifier: 'acme' })
    await connect(env, { connectionIdentifier: 'acme' })
    expect((await env.get('/v1/channel-connections')).body.data).toHaveLength(1)
    expect((await env.get('/v1/channel-endpoints')).body.data).toHaveLength(1)
  })

  test('a person is linked to a workspace only as a member of it', async () => {
    const { env } = await arrange()
    await connect(env, { connectionIdentifier: 'acme', connectionMode: 'shared' })
    const ask = () => start(env, { subscriberId: 'ada', connectionIdentifier: 'acme' }, 'channel-endpoints/oauth')
    const outsider = await comeBack(await slack.allow(await ask(), { who: 'T0BETA/U0EVE' }))
    expect(outsider.text).toContain('You are not in Acme')
    expect((await env.get('/v1/channel-endpoints')).body.data).toEqual([])
    expect((await comeBack(await slack.allow(await ask()))).text).toContain('You are linked')
    expect((await env.get('/v1/channel-endpoints')).body.data).toMatchObject([
      { type: 'slack_user', connectionIdentifier: 'acme', subscriberId: 'ada' },
    ])
  })

  test('for a provider without an app, or for nobody: told before anybody is sent away', async () => {
    const { env } = await arrange()
    await makeIntegration(env, { providerId: 'discord', channel: 'chat' })
    const ask = (body: Json) => env.post('/v1/integrations/channel-connections/oauth', body)
    expect((await ask({ integrationIdentifier: 'discord' })).body.code).toBe('connect_unsupported')
    expect((await ask({ integrationIdentifier: 'none' })).body.code).toBe('integration_not_found')
    expect((await ask({ integrationIdentifier: 'slack', subscriberId: 'bob' })).body.code).toBe('subscriber_not_found')
  })
})

describe('sent to endpoints', () => {
  test('one message for each; those of other contexts are not used', async () => {
    const { env } = await arrange()
    await connect(env, { subscriberId: 'ada', connectionIdentifier: 'acme' })
    await addChannel(env)
    slack.addChannel('T0ACME', { id: 'C0ORDERS', name: 'orders' })
    await addChannel(env, { endpoint: { channelId: 'C0ORDERS' }, context: { tenant: 'acme' } })
    expect((await send(env)).messages).toHaveLength(2)
    const { messages } = await send(env, { context: { tenant: 'acme', project: 'x' } })
    expect(messages).toHaveLength(3)
    expect(messages.every((it) => it.status === 'sent')).toBe(true)
    expect(slack.postedTo('C0ORDERS')).toHaveLength(1)
    expect(slack.postedTo(general)).toHaveLength(2)
  })

  test('the same place twice is refused, and a message to an endpoint that was deleted says so', async () => {
    const { env } = await arrange()
    await connect(env, { connectionIdentifier: 'acme' })
    const { body: made } = await addChannel(env)
    const again = await addChannel(env)
    expect(again).toMatchObject({ status: 409, body: { code: 'endpoint_exists' } })
    expect(again.body.message).toContain(made.identifier)
    const busy = { status: 429, headers: { 'retry-after': '1' }, json: { ok: false, error: 'ratelimited' } }
    slack.next.set('chat.postMessage', busy)
    const { transactionId } = await trigger(env, { to: 'ada', payload: {} })
    await vi.waitFor(() => expect(slack.calls).toHaveLength(2), 10_000)
    await env.delete(`/v1/channel-endpoints/${made.identifier}`)
    await h.settled()
    const { messages } = await storyOf(env, transactionId)
    expect(messages).toMatchObject([{ status: 'error', errorText: 'The channel endpoint was deleted' }])
  })

  test('a test message goes to an endpoint, by its token', async () => {
    const { env, integration } = await arrange()
    await connect(env, { connectionIdentifier: 'acme' })
    const { body: made } = await addChannel(env)
    const test = (body: Json) => env.post(`/v1/integrations/${integration._id}/test`, body)
    expect((await test({ endpointIdentifier: made.identifier })).body).toMatchObject({ outcome: 'sent' })
    expect(slack.postedTo(general)).toHaveLength(1)
    expect((await test({ endpointIdentifier: 'nobody' })).body.code).toBe('endpoint_not_found')
  })
})

describe('the token of a workspace', () => {
  /** As if half a day had passed: for Slack, and for what we know of the token. */
  async function expire(env: Client) {
    slack.advance(13 * 3_600_000)
    await sql`update channel_connection set expires_at = now() - interval '1 minute'
      where environment_id = ${env.environmentId}`.execute(h.admin)
  }
  const refreshes = () => slack.calls.filter(({ body }) => body.includes('grant_type=refresh_token'))

  test('is renewed before it is used, by one of twenty who need it', async () => {
    const { env } = await arrange()
    await connect(env, { connectionIdentifier: 'acme' })
    for (let n = 0; n < 20; n++) {
      slack.addChannel('T0ACME', { id: `C${n}X`, name: `c${n}` })
      await addChannel(env, { endpoint: { channelId: `C${n}X` } })
    }
    await expire(env)
    const { messages } = await send(env)
    expect(messages.map((it) => it.status)).toEqual(Array(20).fill('sent'))
    expect(refreshes()).toHaveLength(1)
    await expire(env)
    expect((await send(env)).messages.map((it) => it.status)).toEqual(Array(20).fill('sent'))
    expect(refreshes()).toHaveLength(2)
  })

  test('that Slack will not renew is asked about once; all who wait are told, without what cannot be stored', async () => {
    const { env } = await arrange()
    await connect(env, { connectionIdentifier: 'acme' })
    for (let n = 0; n < 20; n++) {
      slack.addChannel('T0ACME', { id: `R${n}X`, name: `r${n}` })
      await addChannel(env, { endpoint: { channelId: `R${n}X` } })
    }
    await expire(env)
    slack.next.set('oauth.v2.access', { json: { ok: false, error: 'no\u0000more' } })
    const { messages } = await send(env)
    expect(messages.map((it) => it.errorId)).toEqual(Array(20).fill('connection_refused'))
    expect(refreshes()).toHaveLength(1)
    const { refused } = (await env.get('/v1/channel-connections/acme')).body
    expect(refused).toMatch(/^200 no.?more/)
  })

  test('that a dead worker was about to renew holds up its own workspace, and does not break the integration', async () => {
    const { env } = await arrange()
    await connect(env, { connectionIdentifier: 'acme' })
    for (let n = 0; n < 20; n++) {
      slack.addChannel('T0ACME', { id: `H${n}X`, name: `h${n}` })
      await addChannel(env, { endpoint: { channelId: `H${n}X` } })
    }
    await expire(env)
    const hold = (until: string) =>
      sql`update channel_connection set renewing_until = now() + ${until}::interval
        where environment_id = ${env.environmentId}`.execute(h.admin)
    await hold('1 hour')
    const { transactionId } = await trigger(env, { to: 'ada', payload: {} })
    const waited = async () => {
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from attempt
        where environment_id = ${env.environmentId} and outcome = 'retry'`.execute(h.admin)
      return rows[0]?.count
    }
    await vi.waitFor(async () => expect(await waited()).toBeGreaterThanOrEqual(20), 30_000)
    const broken = h.ctx.health.countStates(Date.now()).filter(({ providerId }) => providerId === 'slack')
    expect(broken.filter(({ state, count }) => state === 'open' && count > 0)).toEqual([])
    await hold('0 seconds')
    await h.settled()
    const { messages } = await storyOf(env, transactionId)
    expect(messages.map((it) => it.status)).toEqual(Array(20).fill('sent'))
  })

  test('that Slack calls expired before its time is renewed, too', async () => {
    const { env } = await arrange()
    await connect(env, { connectionIdentifier: 'acme' })
    await addChannel(env)
    slack.advance(13 * 3_600_000)
    expect((await send(env)).messages).toMatchObject([{ status: 'sent' }])
    expect(refreshes()).toHaveLength(1)
  })

  test('is sealed at rest', async () => {
    const { env } = await arrange()
    await connect(env, { connectionIdentifier: 'acme' })
    const { rows } = await sql<{ auth: string }>`select auth from channel_connection
      where environment_id = ${env.environmentId}`.execute(h.admin)
    expect(rows[0]?.auth).toMatch(/^sealed\.t1\./)
  })

  test('that has expired and cannot be renewed: the workspace is out, in words, and nobody is called', async () => {
    const { env } = await arrange()
    const auth = { accessToken: 'xoxb-old', expiresAt: '2020-01-01T00:00:00Z' }
    const workspace = { id: 'T0ACME', name: 'Acme' }
    const own = { integrationIdentifier: 'slack', connectionMode: 'shared' }
    await env.post('/v1/channel-connections', { ...own, identifier: 'acme', workspace, auth })
    await addChannel(env)
    const [message] = (await send(env)).messages
    expect(message).toMatchObject({ status: 'error', errorId: 'connection_refused' })
    expect(message?.errorText).toContain('connect the workspace again')
    expect(slack.calls).toEqual([])
    expect((await env.get('/v1/channel-connections/acme')).body.refused).toContain('has expired')
  })

  test('whose renewal somebody began and did not end is renewed by the next, when the claim is over', async () => {
    const { env } = await arrange()
    await connect(env, { connectionIdentifier: 'acme' })
    await addChannel(env)
    await expire(env)
    await sql`update channel_connection set renewing_until = now() + interval '2 seconds'
      where environment_id = ${env.environmentId}`.execute(h.admin)
    expect((await send(env)).messages).toMatchObject([{ status: 'sent' }])
    expect(refreshes()).toHaveLength(1)
  })

  test('of another workspace does not take its name', async () => {
    const { env } = await arrange()
    await connect(env, { connectionIdentifier: 'acme' })
    const page = await comeBack(
      await slack.allow(await start(env, { connectionIdentifier: 'acme' }), { who: 'T0BETA/U0EVE' }),
    )
    expect(page.text).toContain('is the workspace Acme')
    expect((await env.get('/v1/channel-connections/acme')).body.workspace.id).toBe('T0ACME')
    const change = { workspace: { id: 'T0BETA' }, auth: { accessToken: 'x' } }
    expect((await env.patch('/v1/channel-connections/acme', change)).body.code).toBe('connection_exists')
  })

  test('refused: this workspace alone is out, until it is connected again; then the dead letters can go', async () => {
    const { env } = await arrange()
    await connect(env, { connectionIdentifier: 'acme' })
    await connect(env, { connectionIdentifier: 'beta' }, { who: 'T0BETA/U0EVE' })
    await addChannel(env, { connectionIdentifier: 'acme' })
    await addChannel(env, { connectionIdentifier: 'beta', endpoint: { channelId: 'C0BETAGENERAL' } })
    slack.uninstall('T0ACME')
    const { messages } = await send(env)
    const refused = messages.filter((it) => it.status === 'error')
    expect(refused).toMatchObject([{ errorId: 'connection_refused' }])
    expect(messages.filter((it) => it.status === 'sent')).toHaveLength(1)
    const { body: connection } = await env.get('/v1/channel-connections/acme')
    expect(connection.refused).toContain('account_inactive')
    expect((await env.get('/v1/channel-connections/beta')).body.refused).toBeNull()

    const before = slack.calls.length
    const next = (await send(env)).messages.find((it) => it.status === 'error')
    expect(next?.errorText).toContain('connect it again')
    expect(slack.calls.length - before).toBe(1)

    await connect(env, { connectionIdentifier: 'acme' })
    expect((await env.get('/v1/channel-connections/acme')).body.refused).toBeNull()
    slack.posted.length = 0
    await env.post('/v1/dead-letters/redrive', { messageIds: [refused[0]?._id] })
    await h.settled()
    expect(slack.postedTo(general)).toHaveLength(1)
  })

  test('is dropped when the integration speaks to another server, or is deleted', async () => {
    const { env, integration } = await arrange()
    await connect(env, { connectionIdentifier: 'acme' })
    const auths = async ({ environmentId }: Client) =>
      (
        await sql<{ auth: string | null }>`select auth from channel_connection
          where environment_id = ${environmentId}`.execute(h.admin)
      ).rows.map(({ auth }) => auth)
    const moved = await env.put(`/v1/integrations/${integration._id}`, {
      credentials: { baseUrl: `http://127.0.0.1:${slack.port}/other`, secretKey: slack.app.clientSecret },
    })
    expect(moved.status, moved.text).toBe(200)
    expect(await auths(env)).toEqual([null])
    expect((await env.get('/v1/channel-connections/acme')).body.refused).toContain('another server')

    const other = await arrange()
    await connect(other.env, { connectionIdentifier: 'acme' })
    await other.env.delete(`/v1/integrations/${other.integration._id}`)
    expect(await auths(other.env)).toEqual([null])
    expect((await other.env.get('/v1/channel-connections')).body.data).toEqual([])
  })
})

test('long contexts, two ways to write a place, and twenty workspaces of others are no trouble', async () => {
  const { env } = await arrange()
  const long = Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`type${n}`, '长'.repeat(255)]))
  await connect(env, { connectionIdentifier: 'acme' })
  expect((await addChannel(env, { context: long })).status).toBe(201)
  expect((await addChannel(env, { context: long })).body.code).toBe('endpoint_exists')
  for (let n = 0; n < 21; n++) {
    const own = { integrationIdentifier: 'slack', subscriberId: `other${n}`, workspace: { id: `T${n}` } }
    await env.post('/v2/subscribers', { subscriberId: `other${n}` })
    await env.post('/v1/channel-connections', { ...own, auth: { accessToken: 'x' } })
  }
  expect((await addChannel(env)).body.connectionIdentifier).toBe('acme')
})

test('who links again, without a word about the workspace, keeps it', async () => {
  const { env } = await arrange()
  await connect(env, { subscriberId: 'ada', connectionIdentifier: 'acme' })
  const again = await slack.allow(await start(env, { subscriberId: 'ada' }, 'channel-endpoints/oauth'))
  expect((await comeBack(again)).text).toContain('You are linked')
  const { data } = (await env.get('/v1/channel-endpoints')).body
  expect(data).toMatchObject([{ type: 'slack_user', connectionIdentifier: 'acme' }])
})

test('a deleted connection takes its endpoints along; a deleted person leaves the workspace to the others', async () => {
  const { env } = await arrange()
  await makeSubscribers(env, ['bob'])
  await connect(env, { subscriberId: 'ada', connectionIdentifier: 'acme', autoLinkUser: false })
  await addChannel(env, { subscriberId: 'bob', connectionIdentifier: 'acme' })
  await env.delete('/v2/subscribers/ada')
  expect((await env.get('/v1/channel-connections/acme')).body.subscriberId).toBeNull()
  expect((await send(env, { to: 'bob' })).messages).toMatchObject([{ status: 'sent' }])
  expect((await env.delete('/v1/channel-connections/acme')).status).toBe(204)
  expect((await env.get('/v1/channel-endpoints')).body.data).toEqual([])
})
