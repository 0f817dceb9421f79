import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { keepingCache, reply, tryProvider, trySend } from '../../../test/providers/try-provider.ts'
import type { HttpReply, HttpRequest } from '../../lib/outbound.ts'
import { uuidOf } from '../shared/uuid-of.ts'
import googleChat from './google-chat.ts'

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})
const account = {
  client_email: 'bot@my-project.iam.gserviceaccount.com',
  private_key: privateKey,
  private_key_id: 'k1',
}
const credentials = { serviceAccount: JSON.stringify(account) }
const grant = { access_token: 'ya29.token', expires_in: 3599, token_type: 'Bearer' }
const requestId = uuidOf(samples.chat.key)
const spaceUrl = 'https://chat.googleapis.com/v1/spaces/AAAAMpdlehY/messages'
const hook = `${spaceUrl}?key=AIzaSyDdI0hCZtE6vySjMm-WEfRq3CPzqKqqsHI&token=s3cret-token_of%3Dthis`
const webhook = { type: 'webhook', endpoint: { url: hook } } as const
const name = 'spaces/AAAAMpdlehY/messages/UMxbHmzDlr4.UMxbHmzDlr4'

const error = (code: number, status: string, message: string, details: unknown[] = []) => ({
  status: code,
  json: { error: { code, message, status, ...(details.length > 0 && { details }) } },
})
const errorInfo = (reason: string, metadata: object = {}) => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain: 'googleapis.com',
  metadata: { service: 'chat.googleapis.com', ...metadata },
})
const notFound = error(404, 'NOT_FOUND', 'Requested entity was not found.')

/** By an app. */
providerTable(googleChat, {
  credentials,
  message: { overrides: { thread: { threadKey: 'orders' } } },
  before: { 'oauth2.googleapis.com/token': { json: grant } },
  request: {
    url: `${spaceUrl}?requestId=${requestId}&messageReplyOption=REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD`,
    headers: { authorization: 'Bearer ya29.token', 'content-type': 'application/json; charset=UTF-8' },
    json: { text: 'Hello Ada', thread: { threadKey: 'orders' } },
  },
  accepted: { reply: { json: { name, text: 'Hello Ada' } }, id: name },
  badRecipient: { reply: notFound, because: 'gone' },
  paces: 'target',
  replies: [
    [
      'an app that is not in the space',
      error(403, 'PERMISSION_DENIED', 'This Chat app is not a member of this space.'),
      { kind: 'rejected', reason: '403 This Chat app is not a member of this space.' },
    ],
    [
      'a project without a Chat app is the integration',
      error(404, 'NOT_FOUND', 'Google Chat app not found. To create a Chat app, you must turn on the Chat API.'),
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'an API that is not enabled is the integration',
      error(403, 'PERMISSION_DENIED', 'Google Chat API has not been used in project 1', [
        errorInfo('SERVICE_DISABLED'),
      ]),
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'a token that is not good is the integration',
      error(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.'),
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'a field that is none',
      error(400, 'INVALID_ARGUMENT', 'Invalid JSON payload received. Unknown name "txt"'),
      { kind: 'rejected', reason: '400 Invalid JSON payload received. Unknown name "txt"' },
    ],
    [
      'a quota paces the space',
      error(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).'),
      { kind: 'retry', paces: 'target' },
    ],
    [
      'the quota of a space paces it, whatever else is named',
      error(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded', [
        errorInfo('RATE_LIMIT_EXCEEDED', { quota_limit: 'WritesPerMinutePerProjectPerSpace' }),
      ]),
      { kind: 'retry', paces: 'target' },
    ],
    [
      'the quota of the project paces everybody',
      error(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded', [
        errorInfo('RATE_LIMIT_EXCEEDED', { quota_limit: 'MessageWritesPerMinutePerProject' }),
      ]),
      { kind: 'retry', paces: true },
    ],
  ],
})

describe('by an app', () => {
  const google = (answer: HttpReply) => (request: HttpRequest) =>
    request.url.includes('oauth2') ? reply(200, grant) : answer
  const accepted = google(reply(200, { name }))

  test('an administrator who restricts the app does so for that space', async () => {
    const said = "This organization's administrator restricts this Chat app from performing this action"
    const { status, json } = error(403, 'PERMISSION_DENIED', said)
    const { outcome } = await trySend(googleChat, { credentials, http: google(reply(status, json)) })
    expect(outcome).toEqual({ kind: 'rejected', reason: `403 ${said}` })
  })

  test('what Chat itself says with details is that space’s too', async () => {
    const info = { ...errorInfo('MEMBERSHIP_REQUIRED'), domain: 'chat.googleapis.com' }
    const { status, json } = error(403, 'PERMISSION_DENIED', 'No.', [info])
    const { outcome } = await trySend(googleChat, { credentials, http: google(reply(status, json)) })
    expect(outcome).toEqual({ kind: 'rejected', reason: '403 No.' })
  })

  test.each(['AAAAMpdlehY', 'spaces/AAAAMpdlehY'])('the space may be written as %s', async (spaceId) => {
    const to = { type: 'google_chat_space', endpoint: { spaceId } } as const
    const { requests } = await trySend(googleChat, { credentials, message: { to }, http: accepted })
    expect(requests[1]?.url).toBe(`${spaceUrl}?requestId=${requestId}`)
  })

  test('a space leads to no other path', async () => {
    const to = { type: 'google_chat_space', endpoint: { spaceId: '../x?y' } } as const
    const { requests } = await trySend(googleChat, { credentials, message: { to }, http: accepted })
    expect(requests[1]?.url).toContain('/v1/spaces/..%2Fx%3Fy/messages?')
  })

  test('a thread that is missing is not the space', async () => {
    const message = { overrides: { thread: { name: 'x' }, messageReplyOption: 'REPLY_MESSAGE_OR_FAIL' } }
    const { outcome, requests } = await trySend(googleChat, {
      credentials,
      message,
      http: google(reply(404, notFound.json)),
    })
    expect(requests[1]?.url).toContain('&messageReplyOption=REPLY_MESSAGE_OR_FAIL')
    expect(requests[1]?.json).toEqual({ text: 'Hello Ada', thread: { name: 'x' } })
    expect(outcome).toEqual({ kind: 'rejected', reason: '404 Requested entity was not found.' })
  })

  test('a page of no API is not the space', async () => {
    const { outcome } = await trySend(googleChat, { credentials, http: google({ ...reply(404), text: '<h1>' }) })
    expect(outcome).toEqual({ kind: 'rejected', reason: '404 <h1>' })
  })

  test('one token serves many messages, and asks for the scope of bots', async () => {
    const cached = keepingCache()
    const first = await trySend(googleChat, { credentials, http: accepted, cached })
    expect(first.requests).toHaveLength(2)
    const assertion = new URLSearchParams(Object(first.requests[0]?.form)).get('assertion') ?? ''
    const claims: unknown = JSON.parse(Buffer.from(assertion.split('.')[1] ?? '', 'base64url').toString())
    expect(claims).toMatchObject({ iss: account.client_email, scope: 'https://www.googleapis.com/auth/chat.bot' })
    expect((await trySend(googleChat, { credentials, http: accepted, cached })).requests).toHaveLength(1)
  })

  test('without a service account only webhooks can be posted to', async () => {
    const { outcome, requests } = await trySend(googleChat, { http: accepted })
    expect(outcome).toEqual({ kind: 'rejected', reason: expect.stringContaining('no serviceAccount') })
    expect(requests).toEqual([])
  })

  test.each([
    ['no JSON', 'nonsense'],
    ['without a key', JSON.stringify({ ...account, private_key: undefined })],
    ['with a key that is none', JSON.stringify({ ...account, private_key: 'x' })],
  ])('a service account %s is the fault of the integration', async (_name, serviceAccount) => {
    const tried = tryProvider(googleChat, { credentials: { serviceAccount }, http: accepted })
    expect(await tried.send()).toMatchObject({ kind: 'rejected', because: 'integration' })
    expect(await tried.check()).toMatchObject({ kind: 'refused' })
    expect(tried.requests).toEqual([])
  })

  test('checks its credentials by asking for a token', async () => {
    const check = async (token: HttpReply) =>
      (await tryProvider(googleChat, { credentials, http: [token] }).check())?.kind
    expect(await check(reply(200, grant))).toBe('ok')
    expect(await check(reply(400, { error: 'invalid_grant' }))).toBe('refused')
    expect(await check(reply(503))).toBe('unreachable')
    expect(await tryProvider(googleChat, {}).check()).toEqual({ kind: 'ok' })
  })
})

/** By a webhook. */
providerTable(googleChat, {
  credentials,
  message: { to: webhook, webhookUrl: hook },
  request: { url: hook, json: { text: 'Hello Ada' } },
  accepted: { reply: { json: { name, thread: { name: 'spaces/AAAAMpdlehY/threads/1' } } }, id: name },
  badRecipient: { reply: notFound, because: 'gone' },
  ofTarget: true,
  replies: [
    [
      'a token that is wrong is that webhook’s',
      error(403, 'PERMISSION_DENIED', 'The API is called without a valid token.'),
      { kind: 'rejected', reason: '403 The API is called without a valid token.' },
    ],
    [
      'a key that is wrong is that webhook’s',
      error(400, 'INVALID_ARGUMENT', 'API key not valid.', [errorInfo('API_KEY_INVALID')]),
      { kind: 'rejected', reason: '400 API key not valid.' },
    ],
  ],
})

describe('by a webhook', () => {
  const send = (over: object, answer = reply(200, { name })) =>
    trySend(googleChat, { message: { to: webhook, webhookUrl: hook, ...over }, http: () => answer })

  test('the address is in no reason, and goes nowhere else', async () => {
    const { outcome, requests } = await send({}, { ...reply(502), text: `Cannot POST ${hook}` })
    expect(outcome).toEqual({ kind: 'unknown', reason: '502 Cannot POST …' })
    expect(requests).toHaveLength(1)
    const { outcome: other } = await send({}, reply(403, { error: { message: 'bad token s3cret-token_of=this' } }))
    expect(other).toEqual({ kind: 'rejected', reason: '403 bad token …' })
  })

  test('an account is none of its business', async () => {
    const message = { to: webhook, webhookUrl: 'https://elsewhere.example/hook' }
    const { requests } = await trySend(googleChat, { credentials, message, http: () => reply(200, { name }) })
    expect(requests).toHaveLength(1)
    expect(requests[0]?.headers).toEqual({ 'content-type': 'application/json; charset=UTF-8' })
  })

  test('a thread is answered, unless the address says how', async () => {
    const overrides = { thread: { threadKey: 'a' } }
    const option = 'messageReplyOption=REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD'
    expect((await send({ overrides })).requests[0]?.url).toBe(`${hook}&${option}`)
    const own = `${hook}&messageReplyOption=REPLY_MESSAGE_OR_FAIL`
    expect((await send({ overrides, webhookUrl: own })).requests[0]?.url).toBe(own)
    const { outcome } = await send({ overrides, webhookUrl: own }, reply(404, notFound.json))
    expect(outcome).toEqual({ kind: 'rejected', reason: '404 Requested entity was not found.' })
  })
})

describe('the message', () => {
  const bodyOf = async (content: string, overrides = {}) => {
    const message = { to: webhook, webhookUrl: hook, content, overrides }
    return (await trySend(googleChat, { message, http: () => reply(200, { name }) })).requests[0]?.json
  }
  const card = { sections: [{ widgets: [{ textParagraph: { text: 'Hi' } }] }] }

  test.each([
    ['a text', 'Hello', { text: 'Hello' }],
    ['a message', JSON.stringify({ cardsV2: [{ card }] }), { cardsV2: [{ card }] }],
    ['a text in JSON', ' {"text":"Hi"}', { text: 'Hi' }],
    ['a card', JSON.stringify(card), { cardsV2: [{ cardId: 'card', card }] }],
    ['JSON that is neither', '{"a":1}', { text: '{"a":1}' }],
    ['what only begins like JSON', '{hello', { text: '{hello' }],
  ])('%s', async (_name, content, expected) => expect(await bodyOf(content)).toEqual(expected))

  test('a trigger adds to it', async () => {
    expect(await bodyOf('Hello', { cardsV2: [{ card }], messageReplyOption: 'X' })).toEqual({
      text: 'Hello',
      cardsV2: [{ card }],
    })
  })

  test('more than Google Chat takes does not leave', async () => {
    const tried = (content: string) =>
      trySend(googleChat, { message: { to: webhook, webhookUrl: hook, content }, http: () => reply(200, { name }) })
    expect((await tried('ü'.repeat(16_000))).outcome).toMatchObject({ kind: 'sent' })
    const reason = 'the message has 32,001 bytes of text; Google Chat takes 32,000: shorten it'
    expect(await tried(`x${'ü'.repeat(16_000)}`)).toMatchObject({ outcome: { kind: 'rejected', reason }, requests: [] })
    const cards = JSON.stringify({
      sections: [{ header: 'x', widgets: [{ textParagraph: { text: 'x'.repeat(32_000) } }] }],
    })
    expect((await tried(cards)).outcome).toMatchObject({ kind: 'rejected', reason: expect.stringContaining('32,005') })
  })

  test.each([
    ['nowhere', undefined],
    ['an empty space', { type: 'google_chat_space', endpoint: { spaceId: 'spaces/' } } as const],
    ['elsewhere', { type: 'ntfy_topic', endpoint: { topic: 'x' } } as const],
  ])('%s is refused before anything is sent', async (_name, to) => {
    const { outcome, requests } = await trySend(googleChat, { credentials, message: { to } })
    expect(outcome).toEqual({ kind: 'rejected', reason: expect.stringContaining('a space or to a webhook') })
    expect(requests).toEqual([])
  })
})
