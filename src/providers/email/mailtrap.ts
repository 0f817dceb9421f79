import { readCheck, readReply, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text } from '../provider.ts'
import { base64 } from '../shared/base64.ts'
import { recipients } from '../shared/email-address.ts'
import { field } from '../shared/reply-field.ts'

export default defineProvider({
  id: 'mailtrap',
  channel: 'email',
  displayName: 'Mailtrap',
  documentation: 'https://docs.mailtrap.io/developers/email-sending/transactional',
  verified: 'documentation',
  traceable: true,
  credentials: {
    apiKey: named(secret, 'API token', 'With access to the sending domain; at https://mailtrap.io/api-tokens.'),
    from: optional(text),
    senderName: optional(text),
  },

  async send({ credentials, message, http }) {
    const answer = await http({
      url: 'https://send.api.mailtrap.io/api/send',
      headers: { authorization: `Bearer ${credentials.apiKey}` },
      json: {
        from: message.from,
        to: recipients(message.to),
        cc: recipients(message.cc),
        bcc: recipients(message.bcc),
        reply_to: message.replyTo === undefined ? undefined : { email: message.replyTo },
        subject: message.subject,
        text: message.text || undefined,
        html: message.html || undefined,
        headers: message.headers,
        custom_variables: { tidings_message_id: message.id },
        attachments: message.attachments.map(({ name, mime, content }) => ({
          filename: name,
          type: mime,
          content: base64(content),
          disposition: 'attachment',
        })),
        ...message.overrides,
      },
    })
    return readReply(answer, { success: (reply) => sentWith(field(reply.json, 'message_ids.0'), reply) })
  },

  check: async ({ credentials, http }) =>
    readCheck(
      await http({
        method: 'GET',
        url: 'https://mailtrap.io/api/accounts',
        headers: { authorization: `Bearer ${credentials.apiKey}` },
      }),
    ),
})
