import type { Callback, Inbound, InboundCall } from '../inbound.ts'
import { field, textField } from '../shared/reply-field.ts'
import { isHmacOfBody } from './is-hmac-of-body.ts'
import { parseCallback } from './parse-callback.ts'
import { toCallback } from './to-callback.ts'

export const mailersendCallbacks: Inbound = {
  mostBytes: 128 * 1024,
  key: { label: 'Signing secret', help: 'Of the webhook: MailerSend shows it on the page of the domain, at Webhooks.' },
  verify,
  read,
}

/** https://developers.mailersend.com/api/v1/webhooks.html: the body as it came, without a time. */
function verify(call: InboundCall): boolean {
  return isHmacOfBody((call.headers.signature ?? '').toLowerCase(), call)
}

/** https://developers.mailersend.com/api/v1/webhooks.html: one event in each call, of one recipient. */
function read({ body }: Pick<InboundCall, 'body'>): Callback[] {
  const event = parseCallback(body)
  const about = {
    // What the reply called x-message-id.
    externalId: textField(event, 'data.email.message.id'),
    address: field(event, 'data.email.recipient.email'),
    reason: textField(event, 'data.morph.readable_reason') || textField(event, 'data.morph.reason'),
  }
  // The others are about the account: a domain that was verified, maintenance.
  const [, name = ''] = /^activity\.(\w+)$/.exec(textField(event, 'type')) ?? []
  if (about.externalId === '') return []
  switch (name) {
    case '':
    case 'sent':
      return []
    case 'delivered':
      return [toCallback({ kind: 'delivered', ...about })]
    case 'hard_bounced':
      return [toCallback({ kind: 'bounced', permanent: true, ...about })]
    case 'soft_bounced':
      return [toCallback({ kind: 'bounced', permanent: false, ...about })]
    case 'spam_complaint':
      return [toCallback({ kind: 'complained', ...about })]
    case 'opened':
    case 'opened_unique':
      return [toCallback({ kind: 'opened', ...about })]
    case 'clicked':
    case 'clicked_unique':
      return [toCallback({ kind: 'clicked', ...about })]
    case 'unsubscribed':
      return [toCallback({ kind: 'unsubscribed', ...about })]
    default:
      return [toCallback({ kind: 'other', ...about, name })]
  }
}
