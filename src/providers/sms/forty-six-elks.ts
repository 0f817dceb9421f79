import type { HttpReply } from '../../lib/outbound.ts'
import { fortySixElksCallbacks } from '../callbacks/forty-six-elks.ts'
import { type Outcome, readCheck, readReply, reasonOf, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text } from '../provider.ts'
import { basicAuth } from '../shared/basic-auth.ts'
import { formFields } from '../shared/form-fields.ts'
import { field } from '../shared/reply-field.ts'

export default defineProvider({
  id: 'forty-six-elks',
  channel: 'sms',
  displayName: '46elks',
  documentation: 'https://46elks.com/docs/send-sms',
  verified: 'documentation in part',
  credentials: {
    user: named(text, 'API username', 'Shown at https://46elks.com/account.'),
    password: named(secret, 'API password', 'Beside the username; not the one you log in with.'),
    from: named(optional(text), 'Sender', 'A name of up to 11 letters and digits, or a number of the account.'),
  },

  async send({ credentials, message, http, callbackUrl }) {
    const answer = await http({
      url: 'https://api.46elks.com/a1/sms',
      headers: { authorization: basicAuth(credentials.user, credentials.password) },
      form: formFields({
        from: message.from,
        to: message.to,
        message: message.content,
        whendelivered: callbackUrl,
        ...message.overrides,
      }),
    })
    return readReply(answer, {
      success: (reply) => sentWith(field(reply.json, 'id'), reply),
      failure: readForbidden,
    })
  },

  check: async ({ credentials, http }) =>
    readCheck(
      await http({
        method: 'GET',
        url: 'https://api.46elks.com/a1/me',
        headers: { authorization: basicAuth(credentials.user, credentials.password) },
      }),
    ),

  inbound: fortySixElksCallbacks,
})

/** 403 is for anything it will not do: a bad sender or number as well as an empty account. */
function readForbidden(reply: HttpReply): Outcome | undefined {
  if (reply.status !== 403) return undefined
  const isOurs = /credit/i.test(reply.text)
  return { kind: 'rejected', reason: reasonOf(reply), ...(isOurs && { because: 'integration' }) }
}
