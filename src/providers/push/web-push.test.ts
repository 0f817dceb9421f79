import { createECDH } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { laterTry, samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { keepingCache, reply, tryProvider, trySend } from '../../../test/providers/try-provider.ts'
import { decryptPush } from '../../../test/vendors/push-service.ts'
import webPush from './web-push.ts'

// The example of RFC 8291, section 5.
const browser = createECDH('prime256v1')
browser.setPrivateKey('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94', 'base64url')
const auth = 'BTBZMqHH6r4Tts7J_aSIgg'
const p256dh = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'
const decrypt = (body: Buffer) => decryptPush(body, { key: browser, auth: Buffer.from(auth, 'base64url') }).toString()

const pair = createECDH('prime256v1')
pair.generateKeys()
const credentials = {
  apiKey: pair.getPublicKey('base64url'),
  secretKey: pair.getPrivateKey('base64url'),
  senderId: 'mailto:ops@example.com',
}
const secretPath = '/wpush/v2/gAAAAABk-secret-of-this-browser'
const endpoint = `https://updates.push.services.mozilla.com${secretPath}`
const tokenOf = (changes: { endpoint?: string; p256dh?: string; auth?: string } = {}) =>
  JSON.stringify({ endpoint: changes.endpoint ?? endpoint, keys: { p256dh, auth, ...changes } })
const token = tokenOf()
const mozilla = (code: number, errno: number, message: string) => ({ status: code, json: { code, errno, message } })
const messageUrl = 'https://updates.push.services.mozilla.com/m/gAAAAABk-message'
const plain = {
  title: 'Hello',
  body: 'Hello Ada',
  data: { orderId: '42' },
  tag: samples.push.id,
  tidings_message_id: samples.push.id,
}

providerTable(webPush, {
  credentials,
  message: { token },
  decrypt,
  request: {
    url: endpoint,
    headers: { ttl: '2419200', 'content-encoding': 'aes128gcm', 'content-type': 'application/octet-stream' },
    json: plain,
  },
  accepted: { reply: { status: 201, headers: { location: messageUrl } }, id: messageUrl },
  // Any 2xx says that it was accepted; not every service says where.
  common: { garbage: 'sent' },
  ofTarget: true,
  badRecipient: { reply: mozilla(404, 102, 'Not Found'), because: 'gone' },
  replies: [
    ['Apple and Microsoft answer with 200 or 202, without a place', { status: 202 }, { kind: 'sent' }],
    [
      'a subscription that the browser ended is gone',
      mozilla(410, 106, 'Gone'),
      { kind: 'rejected', because: 'gone', reason: '410 Gone' },
    ],
    ['what is too large for a service is refused', mozilla(413, 104, 'Too large'), { kind: 'rejected' }],
    [
      'Microsoft asks to wait with a 406, as to this browser',
      { status: 406, headers: { 'retry-after': '60' } },
      { kind: 'retry', paces: 'target', afterMs: 60_000 },
    ],
    ['a service without its bridge may have sent it', mozilla(502, 902, 'Bad Gateway'), { kind: 'unknown' }],
    ['a service that is away did not take it', mozilla(503, 201, 'Use back-off'), { kind: 'retry' }],
  ],
})

const send = (more: Parameters<typeof trySend>[1] = {}) =>
  trySend(webPush, { credentials, http: () => reply(201), ...more, message: { token, ...more.message } })
const bodyOf = (body: unknown) => (Buffer.isBuffer(body) ? body : Buffer.alloc(0))

describe('web-push', () => {
  test('two tries differ in every byte that is encrypted, and are the same to the browser and by their topic', async () => {
    const [first] = (await send()).requests
    const [second] = (await send({ now: laterTry })).requests
    expect(bodyOf(first?.body).equals(bodyOf(second?.body))).toBe(false)
    // The salt, and our key for this one message.
    expect(bodyOf(first?.body).subarray(0, 16)).not.toEqual(bodyOf(second?.body).subarray(0, 16))
    expect(bodyOf(first?.body).subarray(21, 86)).not.toEqual(bodyOf(second?.body).subarray(21, 86))
    expect(decrypt(bodyOf(first?.body))).toBe(decrypt(bodyOf(second?.body)))
    expect(first?.headers?.topic).toMatch(/^[\w-]{32}$/)
    expect(second?.headers?.topic).toBe(first?.headers?.topic)
    const [other] = (await send({ message: { key: 'another key' } })).requests
    expect(other?.headers?.topic).not.toBe(first?.headers?.topic)
  })

  test.each([
    ['https://fcm.googleapis.com/fcm/send/abc', undefined],
    ['https://jmt17.google.com/fcm/send/abc', undefined],
    ['https://web.push.apple.com/abc', expect.any(String)],
    ['https://notgoogle.com/abc', expect.any(String)],
  ])('%s: no topic where only four are kept for a browser that is away', async (at, topic) => {
    const [request] = (await send({ message: { token: tokenOf({ endpoint: at }) } })).requests
    expect(request?.headers?.topic).toEqual(topic)
  })

  test('a trigger sets the headers by their names, and gives the rest to the service worker', async () => {
    const overrides = { TTL: 60, Urgency: 'high', Topic: 'score', icon: '/i.png', tag: 'game', tidings_message_id: 'x' }
    const [request] = (await send({ message: { overrides } })).requests
    expect(request?.headers).toMatchObject({ ttl: '60', urgency: 'high', topic: 'score' })
    expect(JSON.parse(decrypt(bodyOf(request?.body)))).toEqual({ ...plain, icon: '/i.png', tag: 'game' })
  })

  test('a header that cannot be one is left to the service worker', async () => {
    const overrides = { TTL: 'soon\r\nx: y', authorization: 'mine' }
    const [request] = (await send({ message: { overrides } })).requests
    expect(request?.headers).toMatchObject({ ttl: '2419200', authorization: expect.stringMatching(/^vapid t=/) })
    expect(JSON.parse(decrypt(bodyOf(request?.body)))).toMatchObject(overrides)
  })

  test('a push larger than every service takes does not leave; the largest fills 4,096 bytes', async () => {
    const rest = Buffer.byteLength(JSON.stringify({ ...plain, body: '' }))
    const most = 'x'.repeat(3_993 - rest)
    const largest = await send({ message: { body: most } })
    expect(largest.outcome).toEqual({ kind: 'sent' })
    expect(bodyOf(largest.requests[0]?.body)).toHaveLength(4_096)
    const reason = 'the push is 3,994 bytes; web push takes 3,993: shorten the text or the data'
    expect(await send({ message: { body: `${most}x` } })).toMatchObject({
      outcome: { kind: 'rejected', reason },
      requests: [],
    })
  })

  test.each([
    ['no JSON', 'device-token-1'],
    ['a URL alone', endpoint],
    ['no URL', tokenOf({ endpoint: 'nowhere' })],
    ['a key that is too short', tokenOf({ p256dh: p256dh.slice(4) })],
    ['a key that is no point of the curve', tokenOf({ p256dh: Buffer.alloc(65, 4).toString('base64url') })],
    ['a secret that is too short', tokenOf({ auth: 'AAAA' })],
  ])('%s is no subscription: refused, and the fault of nobody else', async (_name, bad) => {
    const { outcome, requests } = await send({ message: { token: bad } })
    expect(outcome).toEqual({ kind: 'rejected', reason: expect.stringContaining('push subscription') })
    expect(requests).toEqual([])
  })

  test.each([401, 403])(
    '%i is of this subscription: one made with another key, or a hostile address',
    async (status) => {
      const http = () => reply(status, { message: `no such key for ${secretPath}` })
      const { outcome } = await send({ http })
      expect(outcome).toEqual({
        kind: 'rejected',
        reason: `${status} no such key for …: the browser may have subscribed with another VAPID public key`,
      })
    },
  )

  test('what a server tells as the place of a push is kept only as far as it can be one', async () => {
    const tried = (location: string) => send({ http: () => reply(201, undefined, { location }) })
    expect((await tried(messageUrl)).outcome).toEqual({ kind: 'sent', id: messageUrl })
    expect((await tried('x'.repeat(501))).outcome).toEqual({ kind: 'sent' })
  })

  test('signs once for all messages to one service, and anew for another', async () => {
    const cached = keepingCache()
    const signed = async (at: string) =>
      (await send({ cached, message: { token: tokenOf({ endpoint: at }) } })).requests[0]?.headers?.authorization
    const first = await signed('https://push.example.com/a')
    expect(await signed('https://push.example.com/b')).toBe(first)
    const other = await signed('https://push.example.org/a')
    expect(other).not.toBe(first)
    const claims = JSON.parse(Buffer.from(other?.split('.')[1] ?? '', 'base64url').toString())
    // 12 hours after the samples' now.
    const exp = 1_767_323_045 + 43_200
    expect(claims).toEqual({ aud: 'https://push.example.org', exp, sub: 'mailto:ops@example.com' })
    expect(other?.endsWith(`, k=${credentials.apiKey}`)).toBe(true)
  })

  const other = createECDH('prime256v1')
  other.generateKeys()
  test.each([
    ['keys of two pairs', { apiKey: other.getPublicKey('base64url') }, 'apiKey is not the public key of secretKey'],
    ['a private key that is none', { secretKey: 'AAAA' }, 'secretKey is not a VAPID private key'],
    ['a private key that is too long', { secretKey: credentials.apiKey }, 'secretKey is not a VAPID private key'],
    ['a private key of zeros', { secretKey: Buffer.alloc(32).toString('base64url') }, 'secretKey is not'],
    ['a bare address', { senderId: 'ops@example.com' }, 'senderId is no contact'],
    [
      'a contact with a space, which Apple refuses',
      { senderId: 'mailto: <ops@example.com>' },
      'senderId is no contact',
    ],
  ])('%s: refused by the check, and the fault of the integration', async (_name, changes, reason) => {
    const bad = { ...credentials, ...changes }
    expect(await tryProvider(webPush, { credentials: bad }).check()).toEqual({
      kind: 'refused',
      reason: expect.stringContaining(reason),
    })
    const { outcome, requests } = await send({ credentials: bad })
    expect(outcome).toMatchObject({ kind: 'rejected', because: 'integration', reason: expect.stringContaining(reason) })
    expect(requests).toEqual([])
  })

  test('a private key that begins with a zero is one, written with the zero or without', async () => {
    const short = createECDH('prime256v1')
    short.setPrivateKey(Buffer.alloc(31, 7))
    const apiKey = short.getPublicKey('base64url')
    for (const bytes of [Buffer.alloc(31, 7), Buffer.concat([Buffer.alloc(1), Buffer.alloc(31, 7)])]) {
      const keys = { ...credentials, apiKey, secretKey: bytes.toString('base64url') }
      expect(await tryProvider(webPush, { credentials: keys }).check()).toEqual({ kind: 'ok' })
      expect((await send({ credentials: keys })).outcome).toEqual({ kind: 'sent' })
    }
  })

  test('the check needs no call', async () => {
    const tried = tryProvider(webPush, { credentials })
    expect(await tried.check()).toEqual({ kind: 'ok' })
    // As some tools write them.
    const padded = { ...credentials, apiKey: pair.getPublicKey('base64'), senderId: 'https://example.com/contact' }
    expect(await tryProvider(webPush, { credentials: padded }).check()).toEqual({ kind: 'ok' })
    expect(tried.requests).toEqual([])
  })
})
