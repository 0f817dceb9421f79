import { oneSignalCallbacks } from '../callbacks/one-signal.ts'
import { type Outcome, readCheck, readReply, reasonOf, sentWith } from '../outcome.ts'
import { defineProvider, named, secret, text } from '../provider.ts'
import { field } from '../shared/reply-field.ts'
import { uuidOf } from '../shared/uuid-of.ts'

/**
 * Device tokens are subscription ids. Replies and keys: https://github.com/OneSignal/onesignal-node-api, DefaultApi.md.
 */
export default defineProvider({
  id: 'one-signal',
  channel: 'push',
  displayName: 'OneSignal',
  documentation: 'https://documentation.onesignal.com/reference/push-notification',
  verified: 'documentation',
  credentials: {
    applicationId: named(text, 'App ID', 'In the dashboard, under Settings → Keys & IDs.'),
    apiKey: named(secret, 'REST API key', 'On the same page; of the app, not of the organization.'),
  },
  tokensPerCall: 2000,
  // https://documentation.onesignal.com/reference/idempotent-notification-requests
  idempotencyWindowMs: 30 * 24 * 3_600_000,

  async send({ credentials, message, http }) {
    const answer = await http({
      url: 'https://api.onesignal.com/notifications',
      headers: { authorization: authorizationOf(credentials.apiKey) },
      json: {
        headings: message.title ? { en: message.title } : undefined,
        contents: { en: message.body },
        data: { ...message.data, tidings_message_id: message.id },
        ...message.overrides,
        app_id: credentials.applicationId,
        // A UUID of version 4. All devices of a message go in one call, so one is enough.
        // Other devices are another call: under the same key OneSignal would not send it.
        idempotency_key: uuidOf([message.key, ...message.tokens].join(' ')),
        // Last: there is one outcome for each of these.
        include_subscription_ids: message.tokens,
      },
    })
    const invalid = answer.kind === 'reply' ? field(answer.json, 'errors.invalid_player_ids') : undefined
    const left: unknown[] = Array.isArray(invalid) ? invalid : []
    const whole = readReply(answer, {
      success: (reply) => {
        // Accepted for nobody: `{"id":"","errors":["All included players are not subscribed"]}`.
        const wasRefused = !field(reply.json, 'id') && field(reply.json, 'errors')
        return wasRefused ? { kind: 'rejected', reason: reasonOf(reply) } : sentWith(field(reply.json, 'id'), reply)
      },
    })
    return message.tokens.map((token) => (left.includes(token) ? notSubscribed : whole))
  },

  check: async ({ credentials, http }) =>
    readCheck(
      await http({
        method: 'GET',
        url: `https://api.onesignal.com/notifications?limit=1&app_id=${encodeURIComponent(credentials.applicationId)}`,
        headers: { authorization: authorizationOf(credentials.apiKey) },
      }),
    ),

  inbound: oneSignalCallbacks,
})

/** Listed are those that exist and are not subscribed now. They may be again under the same id, so they are not gone. */
const notSubscribed: Outcome = {
  kind: 'rejected',
  reason: 'OneSignal says that this subscription is not subscribed',
}

/** Keys of the older kind have no such beginning, and want another word before them. */
function authorizationOf(apiKey: string): string {
  return `${apiKey.startsWith('os_v2_') ? 'Key' : 'Basic'} ${apiKey}`
}
