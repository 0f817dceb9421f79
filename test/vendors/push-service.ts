import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from 'node:crypto'
import { type HttpReceiver, type ReceivedRequest, type Scripted, startHttpReceiver } from '../peers/http-receiver.ts'

/** What a browser's `PushSubscription.toJSON()` gives, without its expiration. */
export type PushSubscription = { endpoint: string; keys: { p256dh: string; auth: string } }

export type ReceivedPush = {
  endpoint: string
  /** Decrypted. */
  json: unknown
  ttl: number
  urgency: string
  topic?: string
  /** Where the sender was told it is. */
  location: string
}

export type PushService = {
  url: string
  port: number
  /** As a browser does for a page: `applicationServerKey` is the VAPID public key. */
  subscribe(applicationServerKey: string): PushSubscription
  unsubscribe(subscription: PushSubscription): void
  /** Everything that was accepted, in order. */
  received: ReceivedPush[]
  /** What waits for a browser that is away. A push of the same topic takes the place of the one before. */
  waitingFor(subscription: PushSubscription): ReceivedPush[]
  /** Every request, also those that were refused. */
  requests: HttpReceiver['requests']
  /** Instead of an answer, until it is undefined again: for a service in trouble, or that wants its peace. */
  trouble: Scripted | undefined
  close(): Promise<void>
}

type Browser = {
  subscription: PushSubscription
  key: ECDH
  auth: Buffer
  applicationServerKey: string
  isGone: boolean
  waiting: ReceivedPush[]
}

/** As RFC 8030 has it. Services differ in how they refuse a signature: Mozilla with 401, the others with 403. */
export async function startPushService(
  options: { refusesVapidWith?: 401 | 403; mostBytes?: number; now?: () => Date; delayMs?: () => number } = {},
): Promise<PushService> {
  const { refusesVapidWith = 403, mostBytes = 4_096, now = () => new Date(), delayMs = () => 0 } = options
  const receiver = await startHttpReceiver()
  const browsers = new Map<string, Browser>()

  const service: PushService = {
    url: receiver.url,
    port: receiver.port,
    subscribe(applicationServerKey) {
      const browser = makeBrowser(receiver.url, applicationServerKey)
      browsers.set(browser.subscription.endpoint, browser)
      return browser.subscription
    },
    unsubscribe: (subscription) => {
      const browser = browsers.get(subscription.endpoint)
      if (browser) browser.isGone = true
    },
    received: [],
    waitingFor: ({ endpoint }) => browsers.get(endpoint)?.waiting ?? [],
    requests: receiver.requests,
    trouble: undefined,
    close: () => receiver.close(),
  }

  receiver.answer = (request) => {
    if (service.trouble !== undefined) return service.trouble
    const browser = browsers.get(`${receiver.url}${request.url}`)
    if (request.method !== 'POST' || !browser) return refusal(404, 102, 'Not Found')
    if (browser.isGone) return refusal(410, 106, 'Gone')
    const unsigned = faultOfVapid(String(request.headers.authorization), browser, receiver.url, now())
    if (unsigned) return refusal(refusesVapidWith, 109, unsigned)
    const bad = faultOfHeaders(request)
    if (bad) return refusal(400, 110, bad)
    if (request.body.length > mostBytes) return refusal(413, 104, 'Payload too large')
    const json = JSON.parse(decryptPush(request.body, browser).toString())
    const location = `${receiver.url}/message/${randomBytes(12).toString('base64url')}`
    const { topic } = request.headers
    const push: ReceivedPush = {
      endpoint: browser.subscription.endpoint,
      json,
      ttl: Number(request.headers.ttl),
      urgency: String(request.headers.urgency ?? 'normal'),
      ...(topic !== undefined && { topic: String(topic) }),
      location,
    }
    service.received.push(push)
    browser.waiting = browser.waiting.filter((other) => push.topic === undefined || other.topic !== push.topic)
    browser.waiting.push(push)
    return { status: 201, headers: { location, ttl: String(push.ttl) }, delayMs: delayMs() }
  }
  return service
}

function makeBrowser(url: string, applicationServerKey: string): Browser {
  const key = createECDH('prime256v1')
  key.generateKeys()
  const auth = randomBytes(16)
  const subscription = {
    endpoint: `${url}/push/${randomBytes(24).toString('base64url')}`,
    keys: { p256dh: key.getPublicKey('base64url'), auth: auth.toString('base64url') },
  }
  return { subscription, key, auth, applicationServerKey, isGone: false, waiting: [] }
}

/** With the body that Mozilla's service writes. */
function refusal(code: number, errno: number, message: string): Scripted {
  return { status: code, json: { code, errno, error: message, message } }
}

function faultOfHeaders({ headers }: ReceivedRequest): string | undefined {
  if (headers['content-encoding'] !== 'aes128gcm') return 'Unknown Content-Encoding header'
  if (!/^\d+$/.test(String(headers.ttl))) return 'Missing TTL value'
  if (headers.topic !== undefined && !/^[\w-]{1,32}$/.test(String(headers.topic))) return 'Invalid topic'
  if (!/^(undefined|very-low|low|normal|high)$/.test(String(headers.urgency))) return 'Invalid urgency'
  return undefined
}

const dayMs = 86_400_000

/** RFC 8292: signed by the key that the browser subscribed with, for this service, for a day at most. */
function faultOfVapid(header: string, browser: Browser, origin: string, now: Date): string | undefined {
  const [, head = '', claims = '', signature = '', k = ''] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), ?k=([\w-]+)$/.exec(header) ?? []
  if (k === '') return 'no VAPID header'
  if (k !== browser.applicationServerKey) return 'not the key that the subscription was made with'
  const point = Buffer.from(k, 'base64url')
  const x = point.toString('base64url', 1, 33)
  const y = point.toString('base64url', 33)
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const signed = Buffer.from(`${head}.${claims}`)
  if (!verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'))) {
    return 'the signature is wrong'
  }
  const read = (part: string): Record<string, unknown> => JSON.parse(Buffer.from(part, 'base64url').toString())
  if (read(head).alg !== 'ES256') return 'not ES256'
  const { aud, exp, sub } = read(claims)
  if (aud !== origin) return 'for another service'
  const leftMs = Number(exp) * 1000 - now.getTime()
  if (!(leftMs > 0 && leftMs <= dayMs)) return 'expired, or good for more than a day'
  return /^(mailto:|https:\/\/)/.test(String(sub)) ? undefined : 'no contact'
}

/** RFC 8188 and RFC 8291 read anew: one record, with the sender's key in its header. */
export function decryptPush(body: Buffer, { key, auth }: { key: ECDH; auth: Buffer }): Buffer {
  const salt = body.subarray(0, 16)
  const recordSize = body.readUInt32BE(16)
  const idLength = body.readUInt8(20)
  const sender = body.subarray(21, 21 + idLength)
  const record = body.subarray(21 + idLength)
  if (record.length > recordSize) throw new Error('more than one record')
  const derive = (secret: Buffer, from: Buffer, info: Buffer | string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, from, info, length))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), key.getPublicKey(), sender])
  const secret = derive(key.computeSecret(sender), auth, info, 32)
  const contentKey = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16)
  const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12)
  const decipher = createDecipheriv('aes-128-gcm', contentKey, nonce)
  decipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  // The last record's text ends with a 2, then zeros.
  const end = padded.findLastIndex((byte) => byte !== 0)
  if (padded[end] !== 2) throw new Error('not the last record')
  return padded.subarray(0, end)
}
