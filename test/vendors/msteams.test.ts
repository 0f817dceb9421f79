import { afterEach, expect, test } from 'vitest'
import { createTokenCache } from '../../src/core/integrations/token-cache.ts'
import { addressGuard } from '../../src/egress/address-guard.ts'
import { createHttp } from '../../src/egress/http.ts'
import msteams from '../../src/providers/chat/msteams.ts'
import type { ConnectMode } from '../../src/providers/connect.ts'
import type { Endpoint } from '../../src/providers/endpoint.ts'
import { samples } from '../providers/provider-samples.ts'
import { startTeams, type TeamsOptions, teamsApp } from './msteams.ts'

const redirectUri = 'https://tidings.example/v1/connect/callback'
const customer = '44444444-dddd-4000-8000-000000000001'
const stranger = '55555555-eeee-4000-8000-000000000001'
const ada = '66666666-ffff-4000-8000-000000000001'
const channelId = '19:general@thread.tacv2'
const toChannel: Endpoint = { type: 'ms_teams_channel', endpoint: { teamId: 'team', channelId } }
const toAda: Endpoint = { type: 'ms_teams_user', endpoint: { userId: ada } }

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close()
})

/** The adapter in front of the double, through the real door and with the real cache of tokens. */
async function setUp(options: TeamsOptions = {}, changes: object = {}) {
  const teams = await startTeams({ redirectUris: [redirectUri], ...options })
  const http = createHttp(addressGuard({ allowedRanges: ['127.0.0.0/8'], allowedPorts: [teams.port] }))
  open.push(teams, http)
  const tokens = createTokenCache(teams.now)
  const unused = () => Promise.reject(new Error('Teams has no mail'))
  const tools = () => ({
    http,
    smtp: { send: unused, verify: unused, compose: unused },
    cached: tokens.of('integration'),
    now: teams.now(),
  })
  const { clientId, secretKey, tenant: domain } = teamsApp
  const credentials = { clientId, secretKey, domain, host: teams.authority, baseUrl: teams.serviceUrl, ...changes }
  const send = async (
    to?: Endpoint,
    { tenant = customer, ...message }: { tenant?: string; content?: string; webhookUrl?: string } = {},
  ) => {
    const sent = await msteams.send?.({
      ...tools(),
      credentials,
      message: { ...samples.chat, ...(to && { to }), ...message },
      mailbox: unused,
      connection: { workspace: { id: tenant } },
    })
    if (!sent || Array.isArray(sent)) throw new Error('a chat message has one outcome')
    return sent
  }
  const begin = (mode: ConnectMode, scope?: string[]) => {
    const asked = { credentials, mode, redirectUri, nonce: 'nonce-1', state: 'state-1', ...(scope && { scope }) }
    const url = msteams.oauth?.authorizeUrl(asked)
    if (typeof url !== 'string') throw new Error(url?.fault)
    return url
  }
  const redeem = (mode: ConnectMode, query: URLSearchParams, over: object = {}) =>
    msteams.oauth?.redeem({ ...tools(), credentials, mode, redirectUri, nonce: 'nonce-1', query, ...over })
  return { teams, tokens, send, begin, redeem, check: () => msteams.check?.({ ...tools(), credentials }) }
}

/** Presses a button of a page, and returns the query of the address that it leads to. */
async function press(url: string, button: 'Accept' | 'Cancel'): Promise<URLSearchParams> {
  const page = await (await fetch(url)).text()
  expect(page).toContain(`>${button}</button>`)
  const target = new URL(url)
  target.searchParams.set('button', button)
  const { headers } = await fetch(target, { redirect: 'manual' })
  const to = new URL(headers.get('location') ?? '')
  expect(to.href.startsWith(`${redirectUri}?`)).toBe(true)
  expect(to.searchParams.get('state')).toBe('state-1')
  to.searchParams.delete('state')
  return to.searchParams
}

test('an administrator consents: the tenant is known, and who came back has yet to sign in', async () => {
  const { teams, begin, redeem } = await setUp()
  teams.visitedBy(ada, customer)
  const query = await press(begin('connect'), 'Accept')
  expect(await redeem('connect', query)).toEqual({ workspace: { id: customer }, needsSignIn: true })
})

test('an administrator who declines connects nothing', async () => {
  const { teams, begin, redeem } = await setUp()
  teams.visitedBy(ada, customer)
  const query = await press(begin('connect'), 'Cancel')
  const fault =
    'It was declined at Microsoft (AADSTS65004: The resource owner or authorization server denied the request.)'
  expect(await redeem('connect', query)).toEqual({ fault })
})

test('a tenant that somebody wrote into the address is not believed, nor half a redirect', async () => {
  const { redeem } = await setUp()
  const of = (text: string) => redeem('connect', new URLSearchParams(text))
  expect(await of(`admin_consent=True&tenant=${stranger}`)).toMatchObject({
    fault: expect.stringMatching(
      /^The tenant could not be confirmed: the app is not known in that tenant.*AADSTS700016/,
    ),
  })
  const fault = 'Microsoft did not say that an administrator has consented'
  expect(await of(`tenant=${teamsApp.tenant}`)).toEqual({ fault })
  expect(await of('admin_consent=True&tenant=common')).toEqual({ fault })
})

test('further permissions are asked for when they are named', async () => {
  const { begin } = await setUp()
  expect(new URL(begin('connect')).searchParams.get('scope')).toBe('openid profile')
  const scope = 'https://graph.microsoft.com/.default'
  expect(new URL(begin('connect', [scope])).searchParams.get('scope')).toBe(scope)
})

test('a person signs in, and is known by the id in his tenant', async () => {
  const { teams, begin, redeem } = await setUp()
  teams.visitedBy(ada, customer)
  const query = await press(begin('link'), 'Accept')
  expect(await redeem('link', query)).toEqual({ workspace: { id: customer }, person: toAda })
  // The code was good once.
  expect(await redeem('link', query)).toEqual({ fault: expect.stringContaining('begin again (400 AADSTS54005') })
  const fault = 'It was declined at Microsoft (the user canceled the authentication)'
  expect(await redeem('link', await press(begin('link'), 'Cancel'))).toEqual({ fault })
  expect(await redeem('link', new URLSearchParams())).toEqual({ fault: 'Microsoft sent no code' })
})

test('a sign-in that was meant for another, or another place, is not believed', async () => {
  const { begin, redeem, teams } = await setUp()
  teams.visitedBy(ada, customer)
  const accept = () => press(begin('link'), 'Accept')
  const meant = {
    fault: expect.stringMatching(/^Microsoft: the ID token (is of another login|has expired); begin again$/),
  }
  expect(await redeem('link', await accept(), { nonce: 'nonce-2' })).toEqual(meant)
  expect(await redeem('link', await accept(), { now: new Date('2026-01-02T04:09:05Z') })).toEqual(meant)
  const elsewhere = await redeem('link', await accept(), { redirectUri: 'https://other.example' })
  expect(elsewhere).toMatchObject({ fault: expect.stringContaining('AADSTS50011') })
  const late = await accept()
  teams.advance(600_000)
  expect(await redeem('link', late)).toMatchObject({ fault: expect.stringContaining('it took too long') })
})

test('an app for a single tenant asks there', async () => {
  const { teams, begin, redeem } = await setUp({ singleTenant: true })
  expect(await (await fetch(begin('link'))).text()).toContain('AADSTS50194')
  const host = `${teams.url}/${teamsApp.tenant}`
  const { clientId, secretKey } = teamsApp
  const credentials = { clientId, secretKey, host }
  const asked = { credentials, mode: 'link', redirectUri, nonce: 'nonce-1', state: 'state-1' } as const
  const query = await press(String(msteams.oauth?.authorizeUrl(asked)), 'Accept')
  expect(await redeem('link', query, { credentials })).toMatchObject({ workspace: { id: teamsApp.tenant } })
})

test('without an app there is nothing to connect with, and a wrong secret is told', async () => {
  const { begin, redeem } = await setUp({}, { clientId: undefined })
  expect(() => begin('connect')).toThrow('the integration needs a client ID and a client secret')
  expect(await redeem('link', new URLSearchParams('code=1'))).toMatchObject({ fault: expect.stringContaining('needs') })
  const wrong = await setUp({}, { secretKey: 'another' })
  const fault = expect.stringContaining('Microsoft refused the client secret (401 AADSTS7000215')
  expect(await wrong.redeem('link', new URLSearchParams('code=1'))).toEqual({ fault })
  expect(await wrong.check()).toMatchObject({ kind: 'refused' })
})

test('posts in a channel of a customer, with a token of its own tenant', async () => {
  const { teams, send, check } = await setUp()
  teams.addChannel(channelId, customer)
  expect(await check()).toEqual({ kind: 'ok' })
  expect(await send(toChannel)).toMatchObject({ kind: 'sent', id: expect.any(String) })
  expect(teams.posted).toMatchObject([{ to: channelId, tenant: customer, activity: { type: 'message' } }])
  expect(JSON.stringify(teams.posted)).toContain('"text":"Hello Ada"')
})

test('writes to a person, and opens the chat once', async () => {
  const { teams, send } = await setUp()
  teams.addPerson(ada, customer)
  expect(await send(toAda)).toMatchObject({ kind: 'sent' })
  expect(await send(toAda, { content: 'again' })).toMatchObject({ kind: 'sent' })
  expect(teams.posted.map(({ to }) => to)).toEqual([ada, ada])
  expect(teams.requests.map(({ path }) => path.endsWith('/activities'))).toEqual([false, true, true])
})

test('a chat that the person removed is opened again', async () => {
  const { teams, send } = await setUp()
  teams.addPerson(ada, customer)
  await send(toAda)
  teams.removeChat(ada)
  expect(await send(toAda)).toMatchObject({ kind: 'sent' })
  expect(teams.posted).toHaveLength(2)
})

test('a token serves until it expires, and then another one does', async () => {
  const { teams, send } = await setUp({ tokenLifeMs: 600_000 })
  teams.addChannel(channelId, customer)
  const token = async () => {
    expect(await send(toChannel)).toMatchObject({ kind: 'sent' })
    return teams.requests.at(-1)?.authorization
  }
  const first = await token()
  teams.advance(500_000)
  expect(await token()).toBe(first)
  teams.advance(100_000)
  expect(await token()).not.toBe(first)
})

test('a token that the vendor takes no more is the integration’s fault, and forgotten it is fetched anew', async () => {
  const { teams, tokens, send } = await setUp({ tokenLifeMs: 600_000 })
  teams.addChannel(channelId, customer)
  await tokens.of('integration')('bot', async () => ({ token: 'revoked', expiresInMs: 600_000 }))
  expect(await send(toChannel)).toMatchObject({
    kind: 'rejected',
    because: 'integration',
    reason: expect.stringMatching(/^401 /),
  })
  tokens.forget('integration')
  expect(await send(toChannel)).toMatchObject({ kind: 'sent' })
})

test('one conversation is asked to wait, not the others', async () => {
  const { teams, send } = await setUp()
  teams.addChannel(channelId, customer)
  teams.addPerson(ada, customer)
  teams.throttle(channelId, 9_000)
  expect(await send(toChannel)).toMatchObject({ kind: 'retry', paces: 'target', afterMs: 9_000 })
  expect(await send(toAda)).toMatchObject({ kind: 'sent' })
  teams.throttle(ada, 2_000)
  expect(await send(toAda)).toMatchObject({ kind: 'retry', paces: 'target', afterMs: 2_000 })
  teams.advance(9_000)
  expect(await send(toChannel)).toMatchObject({ kind: 'sent' })
})

test.each(['MessageWritesBlocked', 'ConversationBlockedByUser'] as const)(
  'who blocks the bot is written to no more (%s)',
  async (blocks) => {
    const { teams, send } = await setUp({ blocks })
    teams.addPerson(ada, customer)
    teams.block(ada)
    const reason = '403 the bot was blocked or removed in this chat'
    expect(await send(toAda)).toEqual({ kind: 'rejected', reason, because: 'gone' })
    expect(teams.posted).toEqual([])
  },
)

test('where the bot is not installed it may be tomorrow', async () => {
  const { teams, send } = await setUp()
  teams.addChannel(channelId, customer, false)
  teams.addPerson(ada, customer, false)
  const roster = '403 The bot is not part of the conversation roster.'
  expect(await send(toChannel)).toEqual({ kind: 'rejected', reason: roster })
  expect(await send(toAda)).toEqual({ kind: 'rejected', reason: "403 Bot isn't installed in user's personal scope" })
  teams.install(channelId)
  teams.install(ada)
  expect([(await send(toChannel)).kind, (await send(toAda)).kind]).toEqual(['sent', 'sent'])
})

test('channels and people that are not, or are of another tenant, are gone', async () => {
  const { teams, send } = await setUp()
  expect(await send(toChannel)).toMatchObject({ kind: 'rejected', because: 'gone' })
  expect(await send(toAda)).toMatchObject({ kind: 'rejected', because: 'gone' })
  teams.addPerson(ada, customer)
  expect(await send(toAda, { tenant: stranger })).toMatchObject({ kind: 'rejected', because: 'gone' })
  expect(teams.posted).toEqual([])
})

test('a tenant of another cloud is that connection’s fault', async () => {
  const { teams, send } = await setUp({ governmentTenants: [customer] })
  teams.addChannel(channelId, customer)
  expect(await send(toChannel)).toMatchObject({ kind: 'rejected', because: 'connection' })
})

test('what is too large is refused', async () => {
  const { teams, send } = await setUp()
  teams.addChannel(channelId, customer)
  expect(await send(toChannel, { content: 'x'.repeat(60_000) })).toMatchObject({
    kind: 'rejected',
    reason: expect.stringMatching(/^413 /),
  })
})

test('two tries are the same bytes', async () => {
  const { teams, send } = await setUp()
  teams.addChannel(channelId, customer)
  teams.addPerson(ada, customer)
  for (const to of [toChannel, toAda]) {
    await send(to)
    const first = teams.requests.at(-1)
    teams.advance(1_234_567)
    await send(to)
    expect(teams.requests.at(-1)?.body).toBe(first?.body)
  }
})

test('a workflow takes a card, asks to wait, and is deleted', async () => {
  const { teams, send } = await setUp()
  const webhookUrl = teams.addWorkflow('alerts')
  const to: Endpoint = { type: 'webhook', endpoint: { url: webhookUrl } }
  expect(await send(to, { webhookUrl })).toEqual({ kind: 'sent' })
  expect(teams.posted).toMatchObject([{ to: 'alerts', activity: { type: 'message' } }])
  teams.throttle('alerts', 1_000)
  expect(await send(to, { webhookUrl })).toMatchObject({ kind: 'retry', paces: 'target', afterMs: 1_000 })
  teams.advance(1_000)
  teams.deleteWorkflow('alerts')
  expect(await send(undefined, { webhookUrl })).toMatchObject({ kind: 'rejected', because: 'gone' })
  expect(teams.requests.every(({ authorization }) => authorization === undefined)).toBe(true)
})
