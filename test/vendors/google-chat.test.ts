import { generateKeyPairSync } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTokenCache, type Tokens } from '../../src/core/integrations/token-cache.ts'
import googleChat from '../../src/providers/chat/google-chat.ts'
import type { Endpoint } from '../../src/providers/endpoint.ts'
import { googleOrigins, startGoogleChat } from './google-chat.ts'
import { openDoor, sendBy, toolsOf } from './through-the-door.ts'

const hour = 3_600_000
const space = (spaceId: string): Endpoint => ({ type: 'google_chat_space', endpoint: { spaceId } })

let vendor: Awaited<ReturnType<typeof startGoogleChat>>
let http: ReturnType<typeof openDoor>
let tokens: Tokens
const tools = () => toolsOf(http, { cached: tokens.of('integration 1'), now: vendor.now() })
const send = (message: object, credentials: object = { serviceAccount: vendor.serviceAccount }) =>
  sendBy(googleChat, tools(), { credentials, message })
const post = (spaceId: string, more: object = {}) => send({ to: space(spaceId), ...more })
/** Nothing but the webhook: no credentials. */
const postTo = (url: string, more: object = {}) =>
  send({ to: { type: 'webhook', endpoint: { url } }, webhookUrl: url, ...more }, {})

async function start(options: Parameters<typeof startGoogleChat>[0] = {}) {
  vendor = await startGoogleChat(options)
  http = openDoor(vendor.url, googleOrigins)
  tokens = createTokenCache(vendor.now)
  for (const name of ['AAAA', 'BBBB']) vendor.open(name)
}

beforeEach(() => start())
afterEach(() => stop())

async function stop() {
  await http.close()
  await vendor.close()
}

describe('an app', () => {
  test('posts to a space, with one token for many messages', async () => {
    expect(await post('AAAA')).toEqual({ kind: 'sent', id: 'spaces/AAAA/messages/m1' })
    expect(await post('spaces/BBBB')).toEqual({ kind: 'sent', id: 'spaces/BBBB/messages/m2' })
    expect(vendor.posted.map(({ json }) => json)).toEqual([{ text: 'Hello Ada' }, { text: 'Hello Ada' }])
    expect(vendor.tokensIssued()).toBe(1)
  })

  test('asks for another token before the old one expires', async () => {
    await post('AAAA', { key: 'one' })
    vendor.advance(hour - 2 * 60_000)
    expect(await post('AAAA', { key: 'two' })).toMatchObject({ kind: 'sent' })
    expect(vendor.tokensIssued()).toBe(1)
    vendor.advance(2 * 60_000)
    expect(await post('AAAA', { key: 'three' })).toMatchObject({ kind: 'sent' })
    expect(vendor.tokensIssued()).toBe(2)
  })

  test('whose token is good no more is refused for everybody, until the host forgets that token', async () => {
    await post('AAAA', { key: 'one' })
    vendor.revokeTokens()
    expect(await post('AAAA', { key: 'two' })).toMatchObject({ kind: 'rejected', because: 'integration' })
    tokens.forget('integration 1')
    expect(await post('AAAA', { key: 'two' })).toMatchObject({ kind: 'sent' })
  })

  test('whose account has another key gets no token', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const credentials = { serviceAccount: JSON.stringify({ ...JSON.parse(vendor.serviceAccount), private_key: pem }) }
    const outcome = await send({ to: space('AAAA') }, credentials)
    expect(outcome).toMatchObject({ kind: 'rejected', reason: '400 Invalid JWT Signature.', because: 'integration' })
    expect(await googleChat.check?.({ ...tools(), credentials })).toMatchObject({ kind: 'refused' })
    const good = { serviceAccount: vendor.serviceAccount }
    expect(await googleChat.check?.({ ...tools(), credentials: good })).toEqual({ kind: 'ok' })
    expect(vendor.posted).toEqual([])
  })

  test('tries the same message with the same bytes, and Google has it once', async () => {
    const first = await post('AAAA', { overrides: { thread: { threadKey: 'orders' } } })
    vendor.advance(2 * hour)
    expect(await post('AAAA', { overrides: { thread: { threadKey: 'orders' } } })).toEqual(first)
    const tries = vendor.requests.filter(({ url }) => url.startsWith('/v1/'))
    expect(tries).toHaveLength(2)
    expect(tries[0]?.url).toMatch(/requestId=[0-9a-f-]{36}&/)
    expect(tries[1]?.url).toBe(tries[0]?.url)
    expect(tries[1]?.body).toEqual(tries[0]?.body)
    expect(vendor.posted).toHaveLength(1)
  })

  test('that is not in a space, or restricted there, still posts to others', async () => {
    vendor.removeApp('AAAA')
    expect(await post('AAAA')).toEqual({
      kind: 'rejected',
      reason: '403 This Chat app is not a member of this space.',
    })
    vendor.open('AAAA')
    vendor.restrict('AAAA')
    expect(await post('AAAA')).toEqual({ kind: 'rejected', reason: expect.stringContaining('administrator restricts') })
    expect(await post('BBBB')).toMatchObject({ kind: 'sent' })
  })

  test('learns that a space is gone, and that a thread is not one', async () => {
    const overrides = { thread: { name: 'spaces/AAAA/threads/x' }, messageReplyOption: 'REPLY_MESSAGE_OR_FAIL' }
    expect(await post('AAAA', { overrides })).toEqual({
      kind: 'rejected',
      reason: '404 Requested entity was not found.',
    })
    vendor.remove('AAAA')
    expect(await post('AAAA')).toMatchObject({ kind: 'rejected', because: 'gone' })
  })

  test('posts what a template wrote as a card', async () => {
    const card = { header: { title: 'Order' }, sections: [{ widgets: [] }] }
    expect(await post('AAAA', { content: JSON.stringify(card) })).toMatchObject({ kind: 'sent' })
    expect(vendor.posted[0]?.json).toEqual({ cardsV2: [{ cardId: 'card', card }] })
    expect(await post('AAAA', { key: 'two', overrides: { txt: 1 } })).toEqual({
      kind: 'rejected',
      reason: '400 Invalid JSON payload received. Unknown name "txt"',
    })
  })
})

describe('the quotas', () => {
  beforeEach(async () => {
    await stop()
    await start({ limits: { perSpacePerSecond: 1, perProjectPerMinute: 3 } })
  })

  test('of a space pace that space; of the project, everybody', async () => {
    expect(await post('AAAA', { key: 'one' })).toMatchObject({ kind: 'sent' })
    expect(await post('AAAA', { key: 'two' })).toMatchObject({ kind: 'retry', paces: 'target' })
    expect(await post('BBBB', { key: 'three' })).toMatchObject({ kind: 'sent' })
    vendor.advance(1_000)
    expect(await post('AAAA', { key: 'two' })).toMatchObject({ kind: 'sent' })
    vendor.advance(1_000)
    expect(await post('BBBB', { key: 'four' })).toMatchObject({ kind: 'retry', paces: true })
    vendor.advance(60_000)
    expect(await post('BBBB', { key: 'four' })).toMatchObject({ kind: 'sent' })
    expect(vendor.posted).toHaveLength(4)
  })

  test('of a space pace its webhooks', async () => {
    const url = vendor.addWebhook('AAAA')
    expect(await postTo(url)).toMatchObject({ kind: 'sent' })
    expect(await postTo(url)).toMatchObject({ kind: 'retry', paces: 'target' })
  })
})

describe('a webhook', () => {
  test('is posted to with nothing but its address, and the same bytes at every try', async () => {
    const url = vendor.addWebhook('AAAA')
    for (let n = 0; n < 2; n++) expect(await postTo(url)).toMatchObject({ kind: 'sent' })
    expect(vendor.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined])
    const [first, second] = vendor.posted
    expect([second?.url, second?.body]).toEqual([first?.url, first?.body])
    expect(first?.url).toBe(url.slice('https://chat.googleapis.com'.length))
  })

  test('whose token is wrong is refused, and its address is not told', async () => {
    const url = vendor.addWebhook('AAAA').replace('token=token', 'token=other')
    const outcome = await postTo(url)
    expect(outcome).toEqual({ kind: 'rejected', reason: '403 The API is called without a valid token.' })
  })

  test('of a space that was deleted is gone', async () => {
    const url = vendor.addWebhook('AAAA')
    vendor.remove('AAAA')
    expect(await postTo(url)).toMatchObject({ kind: 'rejected', because: 'gone' })
  })
})
