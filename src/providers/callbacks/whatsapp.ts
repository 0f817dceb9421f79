import type { Callback, Inbound, InboundCall, InboundReply } from '../inbound.ts'
import { field, listField, textField } from '../shared/reply-field.ts'
import { sameText } from '../shared/same-text.ts'
import { isHmacOfBody } from './is-hmac-of-body.ts'
import { eventsIn, parseCallback } from './parse-callback.ts'
import { toCallback } from './to-callback.ts'

/** Meta accepts first and looks later: many errors are told only this way. */
export const whatsappCallbacks: Inbound = {
  // Meta's own limit is 3 MB, for messages of people; its reports are much smaller, even many in one call.
  mostBytes: 1024 * 1024,
  key: {
    label: 'App secret',
    help: 'Shown at App settings, Basic. Subscribe the app to the field messages; its verify token is a credential.',
  },
  verify,
  read,
  challenge,
}

const algorithm = 'sha256='

/**
 * The body as it came, with the app secret. There is no timestamp: Meta tries for up to seven days, and what is known
 * changes nothing.
 * https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/create-webhook-endpoint
 */
function verify(call: InboundCall): boolean {
  const given = call.headers['x-hub-signature-256'] ?? ''
  return given.startsWith(algorithm) && isHmacOfBody(given.slice(algorithm.length), call)
}

/** The same page. Meta asks when the address is saved. The app secret has no place in its form, hence another text. */
function challenge({ url, credentials }: Pick<InboundCall, 'url' | 'credentials'>): InboundReply | undefined {
  const asked = URL.parse(url)?.searchParams
  const { token } = credentials
  if (typeof token !== 'string' || token === '' || asked?.get('hub.mode') !== 'subscribe') return undefined
  const body = asked.get('hub.challenge') ?? ''
  const isMeta = sameText(asked.get('hub.verify_token') ?? '', token) && body !== '' && body.length <= 200
  return isMeta ? { type: 'text/plain', body } : undefined
}

/**
 * What people write comes in the same calls, as `messages`: it is no report about ours.
 * https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages/status
 */
function read({ body }: Pick<InboundCall, 'body'>): Callback[] {
  const changes = listField(parseCallback(body), 'entry').flatMap((entry) => listField(entry, 'changes'))
  const statuses = changes
    .filter((change) => field(change, 'field') === 'messages')
    .flatMap((change) => listField(change, 'value.statuses'))
  return eventsIn(statuses).flatMap(readStatus)
}

function readStatus(status: unknown): Callback[] {
  const about = { externalId: field(status, 'id'), messageId: field(status, 'biz_opaque_callback_data') }
  const word = textField(status, 'status')
  switch (word) {
    case '':
    case 'sent':
      return []
    case 'delivered':
      return [toCallback({ kind: 'delivered', ...about })]
    case 'read':
    // A voice message.
    case 'played':
      return [toCallback({ kind: 'opened', ...about })]
    case 'failed':
      return [toCallback({ kind: 'bounced', ...about, reason: reasonOf(field(status, 'errors.0')) })]
    default:
      return [toCallback({ kind: 'other', ...about, name: word })]
  }
}

/**
 * Meta's own words. None of them is for good: 131026 is said of numbers without WhatsApp and also of old apps and of
 * terms that were not accepted; 131047 (no message of theirs for 24 hours), 130472 (an experiment), 131049 (too much
 * advertising) and 131050 (wants none) are about this message.
 * https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes
 */
function reasonOf(error: unknown): string {
  const title = textField(error, 'title') || textField(error, 'message')
  const details = textField(error, 'error_data.details')
  const words = [title, details === title ? '' : details].filter((text) => text !== '').join(': ')
  return `${textField(error, 'code')} ${words}`.trim()
}
