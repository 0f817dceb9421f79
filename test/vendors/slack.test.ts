import { afterEach, describe, expect, test } from 'vitest'
import { addressGuard } from '../../src/egress/address-guard.ts'
import { createHttp } from '../../src/egress/http.ts'
import slack from '../../src/providers/chat/slack.ts'
import type { Auth, Connection, ConnectMode, Grant } from '../../src/providers/connect.ts'
import type { Endpoint } from '../../src/providers/endpoint.ts'
import type { ChatMessage } from '../../src/providers/message.ts'
import { givenTo, samples } from '../providers/provider-samples.ts'
import { startSlack } from './slack.ts'
import { hour, type Options } from './slack-model.ts'

const redirectUri = 'https://tidings.example.com/v1/connect/callback'
const state = 'state-1'
const nonce = 'nonce-1'
const general: Endpoint = { type: 'slack_channel', endpoint: { channelId: 'C0ACMEGENERAL' } }
const ada: Endpoint = { type: 'slack_user', endpoint: { userId: 'U0ADA' } }
const open: { close(): Promise<void> }[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
})

const { oauth } = slack
if (!oauth?.refresh) throw new Error('Slack has no OAuth')
const { authorizeUrl, redeem, refresh } = oauth

/** The provider and the double of its vendor, with the real door between them. */
async function start(options: Options = {}, over: object = {}) {
  const double = await startSlack({ ...options, app: { redirectUris: [redirectUri], ...options.app } })
  const http = createHttp(addressGuard({ allowedRanges: ['127.0.0.0/8'], allowedPorts: [double.port] }))
  open.push(http, double)
  const { clientId, clientSecret: secretKey } = double.app
  const credentials = givenTo(slack, { clientId, secretKey, baseUrl: double.url, ...over })
  const refuse = () => Promise.reject(new Error('no mail'))
  const tools = {
    http,
    smtp: { send: refuse, verify: refuse, compose: refuse },
    cached: () => Promise.reject(new Error('nothing is cached')),
    get now() {
      return new Date(double.now())
    },
  }
  const address = (mode: ConnectMode, scope?: readonly string[]) => {
    const url = authorizeUrl({ credentials, mode, redirectUri, state, nonce, ...(scope && { scope }) })
    if (typeof url !== 'string') throw new Error(url.fault)
    return url
  }
  const redeemed = (
    mode: ConnectMode,
    query: URLSearchParams,
    changes: { redirectUri?: string; nonce?: string } = {},
  ) => redeem({ ...tools, credentials, mode, redirectUri, nonce, query, ...changes })
  const install = async (scope?: readonly string[], as = {}): Promise<Grant & { auth: Auth }> => {
    const { searchParams } = await double.allow(address('connect', scope), as)
    const grant = await redeemed('connect', searchParams)
    if ('fault' in grant || !grant.auth) throw new Error('fault' in grant ? grant.fault : 'no token')
    return { ...grant, auth: grant.auth }
  }
  const send = (to: Endpoint, accessToken: string, message: Partial<ChatMessage> = {}) => {
    const connection: Connection = { workspace: { id: 'T0ACME' }, accessToken }
    return slack.send?.({
      ...tools,
      credentials,
      message: { ...samples.chat, to, ...message },
      mailbox: refuse,
      connection,
    })
  }
  const renewed = (refreshToken = '') => refresh({ ...tools, credentials, refreshToken })
  return { double, credentials, address, redeemed, install, send, renewed }
}

function refreshed(result: Auth | { fault: object }): Auth {
  if ('fault' in result) throw new Error(JSON.stringify(result.fault))
  return result
}

describe('installing', () => {
  test('the person allows, and we know the workspace, its token and the person', async () => {
    const { double, install, address } = await start()
    const location = await double.allow(address('connect'))
    expect(`${location.origin}${location.pathname}`).toBe(redirectUri)
    expect(location.searchParams.get('state')).toBe(state)
    const { auth, ...grant } = await install()
    expect(grant).toEqual({
      workspace: { id: 'T0ACME', name: 'Acme', botUserId: 'U0ACMEBOT' },
      person: { type: 'slack_user', endpoint: { userId: 'U0ADA' } },
    })
    expect(auth).toEqual({ accessToken: expect.stringMatching(/^xoxb-/) })
    const granted = double.tokens.get(auth.accessToken)?.scopes
    expect(granted).toEqual([
      'chat:write',
      'chat:write.public',
      'channels:read',
      'groups:read',
      'users:read',
      'users:read.email',
    ])
  })

  test('the page shows the app and what it asks for', async () => {
    const { address } = await start({ app: { name: 'Tidings <of> Acme' } })
    const html = await (await fetch(address('connect', ['chat:write', 'incoming-webhook']))).text()
    for (const part of ['Tidings &#60;of&#62; Acme', 'chat:write', 'incoming-webhook', '>Allow<', '>Cancel<']) {
      expect(html).toContain(part)
    }
  })

  test('each workspace has its own token, and what is posted stays in it', async () => {
    const { double, install, send } = await start()
    double.addWorkspace({ id: 'T0OTHER', name: 'Other', people: [{ id: 'U0BOB', name: 'Bob' }] })
    const acme = await install()
    const other = await install(undefined, { who: 'T0OTHER/U0BOB' })
    expect(other.workspace).toMatchObject({ id: 'T0OTHER', name: 'Other' })
    expect(await send(general, other.auth.accessToken)).toMatchObject({ kind: 'rejected' })
    expect(await send(general, acme.auth.accessToken)).toMatchObject({ kind: 'sent' })
    expect(double.posted.map(({ workspaceId }) => workspaceId)).toEqual(['T0ACME'])
  })

  test('a webhook that was asked for is an endpoint, and takes messages', async () => {
    const { double, install, send } = await start()
    const { webhook } = await install(['incoming-webhook'])
    if (webhook?.type !== 'webhook') throw new Error('no webhook')
    const webhookUrl = webhook.endpoint.url
    expect(await send(webhook, '', { webhookUrl })).toEqual({ kind: 'sent' })
    expect(double.postedTo('C0ACMEGENERAL')).toMatchObject([{ body: { text: 'Hello Ada' } }])
    double.uninstall('T0ACME')
    expect(await send(webhook, '', { webhookUrl })).toMatchObject({ kind: 'rejected', because: 'gone' })
  })

  test('who cancels has not allowed it', async () => {
    const { double, address, redeemed } = await start()
    for (const mode of ['connect', 'link'] as const) {
      const { searchParams } = await double.cancel(address(mode))
      expect(await redeemed(mode, searchParams)).toEqual({ fault: 'it was not allowed in Slack (access_denied)' })
    }
    expect(double.calls).toEqual([])
  })

  test('a code is good once, for ten minutes, for the same address, and for its own kind of login', async () => {
    const { double, address, redeemed } = await start()
    const code = async (mode: ConnectMode = 'connect') => (await double.allow(address(mode))).searchParams
    const used = await code()
    await redeemed('connect', used)
    const again = { fault: expect.stringContaining('invalid_code') }
    expect(await redeemed('connect', used)).toEqual(again)
    const elsewhere = { redirectUri: 'https://tidings.example.com/elsewhere' }
    expect(await redeemed('connect', await code(), elsewhere)).toEqual({
      fault: expect.stringContaining('Redirect URLs (bad_redirect_uri)'),
    })
    expect(await redeemed('connect', await code('link'))).toEqual({
      fault: expect.stringContaining('oauth_authorization_url_mismatch'),
    })
    const old = await code()
    double.advance(10 * 60_000 + 1_000)
    expect(await redeemed('connect', old)).toEqual(again)
    expect(await redeemed('connect', new URLSearchParams())).toEqual({ fault: 'Slack sent no code' })
    expect(double.tokens.size).toBe(1)
  })

  test('an address that the app did not register gets no code', async () => {
    const { double, address } = await start({ app: { redirectUris: ['https://other.example.com/'] } })
    await expect(double.allow(address('connect'))).rejects.toThrow('redirect_uri did not match')
  })

  test.each([
    ['a wrong secret', { secretKey: 'wrong' }, 'bad_client_secret'],
    ['no secret', { secretKey: undefined }, 'needs the client ID and the client secret'],
  ])('%s is told in words', async (_name, over, fault) => {
    const { double, address, redeemed, renewed } = await start({}, over)
    for (const mode of ['connect', 'link'] as const) {
      const { searchParams } = await double.allow(address(mode))
      expect(await redeemed(mode, searchParams)).toEqual({ fault: expect.stringContaining(fault) })
    }
    expect(await renewed('xoxe-1-any')).toMatchObject({ fault: { kind: 'rejected', because: 'integration' } })
  })

  test('without a client ID there is no address', async () => {
    const { credentials } = await start({}, { clientId: undefined })
    const asked = { credentials, mode: 'connect', redirectUri, state, nonce } as const
    expect(authorizeUrl(asked)).toEqual({ fault: expect.stringContaining('client ID') })
  })

  test('where nobody answers it is said so', async () => {
    const { double, address, redeemed } = await start()
    const { searchParams } = await double.allow(address('connect'))
    double.next.set('oauth.v2.access', 'cut')
    expect(await redeemed('connect', searchParams)).toEqual({ fault: expect.stringContaining('was not reached') })
    double.next.set('oauth.v2.access', { status: 502, body: 'Bad gateway' })
    expect(await redeemed('connect', searchParams)).toEqual({ fault: 'Slack answered 502 Bad gateway' })
    double.next.set('oauth.v2.access', { json: { ok: true, team: { id: 'T0ACME' } } })
    expect(await redeemed('connect', searchParams)).toEqual({ fault: expect.stringContaining('no token') })
  })

  test('an app of a whole organization is known by the organization', async () => {
    const { double, redeemed } = await start()
    const json = { ok: true, access_token: 'xoxb-1', team: null, enterprise: { id: 'E1', name: 'Acme Inc.' } }
    double.next.set('oauth.v2.access', { json: { ...json, is_enterprise_install: true } })
    const grant = await redeemed('connect', new URLSearchParams({ code: 'c' }))
    expect(grant).toEqual({ workspace: { id: 'E1', name: 'Acme Inc.' }, auth: { accessToken: 'xoxb-1' } })
  })
})

describe('signing in with Slack', () => {
  test('a person says who he is, and where', async () => {
    const { double, address, redeemed } = await start()
    const asked = new URL(address('link')).searchParams
    expect(Object.fromEntries(asked)).toMatchObject({ response_type: 'code', scope: 'openid', nonce })
    const { searchParams } = await double.allow(address('link'))
    expect(await redeemed('link', searchParams)).toEqual({
      workspace: { id: 'T0ACME', name: 'Acme' },
      person: { type: 'slack_user', endpoint: { userId: 'U0ADA' } },
    })
  })

  test('a login that another browser began is refused', async () => {
    const { double, address, redeemed } = await start()
    const { searchParams } = await double.allow(address('link'))
    const fault = 'Slack: the ID token is of another login'
    expect(await redeemed('link', searchParams, { nonce: 'nonce-2' })).toEqual({ fault })
  })

  test('only a person is needed, and without one there is nobody', async () => {
    const { double, redeemed } = await start()
    const answered = async (more: object) => {
      const exp = double.now() / 1000 + 300
      const claims = { iss: double.url, aud: double.app.clientId, nonce, exp, ...more }
      const payload = Buffer.from(JSON.stringify(claims)).toString('base64url')
      double.next.set('openid.connect.token', { json: { ok: true, id_token: `e30.${payload}.c2ln` } })
      return redeemed('link', new URLSearchParams({ code: 'c' }))
    }
    expect(await answered({ sub: 'U1' })).toEqual({ person: { type: 'slack_user', endpoint: { userId: 'U1' } } })
    expect(await answered({})).toEqual({ fault: 'Slack did not say who it was' })
    double.next.set('openid.connect.token', { status: 400, json: { ok: false, error: 'invalid_grant' } })
    expect(await redeemed('link', new URLSearchParams({ code: 'c' }))).toEqual({
      fault: expect.stringContaining('start again (invalid_grant)'),
    })
  })
})

describe('posting', () => {
  test('to a channel and to a person', async () => {
    const { double, install, send } = await start()
    const { auth } = await install()
    const outcome = await send(general, auth.accessToken)
    const [{ ts } = { ts: '' }] = double.postedTo('C0ACMEGENERAL')
    expect(outcome).toEqual({ kind: 'sent', id: `C0ACMEGENERAL:${ts}` })
    expect(await send(ada, auth.accessToken)).toEqual({ kind: 'sent', id: expect.stringMatching(/^D0ADA:/) })
    expect(double.postedTo('D0ADA')).toMatchObject([
      { body: { text: 'Hello Ada', metadata: { event_payload: { tidings_message_id: samples.chat.id } } } },
    ])
  })

  test('two tries of a message are the same bytes', async () => {
    const { double, install, send } = await start()
    const { auth } = await install()
    double.next.set('chat.postMessage', 'lost')
    expect(await send(general, auth.accessToken)).toMatchObject({ kind: 'unknown' })
    double.advance(hour)
    expect(await send(general, auth.accessToken)).toMatchObject({ kind: 'sent' })
    const [first, second] = double.calls.filter(({ method }) => method === 'chat.postMessage')
    expect(first?.body).toContain(samples.chat.id)
    expect(second?.body).toBe(first?.body)
    // Nothing at Slack tells them apart, so whoever looks finds both by our id.
    expect(double.postedTo('C0ACMEGENERAL')).toHaveLength(2)
  })

  test.each([
    ['a channel that nobody knows', { id: 'C0NONE', isUnknown: true }, 'channel_not_found'],
    ['a private channel without the bot', { id: 'C0SECRET', isPrivate: true }, 'channel_not_found'],
    ['an archived channel', { id: 'C0OLD', isArchived: true }, 'is_archived'],
  ])('%s is refused, and is neither gone nor the fault of the workspace', async (_name, channel, error) => {
    const { double, install, send } = await start()
    const { isUnknown, ...known } = { isUnknown: false, ...channel }
    if (!isUnknown) double.addChannel('T0ACME', { name: 'x', ...known })
    const { auth } = await install()
    const outcome = await send({ type: 'slack_channel', endpoint: { channelId: channel.id } }, auth.accessToken)
    expect(outcome).toEqual({ kind: 'rejected', reason: expect.stringContaining(`200 ${error}`) })
  })

  test('a bot that may not post everywhere must be in the channel', async () => {
    const { double, install, send } = await start()
    const { auth } = await install(['chat:write'])
    expect(await send(general, auth.accessToken)).toMatchObject({ reason: expect.stringContaining('invite the bot') })
    double.addChannel('T0ACME', { id: 'C0TEAM', name: 'team', isPrivate: true, hasBot: true })
    const team: Endpoint = { type: 'slack_channel', endpoint: { channelId: 'C0TEAM' } }
    expect(await send(team, auth.accessToken)).toMatchObject({ kind: 'sent' })
  })

  test('blocks arrive as they were written, and wrong ones are refused with what is wrong', async () => {
    const { double, install, send } = await start()
    const { auth } = await install()
    const blocks = [{ type: 'header', text: { type: 'plain_text', text: 'Hello' } }]
    await send(general, auth.accessToken, { content: JSON.stringify({ blocks, text: 'Hello' }) })
    expect(double.posted).toMatchObject([{ body: { blocks, text: 'Hello' } }])
    const outcome = await send(general, auth.accessToken, { content: '[{"type":"header"}]' })
    const reason = '200 invalid_blocks; [ERROR] missing required field: text [json-pointer:/blocks/0]'
    expect(outcome).toEqual({ kind: 'rejected', reason })
  })

  test('one message a second for a channel: the next one waits, and other channels do not', async () => {
    const { double, install, send } = await start({ limited: true, clock: () => 1_767_323_045_000 })
    const { auth } = await install()
    expect(await send(general, auth.accessToken)).toMatchObject({ kind: 'sent' })
    expect(await send(general, auth.accessToken)).toEqual({
      kind: 'retry',
      reason: '429 ratelimited',
      afterMs: 1_000,
      paces: 'target',
    })
    expect(await send(ada, auth.accessToken)).toMatchObject({ kind: 'sent' })
    double.advance(1_000)
    expect(await send(general, auth.accessToken)).toMatchObject({ kind: 'sent' })
  })

  test.each([
    ['a revoked token', 'token_revoked'],
    ['an app that was removed', 'account_inactive'],
  ] as const)('%s is the fault of this workspace alone', async (_name, word) => {
    const { double, install, send } = await start()
    const { auth } = await install()
    if (word === 'token_revoked') double.revoke(auth.accessToken)
    else double.uninstall('T0ACME')
    expect(await send(general, auth.accessToken)).toEqual({
      kind: 'rejected',
      reason: `200 ${word}`,
      because: 'connection',
    })
  })

  test('a scope that is missing is named', async () => {
    const { install, send } = await start()
    const { auth } = await install(['users:read'])
    expect(await send(general, auth.accessToken)).toEqual({
      kind: 'rejected',
      reason: '200 missing_scope; needs chat:write',
      because: 'connection',
    })
  })
})

describe('token rotation', () => {
  test('a token that expired is renewed, and the message is posted', async () => {
    const { double, install, send, renewed } = await start({ rotation: true })
    const { auth } = await install()
    expect(auth.accessToken).toMatch(/^xoxe\.xoxb-/)
    const lives = Number(auth.expiresAt) - double.now()
    expect(lives).toBeGreaterThan(12 * hour - 60_000)
    expect(lives).toBeLessThanOrEqual(12 * hour)
    double.advance(12 * hour)
    expect(await send(general, auth.accessToken)).toEqual({
      kind: 'retry',
      reason: '200 token_expired',
      renew: true,
    })
    const next = refreshed(await renewed(auth.refreshToken))
    expect(next.accessToken).not.toBe(auth.accessToken)
    expect(next.refreshToken).not.toBe(auth.refreshToken)
    expect(Number(next.expiresAt)).toBeGreaterThan(Number(auth.expiresAt))
    expect(await send(general, next.accessToken)).toMatchObject({ kind: 'sent' })
    expect(double.postedTo('C0ACMEGENERAL')).toHaveLength(1)
  })

  test('a refresh token used twice is refused, as the fault of this workspace', async () => {
    const { install, renewed, send } = await start({ rotation: true })
    const { auth } = await install()
    const next = refreshed(await renewed(auth.refreshToken))
    expect(await renewed(auth.refreshToken)).toEqual({
      fault: { kind: 'rejected', reason: '200 invalid_refresh_token', because: 'connection' },
    })
    // Neither the old token nor the new one ends by it.
    expect(await send(general, auth.accessToken)).toMatchObject({ kind: 'sent' })
    expect(await send(general, next.accessToken)).toMatchObject({ kind: 'sent' })
  })

  test('of more than two tokens the oldest ends', async () => {
    const { install, renewed, send } = await start({ rotation: true })
    const { auth } = await install()
    const second = refreshed(await renewed(auth.refreshToken))
    const third = refreshed(await renewed(second.refreshToken))
    expect(await send(general, auth.accessToken)).toMatchObject({ because: 'connection' })
    expect(await send(general, second.accessToken)).toMatchObject({ kind: 'sent' })
    expect(await send(general, third.accessToken)).toMatchObject({ kind: 'sent' })
  })

  test('a refresh whose answer got lost may be tried again within the time of grace', async () => {
    const { double, install, renewed, send } = await start({ rotation: true, graceMs: 60_000 })
    const { auth } = await install()
    double.next.set('oauth.v2.access', 'lost')
    expect(await renewed(auth.refreshToken)).toMatchObject({ fault: { kind: 'retry' } })
    const next = refreshed(await renewed(auth.refreshToken))
    expect(await send(general, next.accessToken)).toMatchObject({ kind: 'sent' })
    double.advance(60_000)
    expect(await renewed(auth.refreshToken)).toMatchObject({ fault: { because: 'connection' } })
  })

  test('an app that was removed gets no token any more', async () => {
    const { double, install, renewed } = await start({ rotation: true })
    const { auth } = await install()
    double.uninstall('T0ACME')
    expect(await renewed(auth.refreshToken)).toMatchObject({ fault: { kind: 'rejected', because: 'connection' } })
  })

  test.each([
    [
      'ratelimited',
      { status: 429, headers: { 'retry-after': '30' }, json: { ok: false, error: 'ratelimited' } },
      30_000,
    ],
    ['fatal_error', { json: { ok: false, error: 'fatal_error' } }],
    ['a broken server', { status: 500, body: 'oops' }],
    ['no JSON', { body: '<html>' }],
    ['no token', { json: { ok: true } }],
  ])('trouble while it is renewed sends nothing, so it is tried again: %s', async (_name, answer, afterMs?: number) => {
    const { double, renewed } = await start({ rotation: true })
    double.next.set('oauth.v2.access', answer)
    const result = await renewed('xoxe-1-any')
    expect(result).toEqual({
      fault: { kind: 'retry', reason: expect.any(String), ...(afterMs !== undefined && { afterMs }) },
    })
  })
})

test('the check asks with the bot token', async () => {
  const { double, install } = await start()
  const { auth } = await install()
  const http = createHttp(addressGuard({ allowedRanges: ['127.0.0.0/8'], allowedPorts: [double.port] }))
  open.push(http)
  const refuse = () => Promise.reject(new Error('not here'))
  const smtp = { send: refuse, verify: refuse, compose: refuse }
  const check = (apiToken: string) => {
    const credentials = givenTo(slack, { apiToken, baseUrl: double.url })
    return slack.check?.({ http, smtp, cached: refuse, now: new Date(), credentials })
  }
  expect(await check(auth.accessToken)).toEqual({ kind: 'ok' })
  expect(await check('xoxb-other')).toEqual({ kind: 'refused', reason: '200 invalid_auth' })
})
