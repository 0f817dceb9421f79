import type { HttpReply } from '../../lib/outbound.ts'
import { infobipEmailCallbacks } from '../callbacks/infobip-email.ts'
import { type Outcome, readCheck, readReply, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text, url } from '../provider.ts'
import { formatAddress } from '../shared/email-address.ts'
import { formParts } from '../shared/form-parts.ts'
import { joinUrl } from '../shared/join-url.ts'
import { readEach } from '../shared/read-each.ts'
import { field } from '../shared/reply-field.ts'

export default defineProvider({
  id: 'infobip-email',
  channel: 'email',
  displayName: 'Infobip',
  documentation: 'https://www.infobip.com/docs/api/channels/email/send-fully-featured-email',
  verified: 'documentation',
  traceable: true,
  credentials: {
    apiKey: named(
      secret,
      'API key',
      'With the scope email:message:send; at https://portal.infobip.com under Developer Tools.',
    ),
    baseUrl: named(
      url,
      'Base URL',
      'Personal to the account, https://xxxxx.api.infobip.com; the portal shows it beside the API keys.',
    ),
    from: optional(text),
    senderName: optional(text),
  },

  async send({ credentials, message, http, callbackUrl }) {
    const values = {
      from: formatAddress(message.from),
      to: message.to,
      cc: message.cc,
      bcc: message.bcc,
      replyTo: message.replyTo,
      subject: message.subject,
      text: message.text || undefined,
      html: message.html || undefined,
      headers: Object.keys(message.headers).length === 0 ? undefined : message.headers,
      // One mail, in which all of `to` see each other. Otherwise each has one of their own (EmailApi.java of
      // github.com/infobip/infobip-api-java-client).
      preserveRecipients: true,
      // Comes back with every report.
      callbackData: JSON.stringify({ tidings_message_id: message.id }),
      notifyUrl: callbackUrl,
      trackingUrl: callbackUrl,
      ...message.overrides,
    }
    const answer = await http({
      url: joinUrl(credentials.baseUrl, 'email/3/send'),
      headers: { accept: 'application/json', authorization: `App ${credentials.apiKey}` },
      multipart: formParts(values, message.attachments),
    })
    return readReply(answer, {
      success: (reply) =>
        readEach(
          field(reply.json, 'messages'),
          (message) => refusal(message, reply) ?? sentWith(field(message, 'messageId'), reply),
          sentWith(undefined, reply),
        ),
    })
  },

  async check({ credentials, http }) {
    const answer = await http({
      method: 'GET',
      url: joinUrl(credentials.baseUrl, 'account/1/balance'),
      headers: { accept: 'application/json', authorization: `App ${credentials.apiKey}` },
    })
    // A strange key is a 401; this one is known, and may send but not read the balance.
    return answer.kind === 'reply' && answer.status === 403 ? { kind: 'ok' } : readCheck(answer)
  },

  inbound: infobipEmailCallbacks,
})

/** https://www.infobip.com/docs/developer-resources/api-fundamentals/message-status-codes */
function refusal(message: unknown, { status }: HttpReply): Outcome | undefined {
  const found = field(message, 'status')
  if (!['REJECTED', 'UNDELIVERABLE', 'EXPIRED'].includes(String(field(found, 'groupName')))) return undefined
  const name = String(field(found, 'name'))
  const reason = `${status} ${name}: ${String(field(found, 'description') ?? '')}`.slice(0, 500)
  return { kind: 'rejected', reason, ...(/CREDITS|SENDER|ACCOUNT/.test(name) && { because: 'integration' }) }
}
