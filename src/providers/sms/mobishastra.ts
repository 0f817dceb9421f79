import type { HttpReply } from '../../lib/outbound.ts'
import { type Outcome, readReply, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text, url } from '../provider.ts'
import { isGsmText } from '../shared/gsm-text.ts'
import { field } from '../shared/reply-field.ts'
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

/** 200 whatever it thinks of the message, and words instead of codes. */
function readWords(reply: HttpReply): Outcome {
  const words = field(reply.json, '0.response') ?? field(reply.json, '0.str_response')
  if (typeof words !== 'string') return sentWith(undefined, reply)
  if (/\bsuccess/i.test(words)) {
    const id = field(reply.json, '0.msg_id')
    return id === undefined || id === '' ? { kind: 'sent' } : sentWith(id, reply)
  }
  const reason = words.slice(0, 500)
  if (/server error/i.test(words)) return { kind: 'unknown', reason }
  const isOurs = /password|profile|authori[sz]ation|credit/i.test(words)
  return { kind: 'rejected', reason, ...(isOurs && { because: 'integration' }) }
}
