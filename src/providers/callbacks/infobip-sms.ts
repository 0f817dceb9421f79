import type { Callback, Inbound, InboundCall } from '../inbound.ts'
import { field, textField } from '../shared/reply-field.ts'
import { hasKeyInUrl, urlKey } from './has-key-in-url.ts'
import { eventsIn, parseCallback } from './parse-callback.ts'
import { toCallback } from './to-callback.ts'

/** Reports to an address that a message names are not signed. A hundred come in one call unless the account says else. */
export const infobipSmsCallbacks: Inbound = {
  mostBytes: 512 * 1024,
  key: urlKey,
  keyInUrl: true,
  perMessage: true,
  verify: hasKeyInUrl,
  read,
}

/** https://www.infobip.com/docs/api/channels/sms/sms-messaging/logs-and-status-reports/receive-outbound-sms-message-report */
function read({ body }: Pick<InboundCall, 'body'>): Callback[] {
  return eventsIn(field(parseCallback(body), 'results')).flatMap(toEvents)
}

// https://www.infobip.com/docs/developer-resources/api-fundamentals/error-code-reference
const badNumber = [
  'EC_UNKNOWN_SUBSCRIBER',
  'EC_DEST_ADDRESS_UNABLE_TO_RECEIVE_SMS',
  'EC_INVALID_REQUEST_DESTINATION', // no country has its prefix
  'REJECTED_PREFIX_MISSING',
  'REJECTED_INVALID_DESTINATION',
  'REJECTED_DESTINATION',
]

/**
 * The number comes without its plus sign: the message knows it better.
 * https://www.infobip.com/docs/developer-resources/api-fundamentals/message-status-codes
 */
function toEvents(report: unknown): Callback[] {
  const about = { externalId: textField(report, 'messageId'), messageId: field(report, 'callbackData') }
  if (!about.externalId) return []
  const [group, name, error] = ['status.groupName', 'status.name', 'error.name'].map((path) => textField(report, path))
  switch (group) {
    case 'DELIVERED':
      // The operator has it, and may report again.
      return name === 'DELIVERED_TO_OPERATOR' ? [] : [toCallback({ kind: 'delivered', ...about })]
    case 'UNDELIVERABLE':
    case 'EXPIRED':
    case 'REJECTED': {
      const permanent = badNumber.some((word) => word === name || word === error)
      const reason = [name, error].filter((word) => word && word !== 'NO_ERROR').join(', ')
      return [toCallback({ kind: 'bounced', permanent, ...about, reason })]
    }
    case '':
    case 'OK':
    case 'PENDING':
      return []
    default:
      return [toCallback({ kind: 'other', name: name || group, ...about })]
  }
}
