import type { HttpReply } from '../../lib/outbound.ts'
import { type Outcome, readReply, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text, url } from '../provider.ts'
import { isGsmText } from '../shared/gsm-text.ts'
import { textField } from '../shared/reply-field.ts'
import { withoutPlus } from '../shared/without-plus.ts'

/** The JSON interface of "API Integration v1.3", which the vendor hands out. */
export default defineProvider({
  id: 'mobishastra',
  channel: 'sms',
  displayName: 'Mobishastra',
  documentation: 'https://mshastra.com',
  verified: 'client source',
  credentials: {
    user: named(text, 'Profile ID', 'The name of the account.'),
    password: secret,
    baseUrl: named(optional(url), 'Base URL', 'https://mshastra.com/sendsms_api_json.aspx unless given.'),
    from: named(optional(text), 'Sender ID', 'One that is approved.'),
  },

  async send({ credentials, message, http }) {
    const answer = await http({
      url: credentials.baseUrl ?? 'https://mshastra.com/sendsms_api_json.aspx',
      json: [
        {
          number: withoutPlus(message.to),
          msg: message.content,
          sender: message.from && withoutPlus(message.from),
          language: isGsmText(message.content) ? 'English' : 'Unicode',
          ...message.overrides,
          user: credentials.user,
          pwd: credentials.password,
        },
      ],
    })
    return readReply(answer, { success: readWords })
  },
})

// What clients know of its words. Of the account: password, profile, no credit.
const refusals = /\binvalid\b|\bblocked\b|no more credits?|authori[sz]ation failed|not authori[sz]ed/i
const ofAccount = /password|profile|authori[sz]|credit/i

/** 200 whatever it thinks of the message, and words instead of codes. What it took has an id. */
function readWords(reply: HttpReply): Outcome {
  const words = textField(reply.json, '0.response') || textField(reply.json, '0.str_response')
  const id = textField(reply.json, '0.msg_id')
  if (/\bsuccess/i.test(words)) return id === '' ? { kind: 'sent' } : { kind: 'sent', id }
  const reason = words.slice(0, 500)
  if (refusals.test(words)) {
    return { kind: 'rejected', reason, ...(ofAccount.test(words) && { because: 'integration' }) }
  }
  if (/server error/i.test(words)) return { kind: 'unknown', reason }
  return sentWith(id, reply)
}
