import type { HttpReply } from '../../lib/outbound.ts'
import { type Outcome, readCheck, readReply, reasonOf } from '../outcome.ts'
import { defineProvider, named, optional, secret, text, url } from '../provider.ts'
import { formFields } from '../shared/form-fields.ts'
import { withoutPlus } from '../shared/without-plus.ts'

export default defineProvider({
  id: 'sms-central',
  channel: 'sms',
  displayName: 'SMS Central',
  documentation: 'https://www.smscentral.com.au/sms-api/rest-api/send-sms/',
  verified: 'documentation in part',
  traceable: true,
  credentials: {
    user: named(text, 'Username', 'Of the account.'),
    password: named(secret, 'Password', 'Of the account.'),
    baseUrl: named(optional(url), 'Base URL', 'https://my.smscentral.com.au/api/v3.2 unless given.'),
    from: named(optional(text), 'Originator', 'A name or number; “shared” and “dedicated” are taken too.'),
  },

  async send({ credentials, message, http }) {
    const answer = await http({
      url: credentials.baseUrl ?? defaultUrl,
      form: formFields({
        ORIGINATOR: message.from && withoutPlus(message.from),
        RECIPIENT: withoutPlus(message.to),
        MESSAGE_TEXT: message.content,
        ...message.overrides,
        // Refused when it comes a second time: not the trigger's to choose.
        REFERENCE: message.id,
        ACTION: 'send',
        USERNAME: credentials.user,
        PASSWORD: credentials.password,
      }),
    })
    return readReply(answer, { success: (reply) => readCode(reply, message.id) })
  },

  async check({ credentials, http }) {
    const answer = await http({
      url: credentials.baseUrl ?? defaultUrl,
      form: { ACTION: 'balance', USERNAME: credentials.user, PASSWORD: credentials.password },
    })
    // The balance comes as XML, an error as XML of its own or as a code.
    if (answer.kind === 'reply' && /^\s*511\b|<errorcode>/i.test(answer.text)) {
      return { kind: 'refused', reason: reasonOf(answer) }
    }
    return readCheck(answer)
  },
})

const defaultUrl = 'https://my.smscentral.com.au/api/v3.2'

/** Always 200: `0`, or a code with its words. There is no id but the reference. */
function readCode({ text }: HttpReply, reference: string): Outcome {
  const reason = text.trim().slice(0, 500)
  const code = /^\d+(?=\s|$)/.exec(reason)?.[0]
  switch (code) {
    case '0':
      return { kind: 'sent', id: reference }
    // The reference is known already: an earlier try was accepted.
    case '513':
      return { kind: 'sent', id: reference }
    // Temporarily delayed; should it be accepted after all, the next try is answered 513.
    case '536':
      return { kind: 'retry', reason }
    // Wrong user or password; no credit.
    case '511':
    case '534':
      return { kind: 'rejected', reason, because: 'integration' }
    // Internal error.
    case '500':
    case undefined:
      return { kind: 'unknown', reason }
    default:
      return { kind: 'rejected', reason }
  }
}
