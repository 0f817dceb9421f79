import type { Http, HttpReply } from '../../lib/outbound.ts'
import { type Outcome, readCheck, readReply, reasonOf, sentWith } from '../outcome.ts'
import { defineProvider, flag, named, optional, secret, text, where } from '../provider.ts'
import type { TokenCache } from '../provider-tools.ts'
import { basicAuth } from '../shared/basic-auth.ts'
import { fetchToken } from '../shared/fetch-token.ts'
import { field, textField } from '../shared/reply-field.ts'

/**
 * Tokens: https://developers.ringcentral.com/guide/authentication/jwt-flow. Codes:
 * https://github.com/ringcentral/ringcentral-api-docs, docs/basics/errors.md.
 */
export default defineProvider({
  id: 'ring-central',
  channel: 'sms',
  displayName: 'RingCentral',
  documentation: 'https://developers.ringcentral.com/guide/messaging/sms/sms-errors',
  verified: 'documentation',
  credentials: {
    clientId: named(
      text,
      'Client ID',
      'Of an app with JWT authentication: https://developers.ringcentral.com/console.',
    ),
    secretKey: named(secret, 'Client secret', 'Beside the client ID.'),
    token: named(secret, 'JWT', 'A credential of the user who sends, made in the same console.'),
    secure: named(where(flag), 'Sandbox', 'On: the app and the numbers are those of the sandbox. Off: production.'),
    from: named(optional(text), 'Sender number', 'A number of that user that may send SMS.'),
  },

  async send({ credentials, message, http, cached }) {
    const access = await accessToken({ credentials, http, cached })
    if ('fault' in access) return access.fault
    const answer = await http({
      url: `${base(credentials)}/restapi/v1.0/account/~/extension/~/sms`,
      headers: { authorization: `Bearer ${access.token}` },
      json: {
        from: { phoneNumber: message.from },
        to: [{ phoneNumber: message.to }],
        text: message.content,
        ...message.overrides,
      },
    })
    return readReply(answer, { success: readStatus, failure: readCode })
  },

  async check({ credentials, http, cached }) {
    const access = await accessToken({ credentials, http, cached })
    if ('fault' in access) {
      const { fault } = access
      const reason = 'reason' in fault ? fault.reason : 'no token'
      return { kind: fault.kind === 'rejected' ? 'refused' : 'unreachable', reason }
    }
    return readCheck(
      await http({
        method: 'GET',
        url: `${base(credentials)}/restapi/v1.0/account/~/extension/~`,
        headers: { authorization: `Bearer ${access.token}` },
      }),
    )
  },
})

type Login = { clientId: string; secretKey: string; token: string; secure: boolean }

function base({ secure }: Login): string {
  return secure ? 'https://platform.devtest.ringcentral.com' : 'https://platform.ringcentral.com'
}

function accessToken({ credentials, http, cached }: { credentials: Login; http: Http; cached: TokenCache }) {
  return cached('access', () =>
    fetchToken(http, {
      url: `${base(credentials)}/restapi/oauth/token`,
      headers: { authorization: basicAuth(credentials.clientId, credentials.secretKey) },
      form: { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: credentials.token },
    }),
  )
}

function readStatus(reply: HttpReply): Outcome {
  const status = field(reply.json, 'messageStatus')
  if (status === 'SendingFailed' || status === 'DeliveryFailed') {
    return { kind: 'rejected', reason: `${status} ${field(reply.json, 'deliveryErrorCode') ?? ''}`.trim() }
  }
  return sentWith(field(reply.json, 'id'), reply)
}

// The recipient is not in the US; the recipient is a fax. Every other 403 is about the sender or the account.
const ofRecipient = ['MSG-240', 'MSG-309']

function readCode(reply: HttpReply): Outcome | undefined {
  const code = textField(reply.json, 'errors.0.errorCode') || textField(reply.json, 'errorCode')
  return ofRecipient.includes(code) ? { kind: 'rejected', reason: reasonOf(reply) } : undefined
}
