import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { keepingCache, reply, trySend } from '../../../test/providers/try-provider.ts'
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
  badRecipient: { reply: refusal(400, 'BadDeviceToken'), because: 'gone' },
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
    ['a stale provider token is made anew', refusal(403, 'ExpiredProviderToken'), { kind: 'retry', paces: true }],
    [
      'a key Apple does not know is the integration',
      refusal(403, 'InvalidProviderToken'),
      { kind: 'rejected', reason: '403 InvalidProviderToken', because: 'integration' },
    ],
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
    expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
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

  test.each([
    ['too much for one device does not hold up the others', 429, 'TooManyRequests', { kind: 'retry' }],
    [
      'a token of another app is refused, not gone: the bundle id may be wrong',
      400,
      'DeviceTokenNotForTopic',
      { kind: 'rejected' },
    ],
  ])('%s', async (_name, status, words, outcome) => {
    const sent = await sendTo('a', { http: () => reply(status, { reason: words }) })
    expect(sent.outcome).toEqual({ ...outcome, reason: `${status} ${words}` })
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
