import type { HttpReply } from '../../lib/outbound.ts'
import { whatsappCallbacks } from '../callbacks/whatsapp.ts'
import { type Outcome, readCheck, readReply, reasonOf, retryAfterMs, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text } from '../provider.ts'
import { field } from '../shared/reply-field.ts'

export default defineProvider({
  id: 'whatsapp-business',
  channel: 'chat',
  displayName: 'WhatsApp Business',
  documentation: 'https://developers.facebook.com/documentation/business-messaging/whatsapp/messages/send-messages',
  verified: 'documentation in part',
  traceable: true,
  address: 'phone',
  credentials: {
    apiToken: named(secret, 'Access token', 'Of a system user, with whatsapp_business_messaging: others expire.'),
    phoneNumberIdentification: named(text, 'Phone number ID', 'Of the sender: an id from Meta, and not the number.'),
    token: named(
      optional(secret),
      'Verify token',
      'Not needed to send. Any text; Meta asks with it whether callbacks are taken.',
    ),
  },

  async send({ credentials, message, http }) {
    const { overrides } = message
    // Outside the 24 hours after a user's own message WhatsApp takes only templates: the trigger brings one along.
    const type = overrides.type ?? (overrides.template ? 'template' : 'text')
    const answer = await http({
      url: `${phoneOf(credentials)}/messages`,
      headers: { authorization: `Bearer ${credentials.apiToken}` },
      json: {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        to: message.phone,
        type,
        ...(type === 'text' && { text: { body: message.content } }),
        biz_opaque_callback_data: message.id,
        ...overrides,
      },
    })
    return readReply(answer, { success: (reply) => sentWith(field(reply.json, 'messages.0.id'), reply), failure })
  },

  check: async ({ credentials, http }) =>
    readCheck(
      await http({
        method: 'GET',
        url: `${phoneOf(credentials)}?fields=id`,
        headers: { authorization: `Bearer ${credentials.apiToken}` },
      }),
    ),

  inbound: whatsappCallbacks,
})

function phoneOf({ phoneNumberIdentification }: { phoneNumberIdentification: string }): string {
  return `https://graph.facebook.com/v24.0/${encodeURIComponent(phoneNumberIdentification)}`
}

/**
 * The code tells more than the status, which changed over the years:
 * https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes
 */
const meanings = {
  /** calls of the app, of the account, messages of this number, trust in this number */
  pacing: [4, 80007, 130429, 131048],
  /** to this one recipient too often */
  target: [131056],
  /** overloaded; in maintenance */
  later: [2, 131016, 131057],
  /** token, permissions, account blocked or locked, payment, our number deleted or not registered */
  integration: [0, 3, 10, 33, 190, 368, 131005, 131031, 131042, 131045, 133010],
  /** closed to this account is the country of this recipient; it comes as a 403 */
  recipient: [130497],
}

function failure(reply: HttpReply): Outcome | undefined {
  const code = field(reply.json, 'error.code')
  if (typeof code !== 'number') return undefined
  const reason = reasonOf(reply)
  if (meanings.pacing.includes(code) || meanings.target.includes(code)) {
    const afterMs = retryAfterMs(reply.headers['retry-after'])
    const paces = meanings.target.includes(code) ? 'target' : true
    return { kind: 'retry', reason, paces, ...(afterMs !== undefined && { afterMs }) }
  }
  if (meanings.later.includes(code)) return { kind: 'retry', reason }
  if (meanings.recipient.includes(code)) return { kind: 'rejected', reason }
  // The object of the path is not there for this token: the phone number ID.
  const isNoNumber = code === 100 && field(reply.json, 'error.error_subcode') === 33
  if (isNoNumber || meanings.integration.includes(code) || (code >= 200 && code < 300)) {
    return { kind: 'rejected', reason, because: 'integration' }
  }
  return undefined
}
