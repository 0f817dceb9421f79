import type { Fault, HttpReply } from '../../lib/outbound.ts'
import { type Outcome, readReply, reasonOf } from '../outcome.ts'
import { defineProvider, flag, named, secret, text, where } from '../provider.ts'
import { signJwt } from '../shared/jwt.ts'
import { bytesOf, refuseLargePush } from '../shared/push-size.ts'
import { field } from '../shared/reply-field.ts'
import { uuidOf } from '../shared/uuid-of.ts'

/**
 * Settled by https://developer.apple.com/documentation/usernotifications/handling-notification-responses-from-apns,
 * …/establishing-a-token-based-connection-to-apns and …/generating-a-remote-notification.
 */
export default defineProvider({
  id: 'apns',
  channel: 'push',
  displayName: 'APNs',
  documentation: 'https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns',
  verified: 'documentation',
  traceable: true,
  credentials: {
    secretKey: named(secret, 'Private key (.p8 file)', 'Its whole text.'),
    apiKey: named(secret, 'Key ID', 'Ten characters, in the name of the .p8 file.'),
    projectName: named(text, 'Team ID', 'Ten characters, from the membership details of the developer account.'),
    applicationId: named(text, 'Bundle ID', 'Of the app, such as com.example.app.'),
    secure: named(where(flag), 'Production', 'Off: the sandbox of Apple, for apps under development.'),
  },

  async send({ credentials, message, http, cached, now }) {
    const { secretKey, apiKey, projectName } = credentials
    const sign = async () => toToken({ secretKey, apiKey, projectName, now })
    const access = await cached('provider token', sign)
    if ('fault' in access) return access.fault
    const { headers, body } = split(message.overrides)
    const host = credentials.secure ? 'api.push.apple.com' : 'api.sandbox.push.apple.com'
    const id = uuidOf(`${message.key} ${message.token}`)
    const request = (token: string) => ({
      http2: true as const,
      url: `https://${host}/3/device/${encodeURIComponent(message.token)}`,
      headers: {
        'apns-push-type': 'alert',
        'apns-priority': '10',
        // A message sent twice is shown once.
        'apns-collapse-id': message.id,
        ...headers,
        'apns-topic': credentials.applicationId,
        'apns-id': id,
        authorization: `bearer ${token}`,
      },
      json: {
        ...message.data,
        tidings_message_id: message.id,
        aps: { alert: { title: message.title, body: message.body } },
        ...body,
      },
    })
    const isVoip = headers['apns-push-type'] === 'voip'
    const tooLarge = refuseLargePush('Apple', bytesOf(request('').json), isVoip ? 5_120 : 4_096)
    if (tooLarge) return tooLarge
    let answer = await http(request(access.token))
    if (wordsOf(answer) === 'ExpiredProviderToken') {
      // Kept as well, beside the stale one: Apple takes no new token within 20 minutes.
      const anew = await cached('provider token, made anew', sign)
      if ('token' in anew) answer = await http(request(anew.token))
    }
    return readReply(answer, {
      success: (reply) => ({ kind: 'sent', id: reply.headers['apns-id'] ?? id }),
      failure: (reply) => readFailure(reply, headers['apns-push-type'] !== undefined),
    })
  },
})

/** Apple takes a token for an hour, and no new one within 20 minutes. */
const tokenLifeMs = 50 * 60_000

type Signing = { secretKey: string; apiKey: string; projectName: string; now: Date }

function toToken({ secretKey, apiKey, projectName, now }: Signing) {
  const claims = { iss: projectName, iat: Math.floor(now.getTime() / 1000) }
  try {
    return {
      token: signJwt({ alg: 'ES256', header: { kid: apiKey }, claims, key: secretKey }),
      expiresInMs: tokenLifeMs,
    }
  } catch {
    const reason = 'secretKey is not the private key of a .p8 file'
    return { fault: { kind: 'rejected', reason, because: 'integration' } as const }
  }
}

/** Apple's own words for headers all begin with `apns-`; the rest is for the payload. */
function split(overrides: Readonly<Record<string, unknown>>) {
  const isHeader = ([name, value]: [string, unknown]) => /^apns-[a-z-]+$/.test(name) && /^[ -~]+$/.test(String(value))
  const entries = Object.entries(overrides)
  return {
    headers: Object.fromEntries(entries.filter(isHeader).map(([name, value]) => [name, String(value)])),
    body: Object.fromEntries(entries.filter((entry) => !isHeader(entry))),
  }
}

function wordsOf(answer: HttpReply | Fault): unknown {
  return answer.kind === 'reply' ? field(answer.json, 'reason') : undefined
}

/** What is 403 is the integration anyway, but for a token that is stale. */
function readFailure(reply: HttpReply, hasOwnType: boolean): Outcome | undefined {
  const reason = reasonOf(reply)
  // Unregistered, ExpiredToken. Only these say that the token was good once.
  if (reply.status === 410) return { kind: 'rejected', reason, because: 'gone' }
  switch (wordsOf(reply)) {
    case 'BadDeviceToken':
      return { kind: 'rejected', reason: `${reason}: the token may be of the other environment: check "Production"` }
    case 'DeviceTokenNotForTopic':
      return {
        kind: 'rejected',
        reason: `${reason}: the token may be of another app or of the other environment: check "Bundle ID" and "Production"`,
      }
    case 'BadTopic':
    case 'MissingTopic':
    case 'TopicDisallowed':
      // The topic is the integration's. It may not fit a kind of push that one trigger names.
      return hasOwnType ? { kind: 'rejected', reason } : { kind: 'rejected', reason, because: 'integration' }
    // To this one device: the others go on.
    case 'TooManyRequests':
      return { kind: 'retry', reason, paces: 'target' }
    // A new token was stale as well: a clock is wrong, or the connection is stuck. The key itself is good.
    case 'ExpiredProviderToken':
      return { kind: 'retry', reason, paces: true }
    case 'IdleTimeout':
      return { kind: 'retry', reason }
    default:
      return undefined
  }
}
