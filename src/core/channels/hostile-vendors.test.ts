import { createECDH } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { allowing, makeIntegration, storyOf } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { makeSubscribers, makeWorkflow, trigger } from '../../../test/pipeline.ts'
import { startNtfy } from '../../../test/vendors/ntfy.ts'
import { startPushService } from '../../../test/vendors/push-service.ts'
import { startSlack } from '../../../test/vendors/slack.ts'
import { startTelegram } from '../../../test/vendors/telegram.ts'
import { secretTokenOf } from '../../providers/bots/telegram-updates.ts'

const publicUrl = 'https://tidings.example.com'
const callback = `${publicUrl}/v1/integrations/chat/oauth/callback`
const slack = await startSlack({ rotation: true, app: { redirectUris: [callback] } })
slack.addWorkspace({ id: 'T0BETA', name: 'Beta', people: [{ id: 'U0EVE', name: 'Eve' }] })
const [telegram, ntfy, service, hook] = [
  await startTelegram(),
  await startNtfy(),
  await startPushService(),
  await startHttpReceiver(),
]
afterAll(async () => {
  for (const it of [slack, telegram, ntfy, service, hook]) await it.close()
})
const h = useHarness(
  { ...allowing(slack.port, telegram.port, ntfy.port, service.port, hook.port), PUBLIC_URL: publicUrl },
  { worker: true },
)
beforeEach(() => {
  telegram.posted.length = 0
  telegram.requests.length = 0
  slack.posted.length = 0
  slack.calls.length = 0
})

async function arrange(providerId: string, channel: string, credentials: Json, more: Json = {}) {
  const env = await h.environment()
  const controlValues = channel === 'chat' ? { body: 'Order {{payload.order}}' } : { subject: 'Order', body: 'Order' }
  await makeWorkflow(env, 'hello', { steps: [{ name: 'It', type: channel, controlValues }] })
  await makeSubscribers(env, ['ada', 'bob'])
  const integration = await makeIntegration(env, { providerId, channel, credentials, identifier: 'it', ...more })
  return { env, integration }
}
const add = (env: Client, given: Json) =>
  env.post('/v1/channel-endpoints', { subscriberId: 'ada', integrationIdentifier: 'it', ...given })
async function send(env: Client, event: Json = {}) {
  const { transactionId } = await trigger(env, { to: 'ada', payload: { order: 7 }, ...event })
  await ended(transactionId)
  return (await storyOf(env, transactionId)).messages
}
/** Messages of other tests may go on. */
const ended = (transactionId: string, timeout = 30_000) =>
  vi.waitFor(
    async () => {
      const { rows } = await sql<Json>`select delivery from message where transaction_id = ${transactionId}`.execute(
        h.admin,
      )
      expect(rows.length).toBeGreaterThan(0)
      expect(rows.filter((it: Json) => it.delivery === 'open')).toEqual([])
    },
    { timeout, interval: 100 },
  )
/** What is laid to the whole integration while something runs. */
async function failuresLearnt(integration: Json, run: () => Promise<unknown>): Promise<string[]> {
  const learnt: string[] = []
  const { learn } = h.ctx.health
  h.ctx.health.learn = (id, outcome, ...rest) => {
    const isFailure = outcome.kind === 'retry' ? outcome.paces !== 'target' : outcome.kind === 'unknown'
    if (id === integration._id && isFailure) learnt.push('reason' in outcome ? outcome.reason : '')
    learn(id, outcome, ...rest)
  }
  await run()
  h.ctx.health.learn = learn
  return learnt
}

const key = 'a key of our own'
const bot = () => ({ apiToken: telegram.token, baseUrl: telegram.url })
const listening = { configurations: { inboundWebhookEnabled: true, inboundWebhookSigningKey: key } }
const chat = (id: number) => ({ type: 'telegram_chat', endpoint: { chatId: String(id) } })
const update = (integration: Json, body: Json, token = secretTokenOf(key)) =>
  h.send('POST', `/v1/webhooks/${integration._id}`, {
    body,
    headers: { 'x-telegram-bot-api-secret-token': token },
    key: null,
  })
const said = (text: string, id: number, type = 'private') => ({
  update_id: 1,
  message: { message_id: 1, date: 0, chat: { id, type }, text },
})
async function link(env: Client, more: Json = {}): Promise<string> {
  const made = await env.post('/v1/integrations/channel-endpoints/link', {
    integrationIdentifier: 'it',
    subscriberId: 'ada',
    ...more,
  })
  expect(made.status, made.text).toBe(200)
  return new URL(made.body.url).searchParams.get('start') ?? ''
}
const endpointsOf = async (env: Client) => (await env.get('/v1/channel-endpoints?limit=100')).body.data

describe('Telegram', () => {
  test('a person who has a hundred chats does not stop the updates of all others', async () => {
    const { env, integration } = await arrange('telegram', 'chat', bot(), listening)
    for (let n = 1; n <= 100; n++) expect((await add(env, chat(n))).status).toBe(201)
    const code = await link(env)
    const told = await update(integration, said(`/start ${code}`, 101))
    expect(told.status, told.text).toBe(200)
  })

  test('a code that another bot of the environment is told is still good for its own', async () => {
    const { env, integration } = await arrange('telegram', 'chat', bot(), listening)
    const other = await makeIntegration(env, {
      providerId: 'telegram',
      channel: 'chat',
      credentials: bot(),
      identifier: 'other',
      ...listening,
    })
    const code = await link(env)
    expect((await update(other, said(`/start ${code}`, 7))).status).toBe(200)
    expect(await endpointsOf(env)).toEqual([])
    await update(integration, said(`/start ${code}`, 7))
    expect(await endpointsOf(env)).toHaveLength(1)
  })

  test('forged, odd and foreign updates do nothing', async () => {
    const { env, integration } = await arrange('telegram', 'chat', bot(), listening)
    const code = await link(env)
    for (const token of ['', 'x', key, secretTokenOf('')])
      expect((await update(integration, said(`/start ${code}`, 7), token)).status).toBeGreaterThanOrEqual(400)
    const odd = [
      null,
      [],
      7,
      'x',
      { message: 7 },
      { message: [] },
      { message: { chat: { id: '7', type: 'private' }, text: `/start ${code}` } },
      { message: { chat: { id: 1e300, type: 'private' }, text: `/start ${code}` } },
      { message: { chat: { id: 7.5, type: 'private' }, text: `/start ${code}` } },
      said(`/start ${code}`, -7, 'group'),
      said(`/start ${code}`, -7, 'channel'),
      said(`/start  ${code}`, 7),
      said(`/start ${code}\n`, 7),
      { my_chat_member: { chat: { id: {} }, new_chat_member: [] } },
      { message: { chat: { id: 7 }, migrate_to_chat_id: 'x' } },
    ]
    for (const body of odd) {
      const got = await update(integration, body)
      expect(got.status, JSON.stringify(body)).toBeLessThan(500)
    }
    expect(await endpointsOf(env)).toEqual([])
    expect((await update(integration, said(`/start ${code}`, 7))).status).toBe(200)
    expect(await endpointsOf(env)).toHaveLength(1)
  })

  test('the same code at the same moment from two chats links one', async () => {
    const { env, integration } = await arrange('telegram', 'chat', bot(), listening)
    const code = await link(env)
    await Promise.all([1, 2, 3, 4].map((id) => update(integration, said(`/start ${code}`, id))))
    expect(await endpointsOf(env)).toHaveLength(1)
  })

  test('a group that moved while somebody is given its new name', async () => {
    const { env, integration } = await arrange('telegram', 'chat', bot(), listening)
    const { body: a } = await add(env, chat(-5))
    const { body: b } = await add(env, chat(-1006))
    const moved = (id: number, to: number) => ({ message: { chat: { id, type: 'group' }, migrate_to_chat_id: to } })
    for (let n = 0; n < 20; n++) {
      await env.patch(`/v1/channel-endpoints/${a.identifier}`, { endpoint: { chatId: String(-5 - n) } })
      const to = -1_000_000 - n
      const got = await Promise.all([
        update(integration, moved(-5 - n, to)),
        env.patch(`/v1/channel-endpoints/${b.identifier}`, { endpoint: { chatId: String(to) } }),
      ])
      expect(
        got.map(({ status }) => status < 500),
        JSON.stringify(got.map(({ text }) => text)),
      ).toEqual([true, true])
      if ((await endpointsOf(env)).length < 2) break
    }
  })
})

describe('one person hinders nobody else', () => {
  test('a topic of ntfy that nobody listens to is not laid to the integration', async () => {
    const { env, integration } = await arrange('ntfy', 'push', { baseUrl: ntfy.url })
    await add(env, { type: 'ntfy_topic', endpoint: { topic: 'upABCDEFGHIJKL' } })
    ntfy.trouble = {
      status: 507,
      json: {
        code: 50701,
        http: 507,
        error: 'cannot publish to UnifiedPush topic without previously active subscriber',
      },
    }
    const failures = await failuresLearnt(integration, async () => {
      for (let n = 0; n < 25; n++) await trigger(env, { to: 'ada', payload: { order: n } })
      await vi.waitFor(() => expect(ntfy.requests.length).toBeGreaterThanOrEqual(20), 20_000)
      await new Promise((resolve) => setTimeout(resolve, 500))
    })
    ntfy.trouble = undefined
    expect(h.ctx.health.admit(integration._id, Date.now()).kind, `${failures.length} failures`).toBe('ok')
  })

  test('a hostile webhook at Google Chat is not laid to the integration', async () => {
    const { env, integration } = await arrange('google-chat', 'chat', {})
    await add(env, { type: 'webhook', endpoint: { url: `${hook.url}/bad` } })
    await add(env, { type: 'webhook', endpoint: { url: `${hook.url}/good` }, subscriberId: 'bob' })
    hook.answer = ({ url }) => (url.startsWith('/bad') ? { status: 503 } : { json: { name: 'spaces/a/messages/b' } })
    await failuresLearnt(integration, async () => {
      for (let n = 0; n < 25; n++) await trigger(env, { to: 'ada', payload: { order: n } })
      await vi.waitFor(() => expect(hook.requests.length).toBeGreaterThanOrEqual(20), 20_000)
      await new Promise((resolve) => setTimeout(resolve, 500))
    })
    expect(h.ctx.health.admit(integration._id, Date.now()).kind).toBe('ok')
  })

  test('tokens of one workspace that expired before their time are not laid to the integration', async () => {
    const { clientId, clientSecret } = slack.app
    const { env, integration } = await arrange('slack', 'chat', {
      clientId,
      secretKey: clientSecret,
      baseUrl: slack.url,
    })
    const started = await env.post('/v1/integrations/channel-connections/oauth', {
      integrationIdentifier: 'it',
      connectionIdentifier: 'acme',
    })
    const back = await slack.allow(started.body.url)
    await h.send('GET', back.pathname + back.search, { key: null })
    for (let n = 0; n < 30; n++) {
      slack.addChannel('T0ACME', { id: `C${n}X`, name: `c${n}` })
      await add(env, { connectionIdentifier: 'acme', type: 'slack_channel', endpoint: { channelId: `C${n}X` } })
    }
    slack.advance(13 * 3_600_000)
    const failures = await failuresLearnt(integration, () => send(env))
    expect(failures).toEqual([])
  })

  test('a token that was renewed and could not be stored at once is not lost', async () => {
    const { clientId, clientSecret } = slack.app
    const { env } = await arrange('slack', 'chat', { clientId, secretKey: clientSecret, baseUrl: slack.url })
    const started = await env.post('/v1/integrations/channel-connections/oauth', {
      integrationIdentifier: 'it',
      connectionIdentifier: 'acme',
    })
    const back = await slack.allow(started.body.url)
    await h.send('GET', back.pathname + back.search, { key: null })
    await add(env, { connectionIdentifier: 'acme', type: 'slack_channel', endpoint: { channelId: 'C0ACMEGENERAL' } })
    slack.advance(13 * 3_600_000)
    // The connection of the database is cut while the row is written.
    await sql`update channel_connection set expires_at = now() - interval '1 minute' where environment_id = ${env.environmentId}`.execute(
      h.admin,
    )
    await sql`create function cut_once() returns trigger language plpgsql as $$
      begin
        if new.auth is distinct from old.auth and (select count(*) from cut_log) = 0 then
          perform pg_sleep(2);
        end if;
        return new;
      end $$`.execute(h.admin)
    await sql`create table cut_log (at timestamptz)`.execute(h.admin)
    await sql`grant all on cut_log to public`.execute(h.admin)
    await sql`create trigger cut_once before update on channel_connection for each row execute function cut_once()`.execute(
      h.admin,
    )
    const { transactionId } = await trigger(env, { to: 'ada', payload: { order: 7 } })
    await vi.waitFor(
      async () => {
        const { rows } = await sql<Json>`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event = 'PgSleep' and query like '%channel_connection%'`.execute(
          h.admin,
        )
        expect(rows).toHaveLength(1)
      },
      { timeout: 10_000, interval: 100 },
    )
    await sql`insert into cut_log values (now())`.execute(h.admin)
    await ended(transactionId, 90_000)
    await sql`drop trigger cut_once on channel_connection`.execute(h.admin)
    const { messages } = await storyOf(env, transactionId)
    expect(messages, (await env.get('/v1/channel-connections/acme')).text).toMatchObject([{ status: 'sent' }])
  }, 120_000)
})

describe('web push', () => {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  const keys = { apiKey: pair.getPublicKey('base64url'), secretKey: pair.getPrivateKey('base64url') }
  const vapid = { ...keys, senderId: 'mailto:ops@example.com' }

  test('hostile addresses and keys', async () => {
    const { env } = await arrange('web-push', 'push', vapid)
    const good = service.subscribe(keys.apiKey)
    const off = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]).toString('base64url')
    for (const endpoint of [
      'file:///etc/passwd',
      'http://10.0.0.1/x',
      'http://169.254.169.254/latest',
      'https://u:p@push.example.com/x',
      'javascript:1',
      'https://[::1]/x',
      'http://localhost:22/',
    ])
      expect((await add(env, { type: 'web_push', endpoint: { ...good, endpoint } })).status, endpoint).toBe(422)
    const made = await add(env, { type: 'web_push', endpoint: { ...good, keys: { ...good.keys, p256dh: off } } })
    if (made.status === 201) {
      const [message] = await send(env)
      expect(message).toMatchObject({ status: 'error' })
      expect(JSON.stringify(message)).not.toContain(good.endpoint)
    }
  })

  test('the same browser with other keys is one place', async () => {
    const { env } = await arrange('web-push', 'push', vapid)
    const [one, two] = [service.subscribe(keys.apiKey), service.subscribe(keys.apiKey)]
    expect((await add(env, { type: 'web_push', endpoint: one })).status).toBe(201)
    const padded = { ...one, keys: { ...one.keys, p256dh: `${one.keys.p256dh}=` } }
    expect([409, 422]).toContain((await add(env, { type: 'web_push', endpoint: padded })).status)
    expect(two).toBeDefined()
  })

  test('ten megabytes, redirects and secrets in the answer', async () => {
    const { env } = await arrange('web-push', 'push', vapid)
    const sub = service.subscribe(keys.apiKey)
    const endpoint = `${hook.url}/very-secret-place`
    await add(env, { type: 'web_push', endpoint: { ...sub, endpoint } })
    for (const answer of [
      { status: 307, headers: { location: `${hook.url}/other` } },
      { status: 201, headers: { location: `${endpoint}/m` } },
      { status: 400, body: `no ${endpoint} ${sub.keys.auth} ${'x'.repeat(10_000_000)}` },
    ]) {
      hook.requests.length = 0
      hook.answer = () => answer
      const messages = await send(env)
      expect(hook.requests.filter(({ url }) => url.startsWith('/very-secret-place'))).toHaveLength(1)
      expect(JSON.stringify(messages)).not.toMatch(/very-secret-place/)
      expect(JSON.stringify(messages)).not.toContain(sub.keys.auth)
    }
  })
})
