import type { HttpReply } from '../../lib/outbound.ts'
import { type Outcome, readReply, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text } from '../provider.ts'
import { readEach } from '../shared/read-each.ts'
import { field } from '../shared/reply-field.ts'
import { withoutPlus } from '../shared/without-plus.ts'

/**
 * The One API, as the older /messages is archived. Codes:
 * https://www.clickatell.com/developers/api-documentation/one-api-error-messages/
 */
export default defineProvider({
  id: 'clickatell',
  channel: 'sms',
  displayName: 'clickatell',
  documentation:
    'https://guides.clickatell.com/clickatell-chat-commerce-platform/developer/channels/whatsapp-and-sms-one-api/api-reference/messages/send-messages',
  verified: 'documentation',
  traceable: true,
  credentials: {
    apiKey: named(secret, 'API key', 'Of a One API integration.'),
    from: named(optional(text), 'From number', 'A number of the integration.'),
  },

  async send({ credentials, message, http }) {
    const answer = await http({
      url: 'https://platform.clickatell.com/v1/message',
      headers: { authorization: credentials.apiKey },
      json: {
        messages: [
          {
            channel: 'sms',
            to: withoutPlus(message.to),
            from: message.from && withoutPlus(message.from),
            content: message.content,
            clientMessageId: message.id,
          },
        ],
        ...message.overrides,
      },
    })
    return readReply(answer, { success: readMessages, failure: readError })
  },
})

function readMessages(reply: HttpReply): Outcome {
  const read = (message: unknown): Outcome =>
    field(message, 'accepted') === false
      ? (readError({ ...reply, json: message }) ?? { kind: 'rejected', reason: 'not accepted, and no reason given' })
      : sentWith(field(message, 'apiMessageId'), reply)
  return readEach(field(reply.json, 'messages'), read, sentWith(undefined, reply))
}

/** An error is of the whole call or of one message in it, whatever the status. */
function readError({ status, json }: HttpReply): Outcome | undefined {
  const error = field(json, 'messages.0.error') ?? field(json, 'error')
  const code = Number(field(error, 'code'))
  const reason = `${status} error ${code}: ${String(field(error, 'description') ?? '')}`.slice(0, 500)
  switch (code) {
    case 1: // invalid or missing key
    case 2: // account not active
    case 3: // integration not active
    case 7: // our IP address not approved
    case 20: // no balance
    case 38: // channel not active
    case 39: // channel not there
    case 44: // sender suspended
    case 45: // sender of another integration
    case 46: // demo over
      return { kind: 'rejected', reason, because: 'integration' }
    case 19: // internal error, please retry
      return { kind: 'retry', reason }
    case 43: // rate limit
      return { kind: 'retry', reason, paces: true }
    case 18: // internal error
      return { kind: 'unknown', reason }
    case 25: // invalid recipient
      return { kind: 'rejected', reason, because: 'gone' }
    default:
      if (status === 402)
        return { kind: 'rejected', reason: '402 the account is out of credit', because: 'integration' }
      return code > 0 ? { kind: 'rejected', reason } : undefined
  }
}
