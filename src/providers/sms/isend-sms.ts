import type { HttpReply } from '../../lib/outbound.ts'
import { type Outcome, readCheck, readReply, reasonOf, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text } from '../provider.ts'
import { isGsmText } from '../shared/gsm-text.ts'
import { noSender } from '../shared/no-sender.ts'
import { field, textField } from '../shared/reply-field.ts'
import { withoutPlus } from '../shared/without-plus.ts'

/**
 * Keys like `94|…` are of version 3, as in the vendor's own client: its contentType (plain or unicode) has no field, as it
 * follows from the text. Keys like `prod_…` are of the newer portal, and of version 1 of its interface: the vendor's guide
 * is in https://github.com/motasem267/loyalpet_middleware, API_ISEND_GUIDE.md. That one takes an idempotency key, kept
 * for 24 hours; version 3 has none, so this provider claims none.
 */
export default defineProvider({
  id: 'isend-sms',
  channel: 'sms',
  displayName: 'iSend SMS',
  documentation: 'https://packagist.org/packages/isend/laravel',
  verified: 'client source',
  credentials: {
    apiToken: named(secret, 'API token', 'Of the account: like 94|… or, made under Developer → API Keys, like prod_….'),
    from: named(optional(text), 'Sender ID', 'One that is approved.'),
  },

  async send({ credentials, message, http }) {
    const headers = headersOf(credentials)
    if (isNewer(credentials)) {
      const fault = noSender(message, 'from')
      if (fault) return fault
      const answer = await http({
        url: 'https://isend.com.ly/api/v1/messages',
        headers,
        json: {
          to: withoutPlus(message.to),
          from: message.from && withoutPlus(message.from),
          body: message.content,
          ...message.overrides,
          idempotency_key: message.key,
        },
      })
      return readReply(answer, { success: readMessage, failure: readRefusal })
    }
    const answer = await http({
      url: 'https://isend.com.ly/api/v3/sms/send',
      headers,
      json: {
        recipient: withoutPlus(message.to),
        sender_id: message.from && withoutPlus(message.from),
        type: isGsmText(message.content) ? 'plain' : 'unicode',
        message: message.content,
        ...message.overrides,
      },
    })
    return readReply(answer, { success: readStatus, failure: readRefusal })
  },

  async check({ credentials, http }) {
    const answer = await http({
      method: 'GET',
      url: `https://isend.com.ly/api/${isNewer(credentials) ? 'v1/account/quota' : 'v3/balance'}`,
      headers: headersOf(credentials),
    })
    if (answer.kind === 'reply' && field(answer.json, 'status') === 'error') {
      return { kind: 'refused', reason: reasonOf(answer) }
    }
    return readCheck(answer)
  },
})

type Login = { apiToken: string }

function isNewer({ apiToken }: Login): boolean {
  return apiToken.trim().startsWith('prod_')
}

function headersOf({ apiToken }: Login): Record<string, string> {
  return { authorization: `Bearer ${apiToken.trim()}`, accept: 'application/json' }
}

/** Of version 1: the message, whose status may already be its last. */
function readMessage(reply: HttpReply): Outcome {
  const status = textField(reply.json, 'status')
  if (status === 'REJECTED' || status === 'FAILED' || status === 'UNDELIV') {
    return { kind: 'rejected', reason: `${status} ${textField(reply.json, 'error_message')}`.trim().slice(0, 500) }
  }
  return sentWith(field(reply.json, 'id'), reply)
}

/** It has no codes for what is the account's, only words. */
function readRefusal(reply: HttpReply): Outcome | undefined {
  const reason = reasonOf(reply)
  if (reply.status >= 429 || !/\b(balance|credits?|quota|sender)\b/i.test(reason)) return undefined
  return { kind: 'rejected', reason, because: 'integration' }
}

function readStatus(reply: HttpReply): Outcome {
  if (field(reply.json, 'status') === 'error') {
    return readRefusal(reply) ?? { kind: 'rejected', reason: reasonOf(reply) }
  }
  return sentWith(field(reply.json, 'data.uid'), reply)
}
