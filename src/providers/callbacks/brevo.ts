import type { Callback, Inbound, InboundCall } from '../inbound.ts'
import { field, textField } from '../shared/reply-field.ts'
import { hasKeyInUrl, urlKey } from './has-key-in-url.ts'
import { eventsIn, parseCallback } from './parse-callback.ts'
import { toCallback } from './to-callback.ts'

/** Of e-mail. Brevo signs nothing: https://developers.brevo.com/docs/username-and-password-authentication */
export const brevoCallbacks: Inbound = {
  // 500 events at most, if it gathers them.
  mostBytes: 768 * 1024,
  key: urlKey,
  keyInUrl: true,
  verify: hasKeyInUrl,
  read,
}

/** Of SMS. Each message names the address (`webUrl`). */
export const brevoSmsCallbacks: Inbound = {
  mostBytes: 32 * 1024,
  key: urlKey,
  keyInUrl: true,
  perMessage: true,
  verify: hasKeyInUrl,
  read: readSms,
}

/**
 * https://developers.brevo.com/docs/transactional-webhooks: one event, or a list of them
 * (https://developers.brevo.com/docs/batch-webhooks).
 */
function read({ body }: Pick<InboundCall, 'body'>): Callback[] {
  const call = parseCallback(body)
  return Array.isArray(call) ? eventsIn(call).flatMap(readEvent) : readEvent(call)
}

function readEvent(event: unknown): Callback[] {
  const name = textField(event, 'event')
  const about = {
    externalId: inBrackets(textField(event, 'message-id')),
    messageId: field(parseCallback(textField(event, 'X-Mailin-custom')), 'tidings_message_id'),
    address: field(event, 'email'),
    reason: field(event, 'reason'),
  }
  switch (name) {
    case '':
    case 'request':
    case 'sent':
      return []
    case 'delivered':
      return [toCallback({ kind: 'delivered', ...about, reason: undefined })]
    case 'hard_bounce':
    case 'invalid_email':
      return [toCallback({ kind: 'bounced', permanent: true, ...about })]
    case 'soft_bounce':
    // By a list of the account's: it may have been unsubscribed, too.
    case 'blocked':
    case 'error':
      return [toCallback({ kind: 'bounced', permanent: false, ...about })]
    case 'spam':
    case 'complaint':
      return [toCallback({ kind: 'complained', ...about })]
    case 'opened':
    case 'unique_opened':
      return [toCallback({ kind: 'opened', ...about })]
    case 'proxy_open':
    case 'unique_proxy_open':
      return [toCallback({ kind: 'opened', ...about, reason: 'loaded by a proxy of the mailbox' })]
    case 'click':
      return [toCallback({ kind: 'clicked', ...about })]
    case 'unsubscribe':
    case 'unsubscribed':
      return [toCallback({ kind: 'unsubscribed', ...about })]
    default:
      return [toCallback({ kind: 'other', ...about, name })]
  }
}

/** As the reply to the mail has it; some events come without. */
function inBrackets(id: string): string {
  return id === '' || id.startsWith('<') ? id : `<${id}>`
}

/** The same page, at its end. The number comes without its plus: the message knows it better. */
function readSms({ body }: Pick<InboundCall, 'body'>): Callback[] {
  const event = parseCallback(body)
  const name = textField(event, 'msg_status')
  const about = { externalId: textField(event, 'messageId'), reason: field(event, 'description') }
  switch (name) {
    case '':
    case 'sent':
    case 'accepted':
      return []
    case 'delivered':
      return [toCallback({ kind: 'delivered', ...about, reason: undefined })]
    case 'hard_bounce':
      return [toCallback({ kind: 'bounced', permanent: true, ...about })]
    case 'soft_bounce':
    case 'rejected':
      return [toCallback({ kind: 'bounced', permanent: false, ...about })]
    default:
      return [toCallback({ kind: 'other', ...about, name })]
  }
}
