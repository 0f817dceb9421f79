import { createHmac } from 'node:crypto'
import type { Callback, Inbound, InboundCall } from '../inbound.ts'
import { field, textField } from '../shared/reply-field.ts'
import { sameText } from '../shared/same-text.ts'
import { eventsIn, parseCallback, parseForm } from './parse-callback.ts'
import { toCallback } from './to-callback.ts'

export const mandrillCallbacks: Inbound = {
  mostBytes: 1024 * 1024,
  key: {
    label: 'Webhook key',
    help: 'Mandrill shows it under Webhooks once the webhook is there. Until then save any text: the address has to answer before Mandrill takes it.',
  },
  verify,
  read,
}

// With this it signs the call by which it tries the address, before the webhook has a key of its own:
// https://mandrill.zendesk.com/hc/en-us/articles/360038740014-Why-can-t-my-webhook-or-inbound-route-URL-be-verified
const testKey = 'test-webhook'

/**
 * The URL and every field of the form, sorted; the key is that of the webhook.
 * https://mailchimp.com/developer/transactional/guides/track-respond-activity-webhooks/
 */
function verify({ headers, body, url, signingKey }: InboundCall): boolean {
  const given = headers['x-mandrill-signature'] ?? ''
  if (signingKey === '' || given === '') return false
  const form = parseForm(body)
  // It always has the field of the events. One of too many fields is read as an empty one.
  if (form.size === 0) return false
  const fields = [...form].toSorted(([a], [b]) => (a < b ? -1 : 1)).flat()
  const signed = url + fields.join('')
  if (sameText(given, signatureOf(signed, signingKey))) return true
  // Anybody knows this key: it proves only a call without events.
  return body.length < 100 && textOfEvents(body) === '[]' && sameText(given, signatureOf(signed, testKey))
}

function signatureOf(text: string, key: string): string {
  return createHmac('sha1', key).update(text, 'utf8').digest('base64')
}

function textOfEvents(body: string): string {
  return parseForm(body).get('mandrill_events') ?? ''
}

/** https://mailchimp.com/developer/transactional/docs/webhooks/ */
function read({ body }: Pick<InboundCall, 'body'>): Callback[] {
  return eventsIn(parseCallback(textOfEvents(body))).flatMap(readEvent)
}

function readEvent(event: unknown): Callback[] {
  const name = textField(event, 'event')
  const about = {
    externalId: textField(event, 'msg._id') || textField(event, '_id'),
    messageId: field(event, 'msg.metadata.tidings_message_id'),
    address: field(event, 'msg.email'),
    reason: textField(event, 'msg.diag') || textField(event, 'msg.bounce_description'),
  }
  switch (name) {
    // Those without a name are about the lists of the account.
    case '':
    case 'inbound':
    case 'send':
      return []
    case 'delivered':
      return [toCallback({ kind: 'delivered', ...about, reason: undefined })]
    case 'hard_bounce':
      return [toCallback({ kind: 'bounced', permanent: true, ...about })]
    case 'soft_bounce':
    // By a list or a rule of the account.
    case 'reject':
      return [toCallback({ kind: 'bounced', permanent: false, ...about })]
    case 'spam':
      return [toCallback({ kind: 'complained', ...about })]
    case 'open':
      return [toCallback({ kind: 'opened', ...about })]
    case 'click':
      return [toCallback({ kind: 'clicked', ...about })]
    case 'unsub':
      return [toCallback({ kind: 'unsubscribed', ...about })]
    default:
      return [toCallback({ kind: 'other', ...about, name })]
  }
}
