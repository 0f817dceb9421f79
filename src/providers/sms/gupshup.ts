import type { HttpReply } from '../../lib/outbound.ts'
import { type Outcome, readReply, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text } from '../provider.ts'
import { formFields } from '../shared/form-fields.ts'
import { isGsmText } from '../shared/gsm-text.ts'
import { withoutPlus } from '../shared/without-plus.ts'

/** Codes: https://docs.gupshup.io/docs/error-codes */
export default defineProvider({
  id: 'gupshup',
  channel: 'sms',
  displayName: 'Gupshup',
  documentation: 'https://docs.gupshup.io/docs/send-message-to-single-number',
  verified: 'documentation',
  credentials: {
    user: named(text, 'User ID', 'Of the enterprise SMS account: a number.'),
    password: named(secret, 'Password', 'Of that account.'),
    from: named(optional(text), 'Mask', 'The sender ID that is approved. The account has a default.'),
  },

  async send({ credentials, message, http }) {
    const answer = await http({
      url: 'https://enterprise.smsgupshup.com/GatewayAPI/rest',
      form: formFields({
        method: 'SendMessage',
        send_to: withoutPlus(message.to),
        msg: message.content,
        msg_type: isGsmText(message.content) ? 'TEXT' : 'Unicode_Text',
        mask: message.from,
        v: '1.1',
        ...message.overrides,
        // What the answer is read as below, and who we are.
        format: 'text',
        auth_scheme: 'plain',
        userid: credentials.user,
        password: credentials.password,
      }),
    })
    return readReply(answer, { success: readLine })
  },
})

/** `success | 919812345678 | 728014710249169459-342890756` or `error | 102 | Authentication failed …`, both under 200. */
function readLine(reply: HttpReply): Outcome {
  const [word, second = '', third = ''] = reply.text.split('|').map((part) => part.trim())
  if (word === 'success') return sentWith(third, reply)
  if (word !== 'error') return sentWith(undefined, reply)
  const reason = `error ${second}: ${third}`.slice(0, 500)
  switch (second) {
    case '100': // unknown error
      return { kind: 'unknown', reason }
    case '101': // of the request, and so the same for everybody
    case '102': // wrong user or password
    case '103': // no such user
    case '104': // user disabled
    case '106': // method not open to this account
    case '107': // as 101
    case '108': // mask not of this account
      return { kind: 'rejected', reason, because: 'integration' }
    case '105': // invalid number
      return { kind: 'rejected', reason, because: 'gone' }
    default:
      return { kind: 'rejected', reason }
  }
}
