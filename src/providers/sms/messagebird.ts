import { messagebirdCallbacks } from '../callbacks/messagebird.ts'
import { readCheck, readReply, reasonOf, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text } from '../provider.ts'
import { field } from '../shared/reply-field.ts'
import { withoutPlus } from '../shared/without-plus.ts'

// As in the vendor's https://github.com/messagebird/php-rest-api, src/MessageBird/Common/ResponseError.php.
const ours = [2, 25] // not allowed, no balance

export default defineProvider({
  id: 'messagebird',
  channel: 'sms',
  displayName: 'MessageBird',
  documentation: 'https://developers.messagebird.com/api/sms-messaging/',
  verified: 'documentation in part',
  traceable: true,
  credentials: {
    accessKey: named(secret, 'Access key', 'A live one: https://dashboard.messagebird.com/en/developers/access.'),
    from: named(optional(text), 'Originator', 'A name of up to 11 letters and digits, or a number.'),
  },

  async send({ credentials, message, http, callbackUrl }) {
    const answer = await http({
      url: 'https://rest.messagebird.com/messages',
      headers: { authorization: `AccessKey ${credentials.accessKey}` },
      json: {
        originator: message.from,
        recipients: [withoutPlus(message.to)],
        body: message.content,
        // The alphabet by the text; its own default is 7-bit, whatever the text.
        datacoding: 'auto',
        reference: message.id,
        reportUrl: callbackUrl,
        ...message.overrides,
      },
    })
    return readReply(answer, {
      success: (reply) => sentWith(field(reply.json, 'id'), reply),
      failure: (reply) => {
        const isOurs = reply.status === 402 || ours.includes(Number(field(reply.json, 'errors.0.code')))
        return isOurs ? { kind: 'rejected', reason: reasonOf(reply), because: 'integration' } : undefined
      },
    })
  },

  check: async ({ credentials, http }) =>
    readCheck(
      await http({
        method: 'GET',
        url: 'https://rest.messagebird.com/balance',
        headers: { authorization: `AccessKey ${credentials.accessKey}` },
      }),
    ),

  inbound: messagebirdCallbacks,
})
