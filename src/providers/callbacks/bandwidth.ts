import type { Callback, Inbound, InboundCall } from '../inbound.ts'
import { field, textField } from '../shared/reply-field.ts'
import { hasKeyInUrl, urlKey } from './has-key-in-url.ts'
import { eventsIn, parseCallback } from './parse-callback.ts'
import { toCallback } from './to-callback.ts'

/**
 * Bandwidth signs nothing. The address is the status callback of the messaging application; Basic credentials may be
 * set there too, and are not needed. https://dev.bandwidth.com/docs/account/applications
 */
export const bandwidthCallbacks: Inbound = {
  mostBytes: 128 * 1024,
  key: urlKey,
  keyInUrl: true,
  verify: hasKeyInUrl,
  read,
}

/** https://dev.bandwidth.com/docs/messaging/webhooks */
function read({ body }: Pick<InboundCall, 'body'>): Callback[] {
  return eventsIn(parseCallback(body)).flatMap(toEvents)
}

// https://dev.bandwidth.com/docs/messaging/errors
const badNumber = ['4303', '4720', '4721'] // malformed, none that takes texts, one that no carrier serves any more
const noReceipt = '9902'

function toEvents(event: unknown): Callback[] {
  const about = {
    externalId: textField(event, 'message.id'),
    messageId: field(event, 'message.tag'),
    address: field(event, 'to'),
  }
  if (!about.externalId) return []
  const [type, code, words] = ['type', 'errorCode', 'description'].map((name) => textField(event, name))
  switch (type) {
    case 'message-delivered':
      return [toCallback({ kind: 'delivered', ...about })]
    case 'message-failed':
      // It waited two hours for the carrier's receipt: the message may have arrived.
      if (code === noReceipt) return [toCallback({ kind: 'other', name: 'delivery-receipt-expired', ...about })]
      return [
        toCallback({
          kind: 'bounced',
          permanent: badNumber.includes(code ?? ''),
          ...about,
          reason: `${code} ${words}`.trim(),
        }),
      ]
    case 'message-read':
      return [toCallback({ kind: 'opened', ...about })]
    case '':
    case 'message-sending':
    case 'message-sent':
    case 'message-received': // somebody's text to us
      return []
    default:
      return [toCallback({ kind: 'other', name: type, ...about })]
  }
}
