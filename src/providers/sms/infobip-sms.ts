import type { HttpReply } from '../../lib/outbound.ts'
import { infobipSmsCallbacks } from '../callbacks/infobip-sms.ts'
import { type Outcome, readCheck, readReply, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text, where } from '../provider.ts'
import { readEach } from '../shared/read-each.ts'
import { field } from '../shared/reply-field.ts'
import { withoutPlus } from '../shared/without-plus.ts'

export default defineProvider({
  id: 'infobip-sms',
  channel: 'sms',
  displayName: 'Infobip',
  documentation: 'https://www.infobip.com/docs/api/channels/sms/outbound-sms/send-sms-messages',
  verified: 'documentation',
  traceable: true,
  credentials: {
    apiKey: named(secret, 'API key', 'With the scope sms:message:send: https://portal.infobip.com/dev/api-keys.'),
    baseUrl: named(where(text), 'Base URL', 'Personal to the account: xxxxx.api.infobip.com.'),
    from: named(optional(text), 'Sender', 'A name or number of the account.'),
  },

  async send({ credentials, message, http, callbackUrl }) {
    const origin = originOf(credentials.baseUrl)
    if (!origin) return { kind: 'rejected', reason: badBaseUrl, because: 'integration' }
    const answer = await http({
      url: `${origin}/sms/3/messages`,
      headers: { authorization: `App ${credentials.apiKey}` },
      json: {
        messages: [
          {
            sender: message.from && withoutPlus(message.from),
            destinations: [{ to: withoutPlus(message.to) }],
            content: { text: message.content },
            // Comes back with the delivery report.
            webhooks: {
              callbackData: message.id,
              ...(callbackUrl !== undefined && { delivery: { url: callbackUrl }, contentType: 'application/json' }),
            },
          },
        ],
        ...message.overrides,
      },
    })
    return readReply(answer, {
      success: (reply) =>
        readEach(field(reply.json, 'messages'), (sms) => readStatus(sms, reply), sentWith(undefined, reply)),
    })
  },

  async check({ credentials, http }) {
    const origin = originOf(credentials.baseUrl)
    if (!origin) return { kind: 'refused', reason: badBaseUrl }
    const headers = { authorization: `App ${credentials.apiKey}` }
    return readCheck(await http({ method: 'GET', url: `${origin}${checkPath}`, headers }))
  },

  inbound: infobipSmsCallbacks,
})

/**
 * A key that may send may read reports, by the same scopes (`x-scopes` in https://api.infobip.com/platform/1/openapi/sms);
 * the balance needs another. Each report is given only once, so this asks for those of a message that is none.
 */
const checkPath = '/sms/3/reports?messageId=tidings-connection-check&limit=1'

const badBaseUrl = "the base URL is not one of Infobip's: write it like xxxxx.api.infobip.com"

function originOf(baseUrl: string): string | undefined {
  const host = baseUrl
    .trim()
    .toLowerCase()
    .replace(/^https:\/\//, '')
    .replace(/(?<!\/)\/+$/, '')
  return /^([a-z0-9-]+\.)+infobip\.com$/.test(host) ? `https://${host}` : undefined
}

/**
 * https://www.infobip.com/docs/developer-resources/api-fundamentals/message-status-codes: refusals come under 200 too.
 * Groups: https://github.com/infobip/infobip-api-java-client, MessageGeneralStatus.java; names: RcsStatusReason.java there.
 */
function readStatus(sms: unknown, reply: HttpReply): Outcome {
  const status = field(sms, 'status')
  const [group, name, words] = ['groupName', 'name', 'description'].map((key) => String(field(status, key) ?? ''))
  const reason = `${name}: ${words}`
  if (['ACCEPTED', 'PENDING', 'DELIVERED', 'OK'].includes(group ?? '')) return sentWith(field(sms, 'messageId'), reply)
  switch (name) {
    case 'REJECTED_FLOODING_FILTER': // too many to this number within the hour
    case 'REJECTED_SYSTEM_ERROR': // to be submitted again
      return { kind: 'retry', reason }
    case 'REJECTED_NOT_ENOUGH_CREDITS':
    case 'REJECTED_PREPAID_PACKAGE_EXPIRED':
    case 'REJECTED_SOURCE':
    case 'REJECTED_SENDER':
    case 'REJECTED_DESTINATION_NOT_REGISTERED': // an account on trial
    case 'REJECTED_ROUTE_NOT_AVAILABLE': // none set up for the account
      return { kind: 'rejected', reason, because: 'integration' }
    case 'REJECTED_PREFIX_MISSING':
    case 'REJECTED_INVALID_DESTINATION':
      return { kind: 'rejected', reason, because: 'gone' }
    case 'SIGNALS_BLOCKED': // taken for fraud; its group is EXPIRED
      return { kind: 'rejected', reason }
    default:
      return group === 'REJECTED' || group === 'UNDELIVERABLE'
        ? { kind: 'rejected', reason }
        : sentWith(undefined, reply)
  }
}
