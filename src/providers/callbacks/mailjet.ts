import type { Callback, Inbound, InboundCall } from '../inbound.ts'
import { field, textField } from '../shared/reply-field.ts'
import { hasKeyInUrl, urlKey } from './has-key-in-url.ts'
import { eventsIn, parseCallback } from './parse-callback.ts'
import { toCallback } from './to-callback.ts'

/**
 * Mailjet signs nothing.
 * https://documentation.mailjet.com/hc/en-us/articles/360043578154-Event-Tracking-API
 */
export const mailjetCallbacks: Inbound = {
  mostBytes: 1024 * 1024,
  key: urlKey,
  keyInUrl: true,
  verify: hasKeyInUrl,
  read,
}

/** https://dev.mailjet.com/email/guides/webhooks/: one event, or a list of them if it groups them. */
function read({ body }: Pick<InboundCall, 'body'>): Callback[] {
  const call = parseCallback(body)
  return Array.isArray(call) ? eventsIn(call).flatMap(readEvent) : readEvent(call)
}

function readEvent(event: unknown): Callback[] {
  const name = textField(event, 'event')
  const error = textField(event, 'error')
  const about = {
    // What the reply called MessageUUID.
    externalId: field(event, 'Message_GUID'),
    messageId: field(event, 'CustomID'),
    address: field(event, 'email'),
  }
  const words = [error || textField(event, 'error_related_to'), textField(event, 'comment')]
  const reason = words.filter((word) => word !== '').join(': ')
  switch (name) {
    case '':
      return []
    // The server of the recipient took it.
    case 'sent':
      return [toCallback({ kind: 'delivered', ...about })]
    case 'open':
      return [toCallback({ kind: 'opened', ...about })]
    case 'click':
      return [toCallback({ kind: 'clicked', ...about })]
    case 'spam':
      return [toCallback({ kind: 'complained', ...about, reason: field(event, 'source') })]
    case 'unsub':
      return [toCallback({ kind: 'unsubscribed', ...about })]
    case 'bounce': {
      const isLasting = field(event, 'hard_bounce') === true
      // Mailjet will try again by itself.
      if (error === 'greylisted' && !isLasting) return [toCallback({ kind: 'other', ...about, name: error, reason })]
      return [toCallback({ kind: 'bounced', permanent: isLasting && isOfAddress(event), ...about, reason })]
    }
    case 'blocked':
      return [toCallback({ kind: 'bounced', permanent: false, ...about, reason })]
    default:
      return [toCallback({ kind: 'other', ...about, name, reason })]
  }
}

/** Not of what the mail says, of who sends it, or of Mailjet. */
function isOfAddress(event: unknown): boolean {
  return ['recipient', 'domain'].includes(textField(event, 'error_related_to'))
}
