import type { Callback, Inbound, InboundCall } from '../inbound.ts'
import { hasKeyInUrl, urlKey } from './has-key-in-url.ts'
import { parseForm } from './parse-callback.ts'
import { toCallback } from './to-callback.ts'

/** It signs nothing. The address is set in its dashboard: SMS, SMS callback URLs, Delivery reports. */
export const africasTalkingCallbacks: Inbound = {
  mostBytes: 16 * 1024,
  key: urlKey,
  keyInUrl: true,
  verify: hasKeyInUrl,
  read,
}

/** http://docs.africastalking.com/sms/notifications */
function read({ body }: Pick<InboundCall, 'body'>): Callback[] {
  const form = parseForm(body)
  const [externalId, status, failure, address] = ['id', 'status', 'failureReason', 'phoneNumber'].map(
    (name) => form.get(name) ?? '',
  )
  if (!externalId) return []
  const about = { externalId, address }
  switch (status) {
    case 'Success':
      return [toCallback({ kind: 'delivered', ...about })]
    case 'Failed':
    case 'Rejected':
    case 'AbsentSubscriber':
    case 'Expired': {
      const permanent = failure === 'UserDoesNotExist'
      return [toCallback({ kind: 'bounced', permanent, ...about, reason: failure || status })]
    }
    case '':
    case 'Sent':
    case 'Submitted':
    case 'Buffered': // the operator has it in its queue
      return []
    default:
      return [toCallback({ kind: 'other', name: status, ...about })]
  }
}
