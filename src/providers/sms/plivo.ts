import { plivoCallbacks } from '../callbacks/plivo.ts'
import { readCheck, readReply, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text } from '../provider.ts'
import { basicAuth } from '../shared/basic-auth.ts'
import { field } from '../shared/reply-field.ts'

export default defineProvider({
  id: 'plivo',
  channel: 'sms',
  displayName: 'Plivo',
  documentation: 'https://www.plivo.com/docs/messaging/api/messages/',
  verified: 'documentation',
  credentials: {
    accountSid: named(text, 'Auth ID', 'Begins with MA or SA: https://console.plivo.com/dashboard/.'),
    token: named(secret, 'Auth token', 'Beside the auth ID.'),
    from: named(optional(text), 'Source number', 'In E.164, or a sender ID of the account.'),
  },

  async send({ credentials, message, http, callbackUrl }) {
    const answer = await http({
      url: `${accountUrl(credentials.accountSid)}Message/`,
      headers: { authorization: basicAuth(credentials.accountSid, credentials.token) },
      json: {
        src: message.from,
        dst: message.to,
        text: message.content,
        url: callbackUrl,
        method: callbackUrl && 'POST',
        ...message.overrides,
      },
    })
    return readReply(answer, {
      success: (reply) => {
        const id = field(reply.json, 'message_uuid.0')
        // Numbers it cannot use are listed beside those it took, under the same 202.
        const invalid = field(reply.json, 'invalid_number.0')
        if (id === undefined && typeof invalid === 'string')
          return { kind: 'rejected', reason: 'Plivo calls the number invalid', because: 'gone' }
        return sentWith(id, reply)
      },
      failure: ({ status }) =>
        status === 402
          ? { kind: 'rejected', reason: '402 the account is out of credit', because: 'integration' }
          : undefined,
    })
  },

  check: async ({ credentials, http }) =>
    readCheck(
      await http({
        method: 'GET',
        url: accountUrl(credentials.accountSid),
        headers: { authorization: basicAuth(credentials.accountSid, credentials.token) },
      }),
    ),

  inbound: plivoCallbacks,
})

function accountUrl(authId: string): string {
  return `https://api.plivo.com/v1/Account/${encodeURIComponent(authId)}/`
}
