import type { HttpReply } from '../../lib/outbound.ts'
import { africasTalkingCallbacks } from '../callbacks/africas-talking.ts'
import { type Outcome, readCheck, readReply, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text, where } from '../provider.ts'
import { formFields } from '../shared/form-fields.ts'
import { readEach } from '../shared/read-each.ts'
import { field } from '../shared/reply-field.ts'

export default defineProvider({
  id: 'africas-talking',
  channel: 'sms',
  displayName: "Africa's Talking",
  documentation: 'https://developers.africastalking.com/docs/sms/sending/bulk',
  verified: 'client source',
  credentials: {
    apiKey: named(secret, 'API key', 'Of the app, in its settings; the sandbox has one of its own.'),
    user: named(where(text), 'Username', '“sandbox” selects the sandbox.'),
    from: named(optional(text), 'Sender', 'A short code or alphanumeric ID of the account, which has a default.'),
  },

  async send({ credentials, message, http }) {
    const answer = await http({
      url: `${originOf(credentials.user)}/version1/messaging`,
      headers: { apikey: credentials.apiKey, accept: 'application/json' },
      form: formFields({
        to: message.to,
        from: message.from,
        message: message.content,
        bulkSMSMode: 1,
        ...message.overrides,
        username: credentials.user,
      }),
    })
    return readReply(answer, { success: readRecipients })
  },

  check: async ({ credentials, http }) =>
    readCheck(
      await http({
        method: 'GET',
        url: `${originOf(credentials.user)}/version1/user?username=${encodeURIComponent(credentials.user)}`,
        headers: { apikey: credentials.apiKey, accept: 'application/json' },
      }),
    ),

  inbound: africasTalkingCallbacks,
})

function originOf(user: string): string {
  return user === 'sandbox' ? 'https://api.sandbox.africastalking.com' : 'https://api.africastalking.com'
}

/** 201 for the call, and for each recipient a code of its own; none at all when the sender is not ours. */
function readRecipients(reply: HttpReply): Outcome {
  const summary = field(reply.json, 'SMSMessageData.Message')
  const none: Outcome =
    summary === 'InvalidSenderId'
      ? { kind: 'rejected', reason: summary, because: 'integration' }
      : sentWith(undefined, reply)
  return readEach(field(reply.json, 'SMSMessageData.Recipients'), (recipient) => readRecipient(recipient, reply), none)
}

function readRecipient(recipient: unknown, reply: HttpReply): Outcome {
  const code = Number(field(recipient, 'statusCode'))
  const reason = `${code} ${String(field(recipient, 'status') ?? '')}`
  switch (code) {
    case 100: // processed
    case 101: // sent
    case 102: // queued
      return sentWith(field(recipient, 'messageId'), reply)
    case 402: // invalid sender
    case 405: // no balance
      return { kind: 'rejected', reason, because: 'integration' }
    case 403: // invalid number
    case 404: // a kind of number it cannot reach
      return { kind: 'rejected', reason, because: 'gone' }
    case 401: // held for its risk
    case 406: // on a blacklist
    case 407: // no route
    case 409: // do not disturb
    case 502: // refused by the operator
      return { kind: 'rejected', reason }
    case 500: // internal error
    case 501: // the operator's
      return { kind: 'unknown', reason }
    default:
      return sentWith(undefined, reply)
  }
}
