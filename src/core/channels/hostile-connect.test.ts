import { createServer, request as httpRequest } from 'node:http'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { allowing, makeIntegration, storyOf } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { makeSubscribers, makeWorkflow, trigger } from '../../../test/pipeline.ts'
import { startSlack } from '../../../test/vendors/slack.ts'
import { envOf } from '../../store/database.ts'
import { listIntegrations } from '../../store/integrations.ts'
import { toCandidates } from '../integrations/candidates.ts'
import { createTokenCache } from '../integrations/token-cache.ts'
import { freshConnection } from './connection-token.ts'
import { loadReached } from './reached.ts'

const publicUrl = 'https://tidings.example.com'
const callback = `${publicUrl}/v1/integrations/chat/oauth/callback`
const slack = await startSlack({ rotation: true, app: { redirectUris: [callback] } })
slack.addWorkspace({ id: 'T0BETA', name: 'Beta', people: [{ id: 'U0EVE', name: 'Eve' }] })
const elsewhere = await startHttpReceiver()
elsewhere.answer = () => ({ json: { ok: true, ts: '1', channel: 'C' } })

/** Passes calls on to Slack; those whose path or body holds `holds` wait until `open` is called. */
const door = await (async () => {
  const state = { holds: '', waiting: 0, release: [] as (() => void)[], port: 0, url: '' }
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk) => chunks.push(chunk))
    incoming.on('end', async () => {
      const body = Buffer.concat(chunks)
      const { host: _host, connection: _connection, ...headers } = incoming.headers
      const passed = httpRequest(
        { port: slack.port, host: '127.0.0.1', path: incoming.url, method: incoming.method, headers },
        async (answer) => {
          const parts: Buffer[] = []
          for await (const part of answer) parts.push(part)
          if (state.holds !== '' && (incoming.url + body.toString()).includes(state.holds)) {
            state.waiting++
            await new Promise<void>((resolve) => state.release.push(resolve))
          }
          outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
          outgoing.end(Buffer.concat(parts))
        },
      )
      passed.end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  state.port = typeof address === 'object' && address ? address.port : 0
  state.url = `http://127.0.0.1:${state.port}`
  return {
    ...state,
    get waiting() {
      return state.waiting
    },
    hold(what: string) {
      Object.assign(state, { holds: what, waiting: 0 })
    },
    open() {
      state.holds = ''
      for (const release of state.release.splice(0)) release()
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
})()
afterAll(async () => {
  door.close()
  await slack.close()
  await elsewhere.close()
})

const h = useHarness({ ...allowing(slack.port, door.port, elsewhere.port), PUBLIC_URL: publicUrl }, { worker: true })

const general = 'C0ACMEGENERAL'
const chatStep = { name: 'Chat', type: 'chat', controlValues: { body: 'Order {{payload.order}}' } }

async function arrange(more: Json = {}): Promise<{ env: Client; integration: Json }> {
  const env = await h.environment()
  await makeWorkflow(env, 'hello', { steps: [chatStep] })
  await makeSubscribers(env, ['ada'])
  const { clientId, clientSecret } = slack.app
  const integration = await makeIntegration(env, {
    providerId: 'slack',
    channel: 'chat',
    credentials: { clientId, secretKey: clientSecret, baseUrl: slack.url, ...more },
  })
  return { env, integration }
}

async function start(env: Client, more: Json = {}, path = 'channel-connections/oauth'): Promise<string> {
  const body = { integrationIdentifier: 'slack', ...more }
  const started = await env.post(`/v1/integrations/${path}`, body)
  expect(started.status, started.text).toBe(201)
  return started.body.url
}
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
async function expire(env: Client) {
  slack.advance(13 * 3_600_000)
  await sql`update channel_connection set expires_at = now() - interval '1 minute'
    where environment_id = ${env.environmentId}`.execute(h.admin)
}
const authsOf = async ({ environmentId }: Client) =>
  (
    await sql<{ auth: string | null }>`select auth from channel_connection
      where environment_id = ${environmentId}`.execute(h.admin)
  ).rows.map(({ auth }) => auth)

beforeEach(() => {
  slack.posted.length = 0
  slack.calls.length = 0
  elsewhere.requests.length = 0
})

describe('races around what somebody agreed to', () => {
  test('a token that the old server gave is not sent to the new one', async () => {
    const { env, integration } = await arrange({ baseUrl: door.url })
    const back = await slack.allow(await start(env, { connectionIdentifier: 'acme' }))
    door.hold('oauth.v2.access')
    const coming = comeBack(back)
    await vi.waitFor(() => expect(door.waiting).toBe(1))
    const moved = await env.put(`/v1/integrations/${integration._id}`, {
      credentials: { baseUrl: elsewhere.url, secretKey: slack.app.clientSecret },
    })
    expect(moved.status, moved.text).toBe(200)
    door.open()
    await coming
    await addChannel(env, { connectionIdentifier: 'acme' })
    await send(env)
    const seen = elsewhere.requests.map(({ headers }) => headers.authorization)
    expect(seen).toEqual([])
  })

  test('an integration that was deleted meanwhile keeps no token', async () => {
    const { env, integration } = await arrange({ baseUrl: door.url })
    const back = await slack.allow(await start(env, { connectionIdentifier: 'acme' }))
    door.hold('oauth.v2.access')
    const coming = comeBack(back)
    await vi.waitFor(() => expect(door.waiting).toBe(1))
    expect((await env.delete(`/v1/integrations/${integration._id}`)).status).toBe(200)
    door.open()
    const page = await coming
    expect(page.status).toBeLessThan(500)
    expect((await authsOf(env)).filter((it) => it !== null)).toEqual([])
    expect(page.text).not.toContain('is connected')
  })

  test('a token cannot be stored: it is not used (the connection was deleted)', async () => {
    const { env } = await arrange({ baseUrl: door.url })
    await connect(env, { connectionIdentifier: 'acme' })
    await addChannel(env, { connectionIdentifier: 'acme' })
    await expire(env)
    door.hold('grant_type=refresh_token')
    const { transactionId } = await trigger(env, { to: 'ada', payload: { order: 7 } })
    await vi.waitFor(() => expect(door.waiting).toBe(1), 10_000)
    expect((await env.delete('/v1/channel-connections/acme')).status).toBe(204)
    door.open()
    await h.settled()
    expect(slack.posted).toEqual([])
    expect((await storyOf(env, transactionId)).messages).toMatchObject([{ status: 'error' }])
  })

  test('a token cannot be stored: it is not used (connected again, to another workspace)', async () => {
    const { env } = await arrange({ baseUrl: door.url })
    await connect(env, { connectionIdentifier: 'acme' })
    await addChannel(env, { connectionIdentifier: 'acme' })
    await expire(env)
    door.hold('grant_type=refresh_token')
    await trigger(env, { to: 'ada', payload: { order: 7 } })
    await vi.waitFor(() => expect(door.waiting).toBe(1), 10_000)
    const auth = { accessToken: 'xoxb-given-by-the-tenant' }
    await env.patch('/v1/channel-connections/acme', { workspace: { id: 'T0ACME' }, auth })
    door.open()
    await h.settled()
    const stored = new Set(['xoxb-given-by-the-tenant'])
    expect(slack.posted.filter((it: Json) => !stored.has(it.by))).toEqual([])
  })

  test('two who come back at the same moment: one is believed', async () => {
    const { env } = await arrange()
    const back = await slack.allow(await start(env))
    const pages = await Promise.all([1, 2, 3, 4].map(() => comeBack(back)))
    expect(pages.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404])
  })

  test('two who connect the same name at the same moment are both told the truth', async () => {
    const { env } = await arrange()
    const backs = [
      await slack.allow(await start(env, { connectionIdentifier: 'acme' })),
      await slack.allow(await start(env, { connectionIdentifier: 'acme' })),
    ]
    const pages = await Promise.all(backs.map(comeBack))
    expect(pages.map(({ status }) => status)).toEqual([200, 200])
    expect((await env.get('/v1/channel-connections')).body.data).toHaveLength(1)
    for (const page of pages) expect(page.text).toContain('is connected.')
  })

  test('connected again with another workspace: endpoints of the first are not told to the second', async () => {
    const { env } = await arrange()
    await makeSubscribers(env, ['bob'])
    await connect(env, { subscriberId: 'ada', connectionIdentifier: 'acme' })
    // Bob has no part in Ada's connection, and comes with the workspace of his own.
    const page = await comeBack(
      await slack.allow(await start(env, { subscriberId: 'bob', connectionIdentifier: 'acme' }), {
        who: 'T0BETA/U0EVE',
      }),
    )
    const { body } = await env.get('/v1/channel-connections/acme')
    expect(body.workspace.id, page.text).toBe('T0ACME')
  })

  test('the clocks of two nodes differ by a minute: one of them renews', async () => {
    const { env } = await arrange({ baseUrl: door.url })
    await connect(env, { connectionIdentifier: 'acme' })
    await addChannel(env, { connectionIdentifier: 'acme' })
    await expire(env)
    const own = envOf(env.environmentId)
    // As another process: what it knows of tokens is its own.
    const late = { ...h.ctx, tokens: createTokenCache(() => new Date()), clock: () => new Date(Date.now() + 60_000) }
    const { candidate, connection } = await h.ctx.database.read(own, async (db) => {
      const candidate = toCandidates(h.ctx, await listIntegrations(db, own)).get('chat')?.[0]
      const { rows } = await sql<{
        id: string
      }>`select id from subscriber where environment_id = ${env.environmentId}`.execute(db)
      const reached = await loadReached(
        h.ctx,
        db,
        own,
        rows.map(({ id }) => id),
        { toSend: true },
      )
      return { candidate, connection: [...reached.values()].flatMap((it) => [...it.values()].flat())[0]?.connection }
    })
    if (!candidate || !connection) throw new Error('not arranged')
    door.hold('grant_type=refresh_token')
    const first = freshConnection(h.ctx, own, candidate, connection, Date.now() + 15_000)
    await vi.waitFor(() => expect(door.waiting).toBe(1), 10_000)
    const second = freshConnection(late, own, candidate, connection, Date.now() + 15_000)
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    const renewals = slack.calls.filter(({ body }) => body.includes('grant_type=refresh_token'))
    door.open()
    const both = await Promise.all([first, second])
    expect(renewals, JSON.stringify(both)).toHaveLength(1)
  })
})

describe('secrets', () => {
  test('what a vendor says while a token is renewed shows no secret in history nor at the connection', async () => {
    const { env } = await arrange()
    await connect(env, { connectionIdentifier: 'acme' })
    await addChannel(env, { connectionIdentifier: 'acme' })
    await expire(env)
    const secret = slack.app.clientSecret
    slack.next.set('oauth.v2.access', { json: { ok: false, error: `invalid_refresh_token for ${secret}` } })
    const { messages } = await send(env)
    expect(JSON.stringify(messages)).not.toContain(secret)
    expect((await env.get('/v1/channel-connections/acme')).text).not.toContain(secret)
  })

  test('what a vendor says of a code shows no secret to the visitor', async () => {
    const { env } = await arrange()
    const secret = slack.app.clientSecret
    slack.next.set('oauth.v2.access', { status: 500, body: `refused Basic ${secret}` })
    const page = await comeBack(await slack.allow(await start(env)))
    expect(page.text).not.toContain(secret)
  })

  test('422 shows no token, no webhook', async () => {
    const { env } = await arrange()
    const bad = await env.post('/v1/channel-connections', {
      integrationIdentifier: 'slack',
      workspace: { id: 'T' },
      auth: { accessToken: 'xoxb-\u0001secret-token', refreshToken: 7, more: 'xoxe-other-secret' },
    })
    expect(bad.status).toBe(422)
    expect(bad.text).not.toMatch(/secret-token|other-secret/)
    const hook = await env.post('/v1/channel-endpoints', {
      subscriberId: 'ada',
      integrationIdentifier: 'slack',
      type: 'webhook',
      endpoint: { url: 'http://10.0.0.1/services/very-secret', channel: '' },
    })
    expect(hook.status).toBe(422)
    expect(hook.text).not.toContain('very-secret')
    const odd = await env.post('/v1/channel-endpoints', {
      subscriberId: 'ada',
      integrationIdentifier: 'slack',
      type: 'webhook',
      endpoint: { url: 'https://user:very-secret@[/services' },
    })
    expect(odd.status).toBe(422)
    expect(odd.text).not.toContain('very-secret')
  })
})

describe('people and workspaces', () => {
  test('linked without a name, the only connection that fits is taken', async () => {
    const { env } = await arrange()
    await connect(env, { connectionIdentifier: 'acme', connectionMode: 'shared' })
    const page = await comeBack(await slack.allow(await start(env, { subscriberId: 'ada' }, 'channel-endpoints/oauth')))
    expect(page.text).toContain('You are linked to Acme')
    const { messages } = await send(env)
    expect(messages).toMatchObject([{ status: 'sent' }])
  })

  test('who is reached stays reached when linked a second time without a name', async () => {
    const { env } = await arrange()
    await connect(env, { subscriberId: 'ada', connectionIdentifier: 'acme' })
    expect((await send(env)).messages).toMatchObject([{ status: 'sent' }])
    await comeBack(await slack.allow(await start(env, { subscriberId: 'ada' }, 'channel-endpoints/oauth')))
    expect((await env.get('/v1/channel-endpoints')).body.data).toMatchObject([{ connectionIdentifier: 'acme' }])
    expect((await send(env)).messages).toMatchObject([{ status: 'sent' }])
  })

  test('who is of another workspace is not linked to the one of the bot token', async () => {
    const { env } = await arrange({ apiToken: slack.issueToken('T0ACME', ['chat:write']).access_token })
    const url = await start(env, { subscriberId: 'ada' }, 'channel-endpoints/oauth')
    const page = await comeBack(await slack.allow(url, { who: 'T0BETA/U0EVE' }))
    expect((await env.get('/v1/channel-endpoints')).body.data, page.text).toEqual([])
  })

  test('the only connection that fits is taken, however many others have theirs', async () => {
    const { env } = await arrange()
    const others = Array.from({ length: 20 }, (_, n) => `o${n}`)
    await makeSubscribers(env, others)
    const add = (subscriberId: string) =>
      env.post('/v1/channel-connections', {
        identifier: `of-${subscriberId}`,
        subscriberId,
        integrationIdentifier: 'slack',
        workspace: { id: `T${subscriberId}` },
        auth: { accessToken: 'xoxb-1' },
      })
    for (const id of [...others, 'ada']) expect((await add(id)).status).toBe(201)
    expect((await addChannel(env)).body).toMatchObject({ connectionIdentifier: 'of-ada' })
  })
})

describe('no place twice', () => {
  test('with and without a context it is told once', async () => {
    const { env } = await arrange()
    await connect(env, { connectionIdentifier: 'acme' })
    await addChannel(env)
    await addChannel(env, { context: { tenant: 'acme' } })
    await send(env, { context: { tenant: 'acme' } })
    expect(slack.postedTo(general)).toHaveLength(1)
  })

  test.each([
    ['google-chat', 'google_chat_space', { spaceId: 'AAAA' }, { spaceId: 'spaces/AAAA' }],
    [
      'msteams',
      'ms_teams_user',
      { userId: '0f8fad5b-d9cb-469f-a165-70867728950e' },
      { userId: '0F8FAD5B-D9CB-469F-A165-70867728950E' },
    ],
    ['telegram', 'telegram_chat', { chatId: '7' }, { chatId: '007' }],
    ['telegram', 'telegram_chat', { chatId: '@News' }, { chatId: '@news' }],
    ['slack', 'webhook', { url: 'https://hooks.slack.com/a' }, { url: 'HTTPS://HOOKS.slack.com/a' }],
    ['slack', 'slack_channel', { channelId: 'C1' }, { channelId: 'C1 ' }],
    ['whatsapp-business', 'phone', { phoneNumber: '+49 170 1' }, { phoneNumber: '+491701' }],
  ])('%s: %s', async (providerId, type, first, second) => {
    const env = await h.environment()
    await makeSubscribers(env, ['ada'])
    const made = await env.post('/v1/integrations', { providerId, channel: 'chat', identifier: 'it', active: false })
    expect(made.status, made.text).toBe(201)
    const add = (endpoint: Json) =>
      env.post('/v1/channel-endpoints', { subscriberId: 'ada', integrationIdentifier: 'it', type, endpoint })
    const one = await add(first)
    expect(one.status, one.text).toBe(201)
    expect([409, 422]).toContain((await add(second)).status)
  })
})

describe('input is never a 5xx', () => {
  /** Runs `call` while the statement is done and not yet committed; then it is. */
  async function during(statement: ReturnType<typeof sql>, call: () => Promise<Json>): Promise<Json> {
    let answer: Promise<Json> | undefined
    await h.admin.transaction().execute(async (trx) => {
      await statement.execute(trx)
      answer = call()
      await new Promise((resolve) => setTimeout(resolve, 700))
    })
    return answer
  }

  test('a connection is deleted while its endpoint is made', async () => {
    const { env } = await arrange()
    await connect(env, { connectionIdentifier: 'acme' })
    const gone = sql`delete from channel_connection where environment_id = ${env.environmentId}`
    const made = await during(gone, () => addChannel(env, { connectionIdentifier: 'acme' }))
    expect(made.status, made.text).toBeLessThan(500)
  })

  test('a subscriber is deleted while his connection is made', async () => {
    const { env } = await arrange()
    const gone = sql`delete from subscriber where environment_id = ${env.environmentId}`
    const made = await during(gone, () =>
      env.post('/v1/channel-connections', {
        subscriberId: 'ada',
        integrationIdentifier: 'slack',
        workspace: { id: 'T' },
        auth: { accessToken: 'x' },
      }),
    )
    expect(made.status, made.text).toBeLessThan(500)
  })

  test('a connection is deleted while somebody is linked to it', async () => {
    const { env } = await arrange()
    await connect(env, { connectionIdentifier: 'acme', connectionMode: 'shared' })
    const url = await start(env, { subscriberId: 'ada', connectionIdentifier: 'acme' }, 'channel-endpoints/oauth')
    const back = await slack.allow(url)
    const gone = sql`delete from channel_connection where environment_id = ${env.environmentId}`
    const page = await during(gone, () => comeBack(back))
    expect(page.status, page.text).toBeLessThan(500)
  })

  test('two endpoints are moved to one place at once', async () => {
    const { env } = await arrange()
    const [a, b] = [await addChannel(env), await addChannel(env, { endpoint: { channelId: 'C2' } })]
    const { rows } = await sql<{
      place: Buffer
    }>`select place from channel_endpoint where identifier = ${a.body.identifier}`.execute(h.admin)
    expect(rows).toHaveLength(1)
    for (let n = 0; n < 40; n++) {
      const to = { endpoint: { channelId: `C9${n}` } }
      const moved = await Promise.all(
        [a, b].map(({ body }) => env.patch(`/v1/channel-endpoints/${body.identifier}`, to)),
      )
      expect(moved.map(({ status }) => status).sort(), moved[0]?.text + String(moved[1]?.text)).toEqual([200, 409])
    }
  })

  test('a redirect URL that is empty', async () => {
    const { env, integration } = await arrange()
    const set = await env.put(`/v1/integrations/${integration._id}`, { credentials: { redirectUrl: '' } })
    if (set.status !== 200) return
    const page = await comeBack(await slack.cancel(await start(env)))
    expect(page.status, page.text).toBeLessThan(500)
  })

  test('a redirect URL is no script', async () => {
    const { env, integration } = await arrange()
    const set = await env.put(`/v1/integrations/${integration._id}`, {
      credentials: { redirectUrl: 'javascript:alert(1)' },
    })
    expect(set.status).toBe(422)
  })

  /** As it stands on the wire; fetch would mend it. */
  function raw(to: string, path: string, headers: Record<string, string>): Promise<number> {
    const { port } = new URL(to)
    return new Promise((resolve, reject) => {
      const asked = httpRequest({ port, host: '127.0.0.1', path, headers }, (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      })
      asked.on('error', reject)
      asked.end()
    })
  }
  const path = '/v1/integrations/chat/oauth/callback?state=x'

  test('odd hosts, and an address in its absolute form', async () => {
    const plain = await h.node({ PUBLIC_URL: '' })
    for (const host of ['[', 'a b', 'x:y:z', '']) expect(await raw(plain.url, path, { host }), host).toBeLessThan(500)
    for (const { url } of [plain, h]) {
      expect(await raw(url, `http://evil.example.com:8443${path}`, { host: 'x' })).toBeLessThan(500)
    }
  })

  test('odd queries of the callback', async () => {
    const { env } = await arrange()
    const odd = [
      'error=%00',
      `error=${'x'.repeat(8_000)}`,
      'error=<script>',
      'error[]=a&error[]=b',
      'error=%ff%fe',
      'code=%00',
      `code=${'y'.repeat(8000)}`,
      'error=a&error=b',
      'error=%ED%A0%80',
      '',
    ]
    for (const query of odd) {
      const state = new URL(await start(env)).searchParams.get('state')
      const page = await h.send('GET', `/v1/integrations/chat/oauth/callback?state=${state}&${query}`, { key: null })
      expect(page.status, query).toBe(200)
      expect(page.text).not.toContain('<script')
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    }
    for (const state of [
      '',
      'a&state=b',
      '%00',
      'x'.repeat(8000),
      `${'0'.repeat(32)}.${'0'.repeat(32)}.${'a'.repeat(43)}`,
    ]) {
      expect((await h.send('GET', `/v1/integrations/chat/oauth/callback?state=${state}`, { key: null })).status).toBe(
        404,
      )
    }
  })

  test('odd queries and bodies elsewhere', async () => {
    const { env } = await arrange()
    const values = ['%00', 'x'.repeat(5000), '%ED%A0%80', '%FF', "'", '[]', '{}', '-1', 'null']
    const names = [
      'subscriberId',
      'integrationIdentifier',
      'connectionIdentifier',
      'channel',
      'providerId',
      'contextKeys',
      'contextKeys[]',
      'contextKeys[0][a]',
      'after',
      'before',
      'limit',
      'orderBy',
      'connectionMode',
    ]
    const bad: string[] = []
    for (const name of names)
      for (const value of values)
        for (const list of ['channel-connections', 'channel-endpoints']) {
          const got = await env.get(`/v1/${list}?${name}=${value}`)
          if (got.status >= 500) bad.push(`${list} ${name}=${value.slice(0, 10)}`)
        }
    for (const value of values)
      for (const list of ['channel-connections', 'channel-endpoints'])
        for (const method of ['GET', 'DELETE', 'PATCH']) {
          const got = await h.send(method, `/v1/${list}/${value}`, {
            key: env.key,
            ...(method === 'PATCH' && { body: { endpoint: {}, workspace: { id: 'x' }, auth: { accessToken: 'x' } } }),
          })
          if (got.status >= 500) bad.push(`${method} ${list}/${value.slice(0, 10)}`)
        }
    const texts: Json[] = ['\0', '\ud800', '', 'x'.repeat(10_000), 7, null, [], {}, { toString: 1 }]
    for (const value of texts) {
      const bodies: [string, Json][] = [
        [
          '/v1/channel-endpoints',
          {
            subscriberId: 'ada',
            integrationIdentifier: 'slack',
            type: 'slack_channel',
            endpoint: { channelId: 'C' },
            connectionIdentifier: value,
          },
        ],
        [
          '/v1/channel-endpoints',
          { subscriberId: 'ada', integrationIdentifier: value, type: 'slack_channel', endpoint: { channelId: 'C' } },
        ],
        [
          '/v1/channel-endpoints',
          {
            subscriberId: 'ada',
            integrationIdentifier: 'slack',
            type: 'slack_channel',
            endpoint: { channelId: value },
          },
        ],
        [
          '/v1/channel-endpoints',
          { subscriberId: 'ada', integrationIdentifier: 'slack', type: 'webhook', endpoint: { url: value } },
        ],
        [
          '/v1/channel-endpoints',
          { subscriberId: 'ada', integrationIdentifier: 'slack', type: 'slack_channel', endpoint: value },
        ],
        [
          '/v1/channel-endpoints',
          {
            subscriberId: 'ada',
            integrationIdentifier: 'slack',
            type: 'slack_channel',
            endpoint: { channelId: 'C' },
            context: value,
          },
        ],
        [
          '/v1/channel-endpoints',
          {
            subscriberId: 'ada',
            integrationIdentifier: 'slack',
            type: 'slack_channel',
            endpoint: { channelId: 'C' },
            context: { tenant: value },
          },
        ],
        [
          '/v1/channel-endpoints',
          {
            subscriberId: value,
            createSubscriberIfMissing: true,
            integrationIdentifier: 'slack',
            type: 'slack_channel',
            endpoint: { channelId: 'C' },
          },
        ],
        [
          '/v1/channel-connections',
          {
            integrationIdentifier: 'slack',
            workspace: { id: value, name: value },
            auth: { accessToken: value, expiresAt: value },
          },
        ],
        [
          '/v1/channel-connections',
          {
            integrationIdentifier: 'slack',
            workspace: { id: 'T' },
            auth: { accessToken: 'x', expiresAt: '9999-12-31T23:59:60Z' },
          },
        ],
        [
          '/v1/channel-connections',
          {
            integrationIdentifier: 'slack',
            workspace: { id: 'T' },
            auth: { accessToken: 'x', expiresAt: '0000-01-01T00:00:00Z' },
          },
        ],
        [
          '/v1/channel-connections',
          {
            integrationIdentifier: 'slack',
            workspace: { id: 'T' },
            auth: { accessToken: value },
            connectionMode: value,
            subscriberId: value,
          },
        ],
        [
          '/v1/integrations/channel-connections/oauth',
          { integrationIdentifier: 'slack', connectionIdentifier: value, scope: [value] },
        ],
        [
          '/v1/integrations/channel-endpoints/oauth',
          { integrationIdentifier: 'slack', subscriberId: 'ada', connectionIdentifier: value },
        ],
        ['/v1/integrations/channel-endpoints/link', { integrationIdentifier: value, subscriberId: 'ada' }],
        [
          '/v1/integrations/chat/oauth',
          {
            integrationIdentifier: 'slack',
            subscriberId: 'ada',
            connectionIdentifier: value,
            userScope: [value],
            mode: 'link_user',
          },
        ],
      ]
      for (const [at, body] of bodies) {
        const got = await env.post(at, body)
        if (got.status >= 500) bad.push(`${at} ${JSON.stringify(body).slice(0, 200)}`)
      }
    }
    expect(bad).toEqual([])
  })
})

describe('erasure and export', () => {
  test('what is exported of a person holds the places where he is reached', async () => {
    const { env } = await arrange()
    await addChannel(env)
    const { text } = await env.get('/v2/subscribers/ada/export')
    expect(text).toContain(general)
  })

  test('a person is deleted with messages under way: each ends, and nothing goes out', async () => {
    const { env } = await arrange()
    await connect(env, { connectionIdentifier: 'acme' })
    await addChannel(env)
    slack.next.set('chat.postMessage', {
      status: 429,
      headers: { 'retry-after': '1' },
      json: { ok: false, error: 'ratelimited' },
    })
    const { transactionId } = await trigger(env, { to: 'ada', payload: {} })
    await vi.waitFor(
      () => expect(slack.calls.filter(({ method }) => method === 'chat.postMessage')).toHaveLength(1),
      10_000,
    )
    await env.delete('/v2/subscribers/ada')
    await h.settled()
    expect(slack.posted).toEqual([])
    const { rows } =
      await sql<Json>`select delivery, status, error_text from message where transaction_id = ${transactionId}`.execute(
        h.admin,
      )
    expect(rows.filter((it: Json) => it.delivery === 'open')).toEqual([])
    const { rows: left } =
      await sql`select 1 from channel_endpoint where environment_id = ${env.environmentId}`.execute(h.admin)
    expect(left).toEqual([])
  })
})

test('a url to agree at is sealed in the table of repeated calls, and a repetition gives the same', async () => {
  const { env } = await arrange()
  const ask = () =>
    env.post(
      '/v1/integrations/channel-connections/oauth',
      { integrationIdentifier: 'slack' },
      { 'idempotency-key': 'k1' },
    )
  const [one, two] = [await ask(), await ask()]
  expect(two.body).toEqual(one.body)
  const { rows } = await sql<Json>`select reply from idempotency where environment_id = ${env.environmentId}`.execute(
    h.admin,
  )
  expect(JSON.stringify(rows)).not.toContain('state')
  const { rows: attempts } =
    await sql<Json>`select * from connect_attempt where environment_id = ${env.environmentId}`.execute(h.admin)
  expect(attempts).toHaveLength(1)
})

test('an integration of another environment is neither named nor used', async () => {
  const [{ env }, { env: other }] = [await arrange(), await arrange()]
  await connect(other, { connectionIdentifier: 'theirs' })
  expect((await addChannel(env, { connectionIdentifier: 'theirs' })).status).toBe(404)
  expect((await env.get('/v1/channel-connections/theirs')).status).toBe(404)
  expect((await env.delete('/v1/channel-connections/theirs')).status).toBe(404)
  const mine = await slack.allow(await start(env, { connectionIdentifier: 'theirs' }))
  expect((await comeBack(mine)).text).toContain('is connected')
  expect((await other.get('/v1/channel-connections')).body.data).toHaveLength(1)
})
