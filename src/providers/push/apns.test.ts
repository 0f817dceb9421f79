import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { keepingCache, reply, trySend } from '../../../test/providers/try-provider.ts'
import type { Answer } from '../../../test/vendor.ts'
import apns from './apns.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})
const credentials = {
  secretKey: privateKey,
  apiKey: 'ABC123DEFG',
  projectName: 'DEF123GHIJ',
  applicationId: 'com.example.app',
  secure: true,
}
const apnsId = 'eabeae54-14a8-11e5-b60b-1697f925ec7b'
const refusal = (status: number, reason: string) => ({ status, json: { reason } })
const integrationFaults = [
  refusal(400, 'BadTopic'),
  refusal(400, 'MissingTopic'),
  refusal(400, 'TopicDisallowed'),
  refusal(403, 'BadCertificate'),
  refusal(403, 'BadCertificateEnvironment'),
  refusal(403, 'InvalidProviderToken'),
  refusal(403, 'BadEnvironmentKeyIdInToken'),
]

providerTable(apns, {
  credentials,
  message: { overrides: { 'apns-priority': 5, 'thread-id': 'orders' } },
  request: {
    url: 'https://api.push.apple.com/3/device/device-token-1',
    headers: {
      'apns-push-type': 'alert',
      'apns-priority': '5',
      'apns-topic': 'com.example.app',
      'apns-collapse-id': samples.push.id,
    },
    json: {
      orderId: '42',
      tidings_message_id: samples.push.id,
      aps: { alert: { title: 'Hello', body: 'Hello Ada' } },
      'thread-id': 'orders',
    },
  },
  accepted: { reply: { status: 200, headers: { 'apns-id': apnsId } }, id: apnsId },
  // A 200 says all there is: the id is the one it was given.
  common: { garbage: 'sent' },
  badRecipient: { reply: refusal(400, 'BadDeviceToken') },
  replies: [
    [
      'an app that was removed is gone',
      { status: 410, json: { reason: 'Unregistered', timestamp: 1_700_000_000_000 } },
      { kind: 'rejected', reason: '410 Unregistered', because: 'gone' },
    ],
    ['an expired device token is gone', refusal(410, 'ExpiredToken'), { kind: 'rejected', because: 'gone' }],
    [
      'too many new provider tokens pace everybody',
      refusal(429, 'TooManyProviderTokenUpdates'),
      { kind: 'retry', paces: true },
    ],
    [
      'a provider token that is stale although it is new waits: a clock is wrong',
      refusal(403, 'ExpiredProviderToken'),
      { kind: 'retry', paces: true },
    ],
    ['a connection that was idle for too long took nothing', refusal(400, 'IdleTimeout'), { kind: 'retry' }],
    ...integrationFaults.map((it): [string, Answer, { kind: 'rejected'; because: 'integration' }] => [
      `${it.json.reason} is the integration`,
      it,
      { kind: 'rejected', because: 'integration' },
    ]),
    ['a server that shuts down did not take it', refusal(503, 'Shutdown'), { kind: 'retry' }],
  ],
})

const sendTo = (token: string, more: object = {}) =>
  trySend(apns, { credentials, message: { token }, http: () => reply(200), ...more })

describe('apns', () => {
  test('speaks HTTP/2, and to the sandbox unless told otherwise', async () => {
    const { requests } = await sendTo('a/b', { credentials: { ...credentials, secure: false } })
    expect(requests[0]).toMatchObject({ http2: true, url: 'https://api.sandbox.push.apple.com/3/device/a%2Fb' })
  })

  test('each device has its own apns-id, the same at every try', async () => {
    const idOf = async (token: string) => (await sendTo(token)).requests[0]?.headers?.['apns-id']
    const first = await idOf('a')
    expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(await idOf('a')).toBe(first)
    expect(await idOf('b')).not.toBe(first)
    expect((await sendTo('a')).outcome).toEqual({ kind: 'sent', id: first })
  })

  test('signs a provider token with the .p8 key, once for many messages', async () => {
    const cached = keepingCache()
    const tokenOf = async (now: Date) =>
      (await sendTo('a', { cached, now })).requests[0]?.headers?.authorization?.replace('bearer ', '') ?? ''
    const token = await tokenOf(new Date(1_700_000_000_500))
    const [header = '', claims = '', signature = ''] = token.split('.')
    const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString())
    expect(read(header)).toEqual({ alg: 'ES256', typ: 'JWT', kid: 'ABC123DEFG' })
    expect(read(claims)).toEqual({ iss: 'DEF123GHIJ', iat: 1_700_000_000 })
    const key = { key: createPublicKey(publicKey), dsaEncoding: 'ieee-p1363' } as const
    expect(verify('sha256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'))).toBe(true)
    expect(await tokenOf(new Date(1_700_000_900_000))).toBe(token)
  })

  test('a provider token lives longer than 20 minutes and shorter than an hour', async () => {
    let life = 0
    await sendTo('a', {
      cached: async (_name: string, fetch: () => Promise<{ token: string; expiresInMs: number }>) => {
        const made = await fetch()
        life = made.expiresInMs
        return made
      },
    })
    expect(life).toBeGreaterThan(20 * 60_000)
    expect(life).toBeLessThan(60 * 60_000)
  })

  test('a key that is none is the fault of the integration, and nothing leaves', async () => {
    const { outcome, requests } = await sendTo('a', { credentials: { ...credentials, secretKey: 'nonsense' } })
    expect(outcome).toMatchObject({ kind: 'rejected', because: 'integration' })
    expect(requests).toEqual([])
  })

  test('too much for one device does not hold up the others', async () => {
    const sent = await sendTo('a', { http: () => reply(429, { reason: 'TooManyRequests' }) })
    expect(sent.outcome).toEqual({ kind: 'retry', reason: '429 TooManyRequests', paces: 'target' })
  })

  test.each([
    [
      'a bad token',
      'BadDeviceToken',
      '400 BadDeviceToken: the token may be of the other environment: check "Production"',
    ],
    [
      'a token of another app',
      'DeviceTokenNotForTopic',
      '400 DeviceTokenNotForTopic: the token may be of another app or of the other environment: check "Bundle ID" and "Production"',
    ],
  ])('%s is refused, and neither gone nor the fault of the integration', async (_name, words, reason) => {
    const sent = await sendTo('a', { http: () => reply(400, { reason: words }) })
    expect(sent.outcome).toEqual({ kind: 'rejected', reason })
  })

  test('a topic that does not fit a kind of push that the trigger names is the fault of this message', async () => {
    const message = { token: 'a', overrides: { 'apns-push-type': 'voip' } }
    const sent = await sendTo('a', { message, http: () => reply(400, { reason: 'TopicDisallowed' }) })
    expect(sent.outcome).toEqual({ kind: 'rejected', reason: '400 TopicDisallowed' })
  })

  test('a stale provider token is followed by a new one, once, and both are kept', async () => {
    const cached = keepingCache()
    const send = async (now: Date) => {
      const stale = (await cached('provider token', async () => ({ token: 'stale', expiresInMs: 1 }))) as {
        token: string
      }
      const vendor = ({ headers }: { headers?: Readonly<Record<string, string>> }) =>
        headers?.authorization === `bearer ${stale.token}`
          ? reply(403, { reason: 'ExpiredProviderToken' })
          : reply(200, undefined, { 'apns-id': apnsId })
      return sendTo('a', { cached, now, http: vendor })
    }
    const first = await send(new Date(1_700_000_000_000))
    expect(first.outcome).toEqual({ kind: 'sent', id: apnsId })
    expect(first.requests).toHaveLength(2)
    expect(first.requests[1]).toEqual({ ...first.requests[0], headers: first.requests[1]?.headers })
    // Apple takes no new token within 20 minutes.
    const second = await send(new Date(1_700_000_060_000))
    expect(second.requests.map(({ headers }) => headers?.authorization)).toEqual(
      first.requests.map(({ headers }) => headers?.authorization),
    )
  })

  test.each([
    ['alert', 4_096],
    ['voip', 5_120],
  ])('a push larger than Apple takes (%s) does not leave', async (type, limit) => {
    const sizeOf = (request: { json?: unknown } | undefined) => Buffer.byteLength(JSON.stringify(request?.json))
    const tried = (body: string) =>
      sendTo('a', { message: { token: 'a', body, overrides: { 'apns-push-type': type } } })
    const most = 'x'.repeat(limit - sizeOf((await tried('')).requests[0]))
    expect(await tried(most)).toMatchObject({ outcome: { kind: 'sent' }, requests: [{}] })
    const [larger, taken] = [limit + 1, limit].map((bytes) => bytes.toLocaleString('en-US'))
    expect(await tried(`${most}x`)).toMatchObject({
      outcome: {
        kind: 'rejected',
        reason: `the push is ${larger} bytes; Apple takes ${taken}: shorten the text or the data`,
      },
      requests: [],
    })
  })

  test('a trigger changes the payload and the headers of delivery, not the topic or the login', async () => {
    const overrides = {
      aps: { 'content-available': 1 },
      'apns-push-type': 'background',
      'apns-topic': 'x',
      authorization: 'y',
    }
    const { requests } = await sendTo('a', { message: { token: 'a', overrides } })
    expect(requests[0]?.headers).toMatchObject({ 'apns-push-type': 'background', 'apns-topic': 'com.example.app' })
    expect(requests[0]?.headers?.authorization).toMatch(/^bearer ey/)
    expect(requests[0]?.json).toMatchObject({ aps: { 'content-available': 1 } })
  })

  test('what is no header does not become one', async () => {
    const overrides = { 'apns-expiration': '0\r\nx-evil: 1', 'apns-x\r\ny': '1' }
    const { requests } = await sendTo('a', { message: { token: 'a', overrides } })
    expect(JSON.stringify(requests[0]?.headers)).not.toMatch(/evil|\\r/)
  })
})
