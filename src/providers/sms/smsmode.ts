import { readCheck, readReply, reasonOf, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text } from '../provider.ts'
import { isGsmText } from '../shared/gsm-text.ts'
import { field } from '../shared/reply-field.ts'
import { withoutPlus } from '../shared/without-plus.ts'

/**
 * Errors: https://dev.smsmode.com/commons/errors. The encoding, GSM7 or UNICODE, is named as in
 * https://github.com/BnitoBzh/smsmode-notification-channel.
 */
export default defineProvider({
  id: 'smsmode',
  channel: 'sms',
  displayName: 'smsmode',
  documentation: 'https://dev.smsmode.com/sms/v1/#tag/Message/operation/send-message',
  verified: 'documentation in part',
  traceable: true,
  credentials: {
    apiKey: named(secret, 'API key', 'Of one channel: each has its own.'),
    from: named(optional(text), 'Sender', 'Up to 11 letters and digits, authorised for the channel.'),
  },

  async send({ credentials, message, http }) {
    const answer = await http({
      url: 'https://rest.smsmode.com/sms/v1/messages',
      headers: { 'x-api-key': credentials.apiKey, accept: 'application/json' },
      json: {
        recipient: { to: withoutPlus(message.to) },
        from: message.from && withoutPlus(message.from),
        body: { text: message.content, encoding: isGsmText(message.content) ? undefined : 'UNICODE' },
        refClient: message.id,
        ...message.overrides,
      },
    })
    return readReply(answer, { success: (reply) => sentWith(field(reply.json, 'messageId'), reply) })
  },

  async check({ credentials, http }) {
    const answer = await http({
      method: 'GET',
      // A key belongs to one channel and may list what it sent.
      url: 'https://rest.smsmode.com/sms/v1/messages?pageSize=1',
      headers: { 'x-api-key': credentials.apiKey, accept: 'application/json' },
    })
    if (answer.kind === 'reply' && (answer.status === 404 || answer.status === 405)) {
      // No verdict on the key: it may send all the same.
      return { kind: 'unreachable', reason: `the list of messages is not there: ${reasonOf(answer)}` }
    }
    return readCheck(answer)
  },
})
