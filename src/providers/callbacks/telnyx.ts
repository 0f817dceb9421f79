import { createPublicKey, verify as verifySignature } from 'node:crypto'
import type { Callback, Inbound, InboundCall } from '../inbound.ts'
import { field, textField } from '../shared/reply-field.ts'
import { isRecent } from './is-recent.ts'
import { parseCallback } from './parse-callback.ts'
import { toCallback } from './to-callback.ts'

export const telnyxCallbacks: Inbound = {
  mostBytes: 64 * 1024,
  key: { label: 'Public key', help: 'Of the account: portal.telnyx.com, Keys & credentials, Public key.' },
  perMessage: true,
  verify,
  read,
}

const keyBytes = 32

/**
 * Ed25519 over the timestamp, a bar and the body. The timestamp is that of the sending, and the three tries follow each
 * other at once. https://developers.telnyx.com/docs/messaging/messages/receiving-webhooks
 */
function verify({ headers, body, signingKey, now }: InboundCall): boolean {
  const timestamp = headers['telnyx-timestamp'] ?? ''
  const raw = Buffer.from(signingKey, 'base64')
  if (!isRecent(timestamp, now) || raw.length !== keyBytes) return false
  const signature = Buffer.from(headers['telnyx-signature-ed25519'] ?? '', 'base64')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') }, format: 'jwk' })
  return verifySignature(null, Buffer.from(`${timestamp}|${body}`, 'utf8'), key, signature)
}

// https://developers.telnyx.com/docs/messaging/messages/error-codes
const badNumber = ['40001', '40310'] // landline or not routable, malformed
// A group message has eight.
const mostRecipients = 50

/** https://developers.telnyx.com/api-reference/callbacks/delivery-update */
function read({ body }: Pick<InboundCall, 'body'>): Callback[] {
  const event = field(parseCallback(body), 'data')
  const payload = field(event, 'payload')
  const externalId = textField(payload, 'id')
  const given = field(payload, 'to')
  if (!externalId || !Array.isArray(given) || field(payload, 'direction') !== 'outbound') return []
  if (field(event, 'event_type') === 'message.sent') return []
  const recipients = given.slice(0, mostRecipients)
  return recipients.flatMap((recipient) => toEvents(payload, recipient, recipients.length === 1))
}

function toEvents(payload: unknown, recipient: unknown, isOnly: boolean): Callback[] {
  const about = { externalId: textField(payload, 'id'), address: field(recipient, 'phone_number') }
  const status = textField(recipient, 'status')
  switch (status) {
    case 'delivered':
      return [toCallback({ kind: 'delivered', ...about })]
    case 'sending_failed':
    case 'delivery_failed': {
      // It does not say which recipient it is about.
      const code = textField(payload, 'errors.0.code')
      const reason = [code || status, textField(payload, 'errors.0.title')].filter((text) => text !== '').join(' ')
      return [toCallback({ kind: 'bounced', permanent: isOnly && badNumber.includes(code), ...about, reason })]
    }
    case '':
    case 'queued':
    case 'sending':
    case 'sent':
      return []
    default:
      // Such as delivery_unconfirmed: no receipt came.
      return [toCallback({ kind: 'other', name: status, ...about })]
  }
}
