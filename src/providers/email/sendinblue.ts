import { isPlainObject } from '../../lib/canonical-json.ts'
import type { HttpReply } from '../../lib/outbound.ts'
import { brevoCallbacks } from '../callbacks/brevo.ts'
import { type Outcome, readCheck, readReply, reasonOf, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text } from '../provider.ts'
import { base64 } from '../shared/base64.ts'
import { recipients } from '../shared/email-address.ts'
import { field } from '../shared/reply-field.ts'

export default defineProvider({
  id: 'sendinblue',
  channel: 'email',
  displayName: 'Brevo (formerly Sendinblue)',
  documentation: 'https://developers.brevo.com/reference/sendtransacemail',
  verified: 'documentation',
  credentials: {
    apiKey: named(
      secret,
      'API key',
      'Begins with xkeysib-; at https://app.brevo.com/settings/keys/api. The SMTP key is another.',
    ),
    from: optional(text),
    senderName: optional(text),
  },
  // 30 minutes by https://developers.brevo.com/docs/heterogenous-versions-batch-emails, and 15 by
  // https://developers.brevo.com/changelog/email-api-now-supports-idempotency: the shorter one holds by both.
  idempotencyWindowMs: 15 * 60_000,

  async send({ credentials, message, http }) {
    const answer = await http({
      url: 'https://api.brevo.com/v3/smtp/email',
      headers: { accept: 'application/json', 'api-key': credentials.apiKey },
      json: {
        sender: message.from,
        to: recipients(message.to),
        cc: recipients(message.cc),
        bcc: recipients(message.bcc),
        replyTo: message.replyTo === undefined ? undefined : { email: message.replyTo },
        subject: message.subject,
        htmlContent: message.html || undefined,
        textContent: message.text || undefined,
        attachment:
          message.attachments.length === 0
            ? undefined
            : message.attachments.map(({ name, content }) => ({ name, content: base64(content) })),
        ...message.overrides,
        headers: {
          ...message.headers,
          'X-Mailin-custom': JSON.stringify({ tidings_message_id: message.id }),
          ...(isPlainObject(message.overrides.headers) && message.overrides.headers),
          // A header of the mail, in this spelling, and a UUID: as a header of the request it does nothing
          // (https://github.com/getbrevo/brevo-node/issues/94). Last: without it a repetition is a second mail.
          idempotencyKey: message.id,
        },
      },
    })
    return readReply(answer, {
      success: (reply) => sentWith(field(reply.json, 'messageId'), reply),
      failure: readError,
    })
  },

  check: async ({ credentials, http }) =>
    readCheck(
      await http({
        method: 'GET',
        url: 'https://api.brevo.com/v3/account',
        headers: { accept: 'application/json', 'api-key': credentials.apiKey },
      }),
    ),

  inbound: brevoCallbacks,
})

function readError(reply: HttpReply): Outcome | undefined {
  switch (field(reply.json, 'code')) {
    case 'duplicate_parameter':
      // The key was there within its window: an earlier try was taken, and this one is not done again.
      return { kind: 'sent' }
    case 'not_enough_credits':
    case 'account_under_validation':
    case 'permission_denied':
      return { kind: 'rejected', reason: reasonOf(reply), because: 'integration' }
    default:
      return undefined
  }
}
