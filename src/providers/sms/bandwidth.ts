import type { Http } from '../../lib/outbound.ts'
import { bandwidthCallbacks } from '../callbacks/bandwidth.ts'
import { readCheck, readReply, reasonOf, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text } from '../provider.ts'
import { basicAuth } from '../shared/basic-auth.ts'
import { fetchToken } from '../shared/fetch-token.ts'
import { noSender } from '../shared/no-sender.ts'
import { field } from '../shared/reply-field.ts'

/**
 * What a message needs: https://github.com/Bandwidth/node-sdk, bandwidth.yml (messageRequest). Bandwidth stops taking
 * user names and passwords in December 2026 (https://dev.bandwidth.com/docs/account/credentials/management), so they
 * are exchanged for a token.
 */
export default defineProvider({
  id: 'bandwidth',
  channel: 'sms',
  displayName: 'Bandwidth',
  documentation: 'https://dev.bandwidth.com/docs/messaging/createMessage',
  verified: 'documentation',
  traceable: true,
  credentials: {
    user: named(text, 'Client ID', 'Of an API credential.'),
    password: named(secret, 'Client secret', 'Shown once, when the API credential is made.'),
    accountSid: named(text, 'Account ID', 'The number of the account.'),
    applicationId: named(text, 'Application ID', 'Of the messaging application that the sender number belongs to.'),
    from: named(optional(text), 'Sender number', 'In E.164; it belongs to the application.'),
  },

  async send({ credentials, message, http, cached }) {
    const fault = noSender(message, 'from')
    if (fault) return fault
    const access = await cached('bandwidth', () => fetchToken(http, tokenRequest(credentials)))
    if ('fault' in access) return access.fault
    const answer = await http({
      url: `https://messaging.bandwidth.com/api/v2/users/${encodeURIComponent(credentials.accountSid)}/messages`,
      headers: { authorization: `Bearer ${access.token}` },
      json: {
        applicationId: credentials.applicationId,
        from: message.from,
        to: [message.to],
        text: message.content,
        tag: message.id,
        ...message.overrides,
      },
    })
    return readReply(answer, {
      success: (reply) => sentWith(field(reply.json, 'id'), reply),
      // https://dev.bandwidth.com/v2-messaging/codes.html: with an error of its own, nothing is sent nor billed.
      failure: (reply) => (reply.status === 500 ? { kind: 'retry', reason: reasonOf(reply) } : undefined),
    })
  },

  check: async ({ credentials, http }) => readCheck(await http(tokenRequest(credentials))),

  inbound: bandwidthCallbacks,
})

function tokenRequest({ user, password }: { user: string; password: string }): Parameters<Http>[0] {
  return {
    url: 'https://api.bandwidth.com/api/v1/oauth2/token',
    headers: { authorization: basicAuth(user, password) },
    form: { grant_type: 'client_credentials' },
  }
}
