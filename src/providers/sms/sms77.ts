import type { HttpReply } from '../../lib/outbound.ts'
import { type Outcome, readCheck, readReply, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text } from '../provider.ts'
import { formFields } from '../shared/form-fields.ts'
import { field } from '../shared/reply-field.ts'

/** sms77 is called seven now. */
export default defineProvider({
  id: 'sms77',
  channel: 'sms',
  displayName: 'sms77',
  documentation: 'https://docs.seven.io/en/rest-api/endpoints/sms',
  verified: 'documentation',
  traceable: true,
  credentials: {
    apiKey: named(secret, 'API key', 'Made at https://app.seven.io/developer.'),
    from: named(optional(text), 'Sender', 'Up to 11 letters and digits, or 16 digits.'),
  },

  async send({ credentials, message, http }) {
    const answer = await http({
      url: 'https://gateway.seven.io/api/sms',
      headers: { 'x-api-key': credentials.apiKey, accept: 'application/json' },
      form: formFields({
        to: message.to,
        text: message.content,
        from: message.from,
        // Comes back with the delivery report.
        foreign_id: message.id,
        ...message.overrides,
      }),
    })
    return readReply(answer, { success: readCode })
  },

  async check({ credentials, http }) {
    const answer = await http({
      method: 'GET',
      url: 'https://gateway.seven.io/api/balance',
      headers: { 'x-api-key': credentials.apiKey, accept: 'application/json' },
    })
    const isRefused = answer.kind === 'reply' && codeOf(answer) === 900
    return isRefused ? { kind: 'refused', reason: 'code 900: wrong API key' } : readCheck(answer)
  },
})

/** A bare number, or JSON with a code for the call and one for the recipient. */
function codeOf({ json }: HttpReply): number {
  return Number(field(json, 'messages.0.error') ?? field(json, 'success') ?? json)
}

/** Codes as in the vendor's client (https://github.com/seven-io/js-client); refusals come under 200 too. */
function readCode(reply: HttpReply): Outcome {
  const code = codeOf(reply)
  const words = field(reply.json, 'messages.0.error_text')
  const reason = `code ${code}${typeof words === 'string' ? `: ${words}` : ''}`
  switch (code) {
    case 100:
      return sentWith(field(reply.json, 'messages.0.id'), reply)
    case 202: // invalid number
      return { kind: 'rejected', reason, because: 'gone' }
    case 402: // the same text to the same number a moment ago, which may have been our own earlier try
    case 600: // broke while sending
      return { kind: 'unknown', reason }
    case 300: // no key
    case 500: // no credit
    case 900: // wrong key
    case 902: // API switched off for this key
    case 903: // our IP address not allowed
      return { kind: 'rejected', reason, because: 'integration' }
    case 201: // country code
    case 301: // no number
    case 305: // no or bad text
    case 306: // bad sender
    case 401: // text too long
    case 403: // daily limit of this number
      return { kind: 'rejected', reason }
    default:
      return sentWith(undefined, reply)
  }
}
