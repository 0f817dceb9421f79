import { netcoreCallbacks } from '../callbacks/netcore.ts'
import { readReply, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text } from '../provider.ts'
import { base64 } from '../shared/base64.ts'
import { recipients } from '../shared/email-address.ts'
import { field } from '../shared/reply-field.ts'

/**
 * As of v5.1; only HTML, of which it makes the plain text itself. The fields as in lib/Models/Send.js and
 * Personalizations.js of github.com/pepipost/pepipost-sdk-nodejs, the vendor's client.
 */
export default defineProvider({
  id: 'netcore',
  channel: 'email',
  displayName: 'Netcore',
  documentation: 'https://emaildocs.netcorecloud.com/reference/sendmail',
  verified: 'client source',
  traceable: true,
  credentials: {
    apiKey: named(secret, 'API key', 'Of the Netcore Email API (once Pepipost); in its panel under Settings.'),
    from: optional(text),
    senderName: optional(text),
  },

  async send({ credentials, message, http }) {
    const answer = await http({
      url: 'https://emailapi.netcorecloud.net/v5.1/mail/send',
      headers: { api_key: credentials.apiKey },
      json: {
        from: message.from,
        reply_to: message.replyTo,
        subject: message.subject,
        content: [{ type: 'html', value: message.html || message.text }],
        attachments: message.attachments.map(({ name, content }) => ({ name, content: base64(content) })),
        personalizations: [
          {
            to: recipients(message.to),
            cc: recipients(message.cc),
            bcc: recipients(message.bcc),
            headers: message.headers,
            // Comes back with every event.
            token_to: message.id,
          },
        ],
        ...message.overrides,
      },
    })
    return readReply(answer, { success: (reply) => sentWith(field(reply.json, 'data.message_id'), reply) })
  },

  inbound: netcoreCallbacks,
})
