import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { allowing, makeIntegration, storyOf } from '../../../test/outside.ts'
import { makeSubscribers, makeWorkflow, trigger } from '../../../test/pipeline.ts'
import { startTeams, teamsApp } from '../../../test/vendors/msteams.ts'
import { startSlack } from '../../../test/vendors/slack.ts'

const publicUrl = 'https://tidings.example.com'
const callback = `${publicUrl}/v1/integrations/chat/oauth/callback`
const slack = await startSlack({ rotation: true, app: { redirectUris: [callback] } })
slack.addWorkspace({ id: 'T0BETA', name: 'Beta', people: [{ id: 'U0EVE', name: 'Eve' }] })
const teams = await startTeams({ redirectUris: [callback] })
teams.advance(Date.now() - teams.now().getTime())
afterAll(async () => {
  await slack.close()
  await teams.close()
})
const h = useHarness({ ...allowing(slack.port, teams.port), PUBLIC_URL: publicUrl }, { worker: true })
const general = 'C0ACMEGENERAL'
const chatStep = { name: 'Chat', type: 'chat', controlValues: { body: 'Order {{payload.order}}' } }
const app = () => ({ clientId: slack.app.clientId, secretKey: slack.app.clientSecret, baseUrl: slack.url })

async function arrange(): Promise<{ env: Client; integration: Json }> {
  const env = await h.environment()
  await makeWorkflow(env, 'hello', { steps: [chatStep] })
  await makeSubscribers(env, ['ada'])
  const integration = await makeIntegration(env, { providerId: 'slack', channel: 'chat', credentials: app() })
  return { env, integration }
}
async function start(env: Client, more: Json = {}, path = 'channel-connections/oauth'): Promise<string> {
  const started = await env.post(`/v1/integrations/${path}`, { integrationIdentifier: 'slack', ...more })
  expect(started.status, started.text).toBe(201)
  return started.body.url
}
const comeBack = (to: URL) => h.send('GET', to.pathname + to.search, { key: null })
async function connect(env: Client, more: Json = {}) {
  const page = await comeBack(await slack.allow(await start(env, more)))
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
const busy = { status: 429, headers: { 'retry-after': '2' }, json: { ok: false, error: 'ratelimited' } }
const posts = () => slack.calls.filter(({ method }) => method === 'chat.postMessage')

describe('whom an attempt is for', () => {
  test('somebody else who has the name of a deleted person is not linked by his link', async () => {
    const { env } = await arrange()
    await connect(env, { connectionIdentifier: 'acme', connectionMode: 'shared' })
    const back = await slack.allow(
      await start(env, { subscriberId: 'ada', connectionIdentifier: 'acme' }, 'channel-endpoints/oauth'),
    )
    await env.delete('/v2/subscribers/ada')
    await makeSubscribers(env, ['ada'])
    await comeBack(back)
    expect((await env.get('/v1/channel-endpoints')).body.data).toEqual([])
  })

  test('nothing of a deleted person stays in what he was sent away with', async () => {
    const { env } = await arrange()
    await makeSubscribers(env, ['very-private-id'])
    await start(env, { subscriberId: 'very-private-id' })
    await env.delete('/v2/subscribers/very-private-id')
    await h.drain()
    const { rows } = await sql`select * from connect_attempt where environment_id = ${env.environmentId}`.execute(
      h.admin,
    )
    expect(JSON.stringify(rows)).not.toContain('very-private-id')
  })

  test('a connection of another integration that took the name meanwhile is not used', async () => {
    const { env } = await arrange()
    await makeIntegration(env, { providerId: 'slack', channel: 'chat', identifier: 'other', credentials: app() })
    await connect(env, { connectionIdentifier: 'acme', connectionMode: 'shared' })
    const url = await start(env, { subscriberId: 'ada', connectionIdentifier: 'acme' }, 'channel-endpoints/oauth')
    const back = await slack.allow(url)
    await env.delete('/v1/channel-connections/acme')
    const made = await env.post('/v1/channel-connections', {
      identifier: 'acme',
      integrationIdentifier: 'other',
      workspace: { id: 'T0ACME' },
      auth: { accessToken: 'xoxb-of-the-other' },
    })
    expect(made.status, made.text).toBe(201)
    await comeBack(back)
    expect((await env.get('/v1/channel-endpoints')).body.data).toEqual([])
  })

  test('Teams: who is of another tenant is not linked to the tenant of the bot', async () => {
    const env = await h.environment()
    await makeSubscribers(env, ['ada'])
    const { clientId, secretKey, tenant: domain } = teamsApp
    const credentials = { clientId, secretKey, domain, host: teams.authority, baseUrl: teams.serviceUrl }
    await makeIntegration(env, { providerId: 'msteams', channel: 'chat', identifier: 'teams', credentials })
    const { body } = await env.post('/v1/integrations/channel-endpoints/oauth', {
      integrationIdentifier: 'teams',
      subscriberId: 'ada',
    })
    teams.visitedBy('33333333-cccc-4000-8000-00000000000e', '44444444-dddd-4000-8000-000000000009')
    const answer = await fetch(`${body.url}&button=Accept`, { redirect: 'manual' })
    const { pathname, search } = new URL(answer.headers.get('location') ?? '')
    const page = await h.send('GET', pathname + search, { key: null })
    expect((await env.get('/v1/channel-endpoints')).body.data, page.text).toEqual([])
  })

  test('connected again with a webhook, a channel is told once', async () => {
    const { env } = await arrange()
    const more = {
      subscriberId: 'ada',
      connectionIdentifier: 'acme',
      scope: ['chat:write', 'incoming-webhook'],
      autoLinkUser: false,
    }
    await connect(env, more)
    await connect(env, more)
    await send(env)
    expect(slack.postedTo(general)).toHaveLength(1)
  })

  test('an endpoint and the credentials that name one webhook are told once', async () => {
    const { env, integration } = await arrange()
    await connect(env, {
      subscriberId: 'ada',
      connectionIdentifier: 'acme',
      scope: ['chat:write', 'incoming-webhook'],
      autoLinkUser: false,
    })
    const [endpoint] = (await env.get('/v1/channel-endpoints')).body.data
    await env.patch('/v1/subscribers/ada/credentials', {
      providerId: 'slack',
      integrationIdentifier: integration.identifier,
      credentials: { webhookUrl: endpoint.endpoint.url },
    })
    await send(env)
    expect(slack.postedTo(general)).toHaveLength(1)
  })
})

describe('odd answers of the vendor are no 5xx', () => {
  const good = { ok: true, access_token: 'xoxb-1', team: { id: 'T1', name: 'Acme' } }
  test.each([
    ['a NUL in the name', { ...good, team: { id: 'T1', name: 'A\0B' } }],
    ['a NUL in the id', { ...good, team: { id: 'T\0', name: 'A' } }],
    ['half a character', { ...good, team: { id: 'T1', name: 'A\ud800B' } }],
    ['a name of a megabyte', { ...good, team: { id: 'T1', name: 'x'.repeat(1_000_000) } }],
    ['a time without end', { ...good, expires_in: 1e300 }],
    ['a long time', { ...good, expires_in: 1e14 }],
    ['a time of text', { ...good, expires_in: '43200' }],
    ['an odd person', { ...good, authed_user: { id: 'U\0\ud800' } }],
    ['a list', []],
    ['markup', { ...good, team: { id: 'T1', name: '<img src=x onerror=alert(1)>' } }],
  ])('%s', async (_name, json) => {
    const { env } = await arrange()
    slack.next.set('oauth.v2.access', { json })
    const page = await comeBack(await slack.allow(await start(env, { subscriberId: 'ada' })))
    expect(page.status, page.text.slice(0, 300)).toBeLessThan(500)
    expect(page.text).not.toContain('<img')
    expect((await env.get('/v1/channel-connections')).status).toBe(200)
    expect((await env.get('/v1/channel-endpoints')).status).toBe(200)
    expect((await send(env)).jobs.every((it) => it.status !== 'pending')).toBe(true)
  })

  test('an odd answer to a renewal loses no token and stalls nothing', async () => {
    const { env } = await arrange()
    await connect(env, { connectionIdentifier: 'acme' })
    await addChannel(env)
    await sql`update channel_connection set expires_at = now() - interval '1 minute' where environment_id = ${env.environmentId}`.execute(
      h.admin,
    )
    const next = {
      ok: true,
      access_token: [...slack.tokens.keys()].at(-1),
      refresh_token: 'xoxe-new',
      expires_in: 1e300,
    }
    slack.next.set('oauth.v2.access', { json: next })
    const { messages } = await send(env)
    expect(messages).toMatchObject([{ status: 'sent' }])
  })
})

describe('every message ends in one visible state with a reason', () => {
  test('its integration is deleted while it waits', async () => {
    const { env, integration } = await arrange()
    await connect(env, { connectionIdentifier: 'acme' })
    await addChannel(env)
    slack.next.set('chat.postMessage', busy)
    const { transactionId } = await trigger(env, { to: 'ada', payload: {} })
    await vi.waitFor(() => expect(posts()).toHaveLength(1), 10_000)
    await env.delete(`/v1/integrations/${integration._id}`)
    await h.settled()
    const { messages, jobs } = await storyOf(env, transactionId)
    expect(slack.posted).toEqual([])
    expect(messages).toMatchObject([{ status: 'error', errorText: expect.any(String) }])
    expect(jobs.map((it) => it.status)).toEqual(['failed'])
  })

  test('its connection is deleted while it waits; then redriven', async () => {
    const { env } = await arrange()
    await connect(env, { connectionIdentifier: 'acme' })
    await addChannel(env)
    slack.next.set('chat.postMessage', busy)
    const { transactionId } = await trigger(env, { to: 'ada', payload: {} })
    await vi.waitFor(() => expect(posts()).toHaveLength(1), 10_000)
    await env.delete('/v1/channel-connections/acme')
    await h.settled()
    const { messages } = await storyOf(env, transactionId)
    expect(messages).toMatchObject([{ status: 'error', errorText: expect.stringMatching(/./) }])
    const redriven = await env.post('/v1/dead-letters/redrive', { messageIds: [messages[0]._id] })
    expect(redriven.status).toBeLessThan(500)
    await h.settled()
    expect((await storyOf(env, transactionId)).messages).toMatchObject([
      { status: 'error', errorText: expect.stringMatching(/./) },
    ])
  })

  test('one place works and one does not: the step says both', async () => {
    const { env } = await arrange()
    await connect(env, { connectionIdentifier: 'acme' })
    await addChannel(env)
    await addChannel(env, { endpoint: { channelId: 'C0NOBODY' } })
    const { messages, jobs } = await send(env)
    expect(messages.map((it) => it.status).sort()).toEqual(['error', 'sent'])
    expect(jobs).toHaveLength(1)
    expect(['completed', 'failed']).toContain(jobs[0].status)
    expect(JSON.stringify(jobs[0].executionDetails)).toContain('channel_not_found')
  })

  test('an endpoint moves while a message to it waits: it goes once, to the new place', async () => {
    const { env } = await arrange()
    await connect(env, { connectionIdentifier: 'acme' })
    slack.addChannel('T0ACME', { id: 'C0NEXT', name: 'next' })
    const { body } = await addChannel(env)
    slack.next.set('chat.postMessage', busy)
    await trigger(env, { to: 'ada', payload: {} })
    await vi.waitFor(() => expect(posts()).toHaveLength(1), 10_000)
    await env.patch(`/v1/channel-endpoints/${body.identifier}`, { endpoint: { channelId: 'C0NEXT' } })
    await h.settled()
    expect(slack.posted.map(({ channel }) => channel)).toEqual(['C0NEXT'])
  })

  test('canceled while it waits', async () => {
    const { env } = await arrange()
    await connect(env, { connectionIdentifier: 'acme' })
    await addChannel(env)
    slack.next.set('chat.postMessage', busy)
    const { transactionId } = await trigger(env, { to: 'ada', payload: {} })
    await vi.waitFor(() => expect(posts()).toHaveLength(1), 10_000)
    await env.delete(`/v1/events/trigger/${transactionId}`)
    await h.settled()
    expect(slack.posted).toEqual([])
    const { messages } = await storyOf(env, transactionId)
    expect(messages[0].errorText).toMatch(/./)
  })
})

describe('lists', () => {
  test('contexts in any order, and odd ones', async () => {
    const { env } = await arrange()
    for (const context of [{ z: 'a', a: 'z' }, { é: '1', z: '1', Z: '1' }, { tenant: { id: 'x', data: { a: 1 } } }]) {
      const made = await addChannel(env, { context, endpoint: { channelId: `C${JSON.stringify(context).length}` } })
      if (made.status !== 201) continue
      const query = made.body.contextKeys
        .toReversed()
        .map((it: string) => `contextKeys=${encodeURIComponent(it)}`)
        .join('&')
      const { body } = await env.get(`/v1/channel-endpoints?${query}`)
      expect(
        body.data.map((it: Json) => it.identifier),
        query,
      ).toEqual([made.body.identifier])
    }
    expect((await env.get('/v1/channel-endpoints?subscriberId=nobody')).body).toMatchObject({ data: [] })
  })

  test('page by page, each once', async () => {
    const { env } = await arrange()
    for (let n = 0; n < 7; n++) await addChannel(env, { endpoint: { channelId: `C${n}` } })
    const seen: string[] = []
    for (let after = ''; ; ) {
      const { body, status } = await env.get(`/v1/channel-endpoints?limit=3${after && `&after=${after}`}`)
      expect(status).toBe(200)
      seen.push(...body.data.map((it: Json) => it.identifier))
      if (!body.next) break
      after = body.next
    }
    expect(new Set(seen).size).toBe(7)
    expect(seen).toHaveLength(7)
  })
})

test('a test message shows no secret, whatever the vendor says', async () => {
  const { env, integration } = await arrange()
  await connect(env, { connectionIdentifier: 'acme' })
  const { body: made } = await addChannel(env)
  await sql`update channel_connection set expires_at = now() - interval '1 minute' where environment_id = ${env.environmentId}`.execute(
    h.admin,
  )
  slack.next.set('oauth.v2.access', { json: { ok: false, error: `bad ${slack.app.clientSecret}` } })
  const told = await env.post(`/v1/integrations/${integration._id}/test`, { endpointIdentifier: made.identifier })
  expect(told.text).not.toContain(slack.app.clientSecret)
})

test('what a page of an error shows holds neither state nor code', async () => {
  const { env } = await arrange()
  const back = await slack.allow(await start(env))
  const state = back.searchParams.get('state') ?? ''
  await comeBack(back)
  const again = await comeBack(back)
  expect(again.status).toBe(404)
  expect(again.text).not.toContain(state)
})

test('two nodes renew once', async () => {
  await h.node()
  const { env } = await arrange()
  await connect(env, { connectionIdentifier: 'acme' })
  for (let n = 0; n < 20; n++) {
    slack.addChannel('T0ACME', { id: `C${n}X`, name: `c${n}` })
    await addChannel(env, { endpoint: { channelId: `C${n}X` } })
  }
  for (let round = 1; round <= 3; round++) {
    slack.advance(13 * 3_600_000)
    await sql`update channel_connection set expires_at = now() - interval '1 minute' where environment_id = ${env.environmentId}`.execute(
      h.admin,
    )
    expect((await send(env)).messages.map((it) => it.status)).toEqual(Array(20).fill('sent'))
    expect(slack.calls.filter(({ body }) => body.includes('grant_type=refresh_token'))).toHaveLength(round)
  }
}, 120_000)

test('everything at once is never a 5xx', async () => {
  const { env } = await arrange()
  await makeIntegration(env, { providerId: 'slack', channel: 'chat', identifier: 'other', credentials: app() })
  const bad: string[] = []
  let seed = 7
  const random = (most: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * most)
  }
  const who = () => `p${random(3)}`
  const which = () => `c${random(3)}`
  const where = () => ({ channelId: `C${random(3)}` })
  const at = () => (random(4) === 0 ? 'other' : 'slack')
  const auth = { accessToken: 'xoxb-1' }
  const ops: (() => Promise<Json>)[] = [
    () => env.post('/v2/subscribers', { subscriberId: who() }),
    () => env.delete(`/v2/subscribers/${who()}`),
    () =>
      env.post('/v1/channel-connections', {
        identifier: which(),
        subscriberId: who(),
        integrationIdentifier: at(),
        workspace: { id: 'T0ACME' },
        auth,
      }),
    () => env.delete(`/v1/channel-connections/${which()}`),
    () => env.patch(`/v1/channel-connections/${which()}`, { workspace: { id: 'T0ACME' }, auth }),
    () =>
      env.post('/v1/channel-endpoints', {
        identifier: `e${random(4)}`,
        subscriberId: who(),
        createSubscriberIfMissing: true,
        integrationIdentifier: at(),
        connectionIdentifier: which(),
        type: 'slack_channel',
        endpoint: where(),
      }),
    () =>
      env.post('/v1/channel-endpoints', {
        subscriberId: who(),
        createSubscriberIfMissing: true,
        integrationIdentifier: at(),
        type: 'slack_channel',
        endpoint: where(),
      }),
    () => env.patch(`/v1/channel-endpoints/e${random(4)}`, { endpoint: where() }),
    () => env.delete(`/v1/channel-endpoints/e${random(4)}`),
    async () => {
      const body = { integrationIdentifier: 'slack', subscriberId: who(), connectionIdentifier: which() }
      const path = random(2) === 0 ? 'channel-connections' : 'channel-endpoints'
      const started = await env.post(`/v1/integrations/${path}/oauth`, body)
      return started.status === 201 ? comeBack(await slack.allow(started.body.url)) : started
    },
    () => env.get('/v1/channel-endpoints'),
    () =>
      trigger(env, { to: who(), payload: { order: 1 } }).then(
        () => ({ status: 200 }),
        () => ({ status: 200 }),
      ),
  ]
  let left = 1_200
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (left-- > 0) {
        const n = random(ops.length)
        const got = await ops[n]?.()
        if (got.status >= 500) bad.push(`${n}: ${got.status} ${got.text}`)
      }
    }),
  )
  expect(bad).toEqual([])
}, 120_000)
