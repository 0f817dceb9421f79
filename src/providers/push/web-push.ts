import { createECDH, createHash, createPrivateKey } from 'node:crypto'
import ece from 'http_ece'
import type { HttpReply } from '../../lib/outbound.ts'
import { type CheckResult, type Outcome, readReply, reasonOf, retryAfterMs } from '../outcome.ts'
import { defineProvider, named, secret, text } from '../provider.ts'
import { signJwt } from '../shared/jwt.ts'
import { parseJson } from '../shared/parse-json.ts'
import { refuseLargePush } from '../shared/push-size.ts'
import { textField } from '../shared/reply-field.ts'
import { withoutUrl } from '../shared/without-url.ts'

/**
 * RFC 8030 (the request), RFC 8291 (its encryption) and RFC 8292 (VAPID, the signature). Device tokens are what a
 * browser's `PushSubscription` holds, as JSON. RFC 8291 wants a new key and a new salt each time: two tries are never
 * the same bytes, but the browser reads the same. What the services answer is settled by
 * https://mozilla-services.github.io/autopush-rs/errors.html, Apple's "Sending web push notifications in web apps and
 * browsers", and for Edge https://learn.microsoft.com/en-us/answers/questions/940324.
 */
export default defineProvider({
  id: 'web-push',
  channel: 'push',
  displayName: 'Web Push',
  documentation: 'https://www.rfc-editor.org/rfc/rfc8030',
  verified: 'standard',
  traceable: true,
  credentials: {
    apiKey: named(text, 'VAPID public key', 'The one that your pages subscribe with (applicationServerKey).'),
    secretKey: named(secret, 'VAPID private key', 'Of the same pair. With another pair, browsers must subscribe anew.'),
    senderId: named(text, 'Contact', 'For the push services, such as mailto:ops@example.com or https://example.com.'),
  },
  endpoints: ['web_push'],
  ownAddresses: true,

  async send({ credentials, message, http, cached, now }) {
    const subscription = toSubscription(message.token)
    if (!subscription) return noSubscription
    const { headers, content } = split(message.overrides)
    const { id, title, body, data } = message
    // A browser shows notifications of one tag once.
    const plain = Buffer.from(JSON.stringify({ title, body, data, tag: id, ...content, tidings_message_id: id }))
    const tooLarge = refuseLargePush('web push', plain.length, mostBytes)
    if (tooLarge) return tooLarge
    const { origin } = subscription.url
    const access = await cached(`VAPID for ${origin}`, async () => toVapid(credentials, origin, now))
    if ('fault' in access) return access.fault
    const encrypted = encrypt(plain, subscription)
    if (!encrypted) return noSubscription
    const answer = await http({
      url: subscription.url.href,
      headers: {
        ttl: String(ttlSeconds),
        ...(!hasFewTopics(subscription.url) && { topic: topicOf(message.key) }),
        ...headers,
        authorization: access.token,
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
      },
      body: encrypted,
    })
    // The address came from a browser: whatever answers there speaks for this one subscription only.
    const outcome = readReply(answer, { success, failure, ofTarget: true })
    return withoutUrl(outcome, subscription.url.href)
  },

  async check({ credentials }): Promise<CheckResult> {
    const keys = readKeys(credentials)
    return 'fault' in keys ? { kind: 'refused', reason: keys.fault } : { kind: 'ok' }
  },
})

// 4,096 bytes, which every service takes (RFC 8030, 7.2), without what the encryption adds (RFC 8291, 4).
const mostBytes = 3_993

// Four weeks: the longest time Google keeps a push, and for how long it does so unless told otherwise.
const ttlSeconds = 28 * 86_400

type Subscription = { url: URL; p256dh: Buffer; auth: Buffer }

const noSubscription: Outcome = {
  kind: 'rejected',
  reason: "not a browser's push subscription: its endpoint, and keys.p256dh and keys.auth as base64url",
}

function toSubscription(token: string): Subscription | undefined {
  const json = parseJson(token)
  const url = URL.parse(textField(json, 'endpoint'))
  const [p256dh, auth] = ['keys.p256dh', 'keys.auth'].map((name) => Buffer.from(textField(json, name), 'base64url'))
  return url && p256dh?.length === 65 && auth?.length === 16 ? { url, p256dh, auth } : undefined
}

/** Undefined when the browser's key is no point of the curve. */
function encrypt(plain: Buffer, { p256dh, auth }: Subscription): Buffer | undefined {
  const privateKey = createECDH('prime256v1')
  privateKey.generateKeys()
  try {
    return ece.encrypt(plain, { version: 'aes128gcm', dh: p256dh, authSecret: auth, privateKey })
  } catch {
    return undefined
  }
}

/** A push that still waits for its browser is replaced by one of the same topic (RFC 8030, 5.4): by its own second try. */
function topicOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 32)
}

/**
 * Google keeps pushes of four topics for a browser that is away, and drops the rest
 * (https://github.com/webpush-wg/webpush-protocol/pull/62, …/docs/cloud-messaging/customize-messages/
 * collapsible-message-types). A topic for each message would lose messages: there, the tag has to do.
 */
function hasFewTopics({ hostname }: URL): boolean {
  return /(^|\.)(google|googleapis)\.com$/.test(hostname)
}

/** The headers of RFC 8030 under their own names; the rest is for the service worker. */
function split(overrides: Readonly<Record<string, unknown>>) {
  const isHeader = ([name, value]: [string, unknown]) =>
    /^(TTL|Urgency|Topic)$/.test(name) && /^[\w-]{1,32}$/.test(String(value))
  const entries = Object.entries(overrides)
  return {
    headers: Object.fromEntries(entries.filter(isHeader).map(([name, value]) => [name.toLowerCase(), String(value)])),
    content: Object.fromEntries(entries.filter((entry) => !isHeader(entry))),
  }
}

type Credentials = { apiKey: string; secretKey: string; senderId: string }

// RFC 8292 allows a day. Half of it leaves room for clocks that differ.
const tokenLifeMs = 12 * 3_600_000

/** The whole header, good for every message to one service. */
function toVapid(credentials: Credentials, aud: string, now: Date) {
  const keys = readKeys(credentials)
  if ('fault' in keys) return { fault: { kind: 'rejected', reason: keys.fault, because: 'integration' } as const }
  const exp = Math.floor((now.getTime() + tokenLifeMs) / 1000)
  const jwt = signJwt({ alg: 'ES256', claims: { aud, exp, sub: credentials.senderId }, key: keys.pem })
  return { token: `vapid t=${jwt}, k=${keys.publicKey}`, expiresInMs: tokenLifeMs - 3_600_000 }
}

/** The keys are what `web-push generate-vapid-keys` and others print: the bare point and the bare number. */
function readKeys({
  apiKey,
  secretKey,
  senderId,
}: Credentials): { pem: string; publicKey: string } | { fault: string } {
  // Apple refuses anything else, even a space after `mailto:`.
  if (!/^(mailto:[^\s<>@]+@[^\s<>@]+|https:\/\/[^\s<>]+)$/.test(senderId)) {
    return { fault: 'senderId is no contact: write mailto:ops@example.com or https://example.com' }
  }
  const given = Buffer.from(secretKey, 'base64url')
  const pair = createECDH('prime256v1')
  try {
    if (given.length > 32) throw new Error('more than 32 bytes')
    pair.setPrivateKey(given)
  } catch {
    return { fault: 'secretKey is not a VAPID private key: 32 bytes as base64url' }
  }
  // Some tools leave out zeros at the front, which one key in 256 has.
  const d = Buffer.concat([Buffer.alloc(32 - given.length), given])
  const point = pair.getPublicKey()
  if (!point.equals(Buffer.from(apiKey, 'base64url'))) return { fault: 'apiKey is not the public key of secretKey' }
  const x = point.toString('base64url', 1, 33)
  const y = point.toString('base64url', 33)
  const jwk = { kty: 'EC', crv: 'P-256', x, y, d: d.toString('base64url') }
  const pem = createPrivateKey({ key: jwk, format: 'jwk' }).export({ type: 'pkcs8', format: 'pem' }).toString()
  return { pem, publicKey: point.toString('base64url') }
}

/** `location` is where the push could be called off. A server that is nobody's we know may write a novel there. */
function success({ headers }: HttpReply): Outcome {
  const { location } = headers
  return { kind: 'sent', ...(location && location.length <= 500 && { id: location }) }
}

function failure(reply: HttpReply): Outcome | undefined {
  const reason = reasonOf(reply)
  switch (reply.status) {
    // Mozilla: never use it again. RFC 8030, 7.3: it expired.
    case 404:
    case 410:
      return { kind: 'rejected', reason, because: 'gone' }
    // Our pair and contact are in order (`readKeys`): what is left is a subscription that was made with another key.
    case 401:
    case 403:
      return { kind: 'rejected', reason: `${reason}: the browser may have subscribed with another VAPID public key` }
    // Microsoft's way of saying 429.
    case 406: {
      const afterMs = retryAfterMs(reply.headers['retry-after'])
      return { kind: 'retry', reason, paces: 'target', ...(afterMs !== undefined && { afterMs }) }
    }
    default:
      return undefined
  }
}
