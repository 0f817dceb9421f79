import type { Callback, Inbound, InboundCall } from '../inbound.ts'
import { field, textField } from '../shared/reply-field.ts'
import { hasKeyInUrl, urlKey } from './has-key-in-url.ts'
import { parseCallback } from './parse-callback.ts'
import { toCallback } from './to-callback.ts'

/**
 * Calls are signed only if the account's manager has set it up, and tried again for 23 hours
 * (https://developers.sinch.com/docs/sms/api-reference/sms/tag/Webhooks/): so the key is in the address.
 */
export const sinchCallbacks: Inbound = {
  mostBytes: 64 * 1024,
  key: urlKey,
  keyInUrl: true,
  perMessage: true,
  verify: hasKeyInUrl,
  read,
}

const mostStatuses = 100

/**
 * A report about one recipient, which we ask for, or about the whole batch, which a trigger may ask for instead.
 * https://developers.sinch.com/docs/sms/api-reference/sms/tag/Delivery-reports/
 */
function read({ body }: Pick<InboundCall, 'body'>): Callback[] {
  const report = parseCallback(body)
  const about = { externalId: textField(report, 'batch_id'), messageId: field(report, 'client_reference') }
  if (!about.externalId) return []
  const type = textField(report, 'type')
  if (type.startsWith('recipient_delivery_report_')) return toEvents(report, about, true)
  const statuses = type.startsWith('delivery_report_') ? field(report, 'statuses') : undefined
  if (!Array.isArray(statuses)) return []
  const isOnly = field(report, 'total_message_count') === 1
  return statuses.slice(0, mostStatuses).flatMap((status) => toEvents(status, about, isOnly))
}

// https://developers.sinch.com/docs/sms/smpp/error-codes
const badNumber = ['150', '300'] // unknown, no valid address

/** The number comes without its plus sign: the message knows it better. */
function toEvents(report: unknown, about: { externalId: string; messageId: unknown }, isOnly: boolean): Callback[] {
  const [status, code] = [textField(report, 'status'), textField(report, 'code')]
  switch (status.toLowerCase()) {
    case 'delivered':
      return [toCallback({ kind: 'delivered', ...about })]
    case 'aborted':
    case 'cancelled':
    case 'deleted':
    case 'expired':
    case 'failed':
    case 'rejected': {
      const reason = code ? `${status}, code ${code}` : status
      return [toCallback({ kind: 'bounced', permanent: isOnly && badNumber.includes(code), ...about, reason })]
    }
    case '':
    case 'queued':
    case 'dispatched':
      return []
    default:
      // Such as unknown: no receipt came.
      return [toCallback({ kind: 'other', name: status, ...about })]
  }
}
