import type { HttpReply } from '../../lib/outbound.ts'
import { type Outcome, readReply, reasonOf, retryAfterMs, sentWith } from '../outcome.ts'
import { defineProvider, named, secret } from '../provider.ts'
import { fetchGoogleToken, type GoogleAccount, toGoogleAccount } from '../shared/fetch-token.ts'
import { googleTexts } from '../shared/google-texts.ts'
import { bytesOf, refuseLargePush } from '../shared/push-size.ts'
import { field, listField } from '../shared/reply-field.ts'

/** HTTP v1. Settled by https://firebase.google.com/docs/reference/fcm/rest/v1/ErrorCode. */
export default defineProvider({
  id: 'fcm',
  channel: 'push',
  displayName: 'Firebase Cloud Messaging',
  documentation: 'https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages/send',
  verified: 'documentation in part',
  traceable: true,
  credentials: {
    serviceAccount: named(
      secret,
      'Service account (JSON)',
      'The whole file, from the project settings of Firebase: Service accounts, Generate new private key.',
    ),
  },

  async send({ credentials, message, http, cached, now }) {
    const account = toAccount(credentials.serviceAccount)
    if (!account) return badAccount
    const notification = { title: message.title, body: message.body }
    const data = { ...googleTexts(message.data), tidings_message_id: message.id }
    const content = { notification, data, ...message.overrides }
    const tooLarge = refuseLargePush('FCM', sizeOf(content.notification) + sizeOf(content.data))
    if (tooLarge) return tooLarge
    const access = await cached('access token', () => fetchGoogleToken(http, { account, scope, now }))
    if ('fault' in access) return access.fault
    const answer = await http({
      url: `https://fcm.googleapis.com/v1/projects/${encodeURIComponent(account.project)}/messages:send`,
      headers: { authorization: `Bearer ${access.token}` },
      // The token last: the outcome is this device's.
      json: { message: { ...content, token: message.token } },
    })
    return readReply(answer, { success: (reply) => sentWith(field(reply.json, 'name'), reply), failure })
  },

  async check({ credentials, http, now }) {
    const account = toAccount(credentials.serviceAccount)
    if (!account) return { kind: 'refused', reason: badAccount.reason }
    const access = await fetchGoogleToken(http, { account, scope, now })
    if ('token' in access) return { kind: 'ok' }
    return { kind: access.fault.kind === 'rejected' ? 'refused' : 'unreachable', reason: access.fault.reason }
  },
})

type Account = GoogleAccount & { project: string }

const badAccount = {
  kind: 'rejected',
  reason: 'serviceAccount is not the JSON of a service account, with project_id, client_email and private_key',
  because: 'integration',
} as const satisfies Outcome

function toAccount(text: string): Account | undefined {
  const account = toGoogleAccount(text)
  return account?.project === undefined ? undefined : { ...account, project: account.project }
}

const scope = 'https://www.googleapis.com/auth/firebase.messaging'

/** FCM counts the keys and the values. */
function sizeOf(part: unknown): number {
  if (typeof part !== 'object' || part === null) return 0
  return Object.entries(part).reduce((sum, [name, value]) => sum + bytesOf(name) + bytesOf(value), 0)
}

function failure(reply: HttpReply): Outcome | undefined {
  const reason = reasonOf(reply)
  switch (errorCodeOf(reply)) {
    case 'UNREGISTERED':
      return { kind: 'rejected', reason, because: 'gone' }
    // 403: this token is of another project. 401: of Apple's devices or the web's, whose credentials FCM misses.
    case 'SENDER_ID_MISMATCH':
    case 'THIRD_PARTY_AUTH_ERROR':
      return { kind: 'rejected', reason }
  }
  if (reply.status !== 429) return undefined
  // Without a word of theirs, Google asks for a minute.
  const afterMs = retryAfterMs(reply.headers['retry-after']) ?? 60_000
  return { kind: 'retry', reason, afterMs, paces: isOfDevice(reply) ? 'target' : true }
}

function detailsOf({ json }: HttpReply): unknown[] {
  return listField(json, 'error.details')
}

function errorCodeOf(reply: HttpReply): unknown {
  const codes = detailsOf(reply).map((detail) => field(detail, 'errorCode'))
  return codes.find((code) => code !== undefined)
}

/**
 * The quota is the project's, one device's or one topic's. A google.rpc.QuotaFailure says which, in words that are not
 * documented.
 */
function isOfDevice(reply: HttpReply): boolean {
  const violations = detailsOf(reply).map((detail) => field(detail, 'violations'))
  return violations.flat().some((it) => /\bdevice\b/i.test(`${field(it, 'subject')} ${field(it, 'description')}`))
}
