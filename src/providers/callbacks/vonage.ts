import type { Callback, Inbound, InboundCall } from '../inbound.ts'
import { field, textField } from '../shared/reply-field.ts'
import { hasKeyInUrl, urlKey } from './has-key-in-url.ts'
import { parseCallback, parseForm } from './parse-callback.ts'
import { toCallback } from './to-callback.ts'

/**
 * Receipts are signed only for accounts for which Vonage's support has switched it on, and by one of five algorithms of
 * the account (https://developer.vonage.com/en/getting-started/concepts/signing-messages): so the key is in the address.
 */
export const vonageCallbacks: Inbound = {
  mostBytes: 16 * 1024,
  key: urlKey,
  keyInUrl: true,
  perMessage: true,
  // By the account's setting, as the form of the body.
  byGet: true,
  verify: hasKeyInUrl,
  read,
}

// No longer active, barred by its owner: Vonage says of both to remove the number.
const badNumber = ['3', '4']

/**
 * One receipt for each part of a long text. The number comes without its plus sign: the message knows it better.
 * https://developer.vonage.com/en/messaging/sms/guides/delivery-receipts
 */
function read({ body }: Pick<InboundCall, 'body'>): Callback[] {
  // By the account's setting.
  const receipt = body.startsWith('{') ? parseCallback(body) : Object.fromEntries(parseForm(body))
  const [status, code] = [textField(receipt, 'status'), textField(receipt, 'err-code')]
  const about = { externalId: textField(receipt, 'messageId'), messageId: field(receipt, 'client-ref') }
  if (!about.externalId) return []
  switch (status) {
    case 'delivered':
      return [toCallback({ kind: 'delivered', ...about })]
    case 'expired':
    case 'failed':
    case 'rejected':
      return [
        toCallback({
          kind: 'bounced',
          permanent: badNumber.includes(code),
          ...about,
          reason: code ? `${status}, error ${code}` : status,
        }),
      ]
    case '':
    case 'accepted':
      return []
    default:
      // Buffered, unknown.
      return [toCallback({ kind: 'other', name: status, ...about })]
  }
}
