import { createHmac } from 'node:crypto'
import type { Callback, Inbound, InboundCall } from '../inbound.ts'
import { sameText } from '../shared/same-text.ts'
import { parseForm } from './parse-callback.ts'
import { toCallback } from './to-callback.ts'

export const plivoCallbacks: Inbound = {
  mostBytes: 32 * 1024,
  key: {
    label: 'Auth token',
    help: 'The auth token of the account (console.plivo.com, Overview): with it Plivo signs its calls.',
  },
  perMessage: true,
  verify,
  once: ({ headers }) => nonceIn(headers),
  read,
}

/**
 * The address without its query, and the nonce: of messages Plivo documents this version of its signature alone, and it
 * covers no body. The second header is made with the token of the main account, whichever subaccount sent.
 * https://docs.plivo.com/docs/messaging/concepts/signature-validation
 */
function verify({ headers, url, signingKey }: InboundCall): boolean {
  const nonce = nonceIn(headers)
  const called = URL.parse(url)
  if (signingKey === '' || nonce === '' || !called) return false
  const expected = createHmac('sha256', signingKey)
    .update(called.origin + called.pathname + nonce, 'utf8')
    .digest('base64')
  const given = [headers['x-plivo-signature-v2'], headers['x-plivo-signature-ma-v2']]
  return given.some((signature) => signature !== undefined && sameText(signature, expected))
}

/** Each call has its own. As no body is signed, whoever sees one call could else send others with its proof. */
function nonceIn(headers: InboundCall['headers']): string {
  return headers['x-plivo-signature-v2-nonce'] ?? ''
}

// https://www.plivo.com/docs/messaging/troubleshooting/error-codes
const badNumber = ['50', '70'] // invalid, permanently unavailable

/**
 * The number comes without its plus sign: the message knows it better.
 * https://www.plivo.com/docs/messaging/api/message/message-status-callbacks
 */
function read({ body }: Pick<InboundCall, 'body'>): Callback[] {
  const form = parseForm(body)
  const [externalId, status, code] = ['MessageUUID', 'Status', 'ErrorCode'].map((name) => form.get(name) ?? '')
  if (!externalId) return []
  switch (status) {
    case 'delivered':
      return [toCallback({ kind: 'delivered', externalId })]
    case 'undelivered':
    case 'failed':
    case 'rejected': {
      const reason = code ? `error ${code}` : status
      return [toCallback({ kind: 'bounced', permanent: badNumber.includes(code ?? ''), externalId, reason })]
    }
    case 'read':
      // Of WhatsApp.
      return [toCallback({ kind: 'opened', externalId })]
    case '':
    case 'queued':
    case 'sent':
      return []
    default:
      return [toCallback({ kind: 'other', name: status, externalId })]
  }
}
