import type { HttpReply } from '../../lib/outbound.ts'
import { mailjetCallbacks } from '../callbacks/mailjet.ts'
import { type Outcome, readCheck, readReply, retryAfterMs, sentWith } from '../outcome.ts'
import { choice, defineProvider, named, optional, secret, text, where } from '../provider.ts'
import { base64 } from '../shared/base64.ts'
import { basicAuth } from '../shared/basic-auth.ts'
import { field } from '../shared/reply-field.ts'

/**
 * Mailjet is said to put a List-Unsubscribe of its own in the place of ours, which its pages do not tell
 * (https://github.com/Notifuse/notifuse/issues/348).
 */
export default defineProvider({
  id: 'mailjet',
  channel: 'email',
  displayName: 'Mailjet',
  documentation: 'https://dev.mailjet.com/docs/email-api/send_api_v31/send_basic_email',
  verified: 'documentation',
  traceable: true,
  credentials: {
    apiKey: named(secret, 'API key', 'The first of the pair at https://app.mailjet.com/account/apikeys.'),
    secretKey: named(secret, 'Secret key', 'The second of the pair; Mailjet shows it once, when it is made.'),
    region: named(
      where(optional(choice('default', 'us'))),
      'Region',
      'Choose us for an account that Mailjet has moved to its US servers.',
    ),
    from: optional(text),
    senderName: optional(text),
  },

  async send({ credentials, message, http }) {
    const answer = await http({
      url: `${host(credentials)}/v3.1/send`,
      headers: { authorization: basicAuth(credentials.apiKey, credentials.secretKey) },
      json: {
        Messages: [
          {
            From: { Email: message.from.email, Name: message.from.name },
            To: people(message.to),
            Cc: people(message.cc),
            Bcc: people(message.bcc),
            ReplyTo: message.replyTo === undefined ? undefined : { Email: message.replyTo },
            Subject: message.subject,
            TextPart: message.text || undefined,
            HTMLPart: message.html || undefined,
            Headers: message.headers,
            // Comes back with every event.
            CustomID: message.id,
            Attachments: message.attachments.map(({ name, mime, content }) => ({
              Filename: name,
              ContentType: mime,
              Base64Content: base64(content),
            })),
            ...message.overrides,
          },
        ],
      },
    })
    return readReply(answer, {
      // The UUID: the number beside it is longer than JSON's numbers are.
      success: (reply) => refusal(reply) ?? sentWith(field(reply.json, 'Messages.0.To.0.MessageUUID'), reply),
      failure: refusal,
    })
  },

  check: async ({ credentials, http }) =>
    readCheck(
      await http({
        method: 'GET',
        url: `${host(credentials)}/v3/REST/sender?Limit=1`,
        headers: { authorization: basicAuth(credentials.apiKey, credentials.secretKey) },
      }),
    ),

  inbound: mailjetCallbacks,
})

function people(addresses: readonly string[]): { Email: string }[] {
  return addresses.map((Email) => ({ Email }))
}

/** https://github.com/mailjet/mailjet-apiv3-nodejs#host-url */
function host({ region }: { region: string | undefined }): string {
  return region === 'us' ? 'https://api.us.mailjet.com' : 'https://api.mailjet.com'
}

/**
 * Each message of a call has its own status, whatever the call's, with the meanings of
 * https://dev.mailjet.com/docs/email-api/email_api_overview/status_codes. A sender that is not allowed is a 403 (send-0008:
 * https://gist.github.com/arnaudbreton/f09ac2dcb1316790a5336756556e5f72, the examples of Mailjet's own announcement).
 */
function refusal({ status, headers, json }: HttpReply): Outcome | undefined {
  if (field(json, 'Messages.0.Status') !== 'error') return undefined
  const words = field(json, 'Messages.0.Errors.0.ErrorMessage')
  const reason = `${status} ${typeof words === 'string' ? words : 'refused'}`.slice(0, 500)
  const inner = Number(field(json, 'Messages.0.Errors.0.StatusCode'))
  if (inner >= 500) return { kind: 'unknown', reason }
  if (inner === 429) {
    const afterMs = retryAfterMs(headers['retry-after'])
    return { kind: 'retry', reason, paces: true, ...(afterMs !== undefined && { afterMs }) }
  }
  return { kind: 'rejected', reason, ...((inner === 401 || inner === 403) && { because: 'integration' }) }
}
