import type { Callback, Inbound, InboundCall } from '../inbound.ts'
import { hasKeyInUrl, urlKey } from './has-key-in-url.ts'
import { parseForm } from './parse-callback.ts'
import { toCallback } from './to-callback.ts'

/** Reports come by GET, only for messages with a reference; ours have one. */
export const messagebirdCallbacks: Inbound = {
  mostBytes: 8 * 1024,
  key: urlKey,
  keyInUrl: true,
  perMessage: true,
  byGet: true,
  verify: hasKeyInUrl,
  read,
}

/**
 * https://docs.bird.com/connectivity-platform/getting-started/receiving-delivery-reports-dlrs: by GET. The names of the
 * parameters are those of a message in https://github.com/messagebird/openapi-specs (recipients).
 */
function read({ body }: Pick<InboundCall, 'body'>): Callback[] {
  const form = parseForm(body)
  const [externalId, messageId, status, code, why] = [
    'id',
    'reference',
    'status',
    'statusErrorCode',
    'statusReason',
  ].map((name) => form.get(name) ?? '')
  if (!externalId && !messageId) return []
  // The number comes without its plus: the message's own form is what counts.
  const about = { externalId, messageId, reason: [code, why].filter(Boolean).join(' ') }
  switch (status) {
    case 'delivered':
      return [toCallback({ kind: 'delivered', ...about, reason: undefined })]
    case 'delivery_failed':
    case 'expired':
      return [toCallback({ kind: 'bounced', permanent: unknownNumber.includes(code ?? ''), ...about })]
    case '':
    case 'scheduled':
    case 'sent':
    case 'buffered':
      return []
    default:
      return [toCallback({ kind: 'other', name: status, ...about })]
  }
}

// GSM: unknown subscriber.
const unknownNumber = ['1']
