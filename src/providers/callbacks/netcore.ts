import type { Callback, Inbound, InboundCall } from '../inbound.ts'
import { field, textField } from '../shared/reply-field.ts'
import { hasKeyInUrl, urlKey } from './has-key-in-url.ts'
import { eventsIn, parseCallback } from './parse-callback.ts'
import { toCallback } from './to-callback.ts'

/** Netcore, formerly Pepipost, signs nothing. https://emaildocs.netcorecloud.com/docs/repository-outline */
export const netcoreCallbacks: Inbound = {
  // 100 events, or 1,000 for who asks.
  mostBytes: 1024 * 1024,
  key: urlKey,
  keyInUrl: true,
  verify: hasKeyInUrl,
  read,
}

/**
 * https://emaildev.netcorecloud.com/webhooks/repository/events: a list, empty if it only tries the address. The id of
 * the reply is not among the fields; TRANSID is another.
 */
function read({ body }: Pick<InboundCall, 'body'>): Callback[] {
  return eventsIn(parseCallback(body)).flatMap(readEvent)
}

function readEvent(event: unknown): Callback[] {
  const name = textField(event, 'EVENT').toLowerCase()
  const about = {
    // What was `token_to`.
    messageId: field(event, 'X-APIHEADER'),
    address: field(event, 'EMAIL'),
    reason: field(event, 'RESPONSE'),
  }
  switch (name) {
    case '':
      return []
    // The server of the recipient took it.
    case 'sent':
    case 'delivered':
      return [toCallback({ kind: 'delivered', ...about, reason: undefined })]
    case 'bounced':
      return [toCallback({ kind: 'bounced', permanent: !isSoft(event), ...about })]
    case 'invalid':
      return [toCallback({ kind: 'bounced', permanent: true, ...about })]
    // On a list of the account's, or unsubscribed before.
    case 'dropped':
      return [toCallback({ kind: 'bounced', permanent: false, ...about })]
    case 'opened':
      return [toCallback({ kind: 'opened', ...about })]
    case 'clicked':
      return [toCallback({ kind: 'clicked', ...about })]
    case 'unsubscribed':
      return [toCallback({ kind: 'unsubscribed', ...about })]
    case 'abuse':
    case 'spam':
      return [toCallback({ kind: 'complained', ...about })]
    default:
      return [toCallback({ kind: 'other', ...about, name })]
  }
}

/** What Netcore reports as bounced is hard by its documentation. Some accounts also get a type, which may say soft. */
function isSoft(event: unknown): boolean {
  return textField(event, 'BOUNCE_TYPE').toLowerCase().startsWith('soft')
}
