import type { Callback, Inbound, InboundCall, InboundReply } from '../inbound.ts'
import { field, textField } from '../shared/reply-field.ts'
import { hasKeyInUrl, urlKey } from './has-key-in-url.ts'
import { eventsIn, parseCallback } from './parse-callback.ts'
import { toCallback } from './to-callback.ts'

/**
 * Event Grid signs nothing; it advises a secret in the query of the address. It gathers up to a megabyte if the
 * subscription asks for that. https://learn.microsoft.com/en-us/azure/event-grid/security-authentication
 */
export const azureSmsCallbacks: Inbound = {
  mostBytes: 1024 * 1024,
  key: {
    label: urlKey.label,
    help: `${urlKey.help} The event subscription (Communication Services resource, Events) takes SMS delivery reports in the Event Grid schema, not as cloud events.`,
  },
  keyInUrl: true,
  verify: hasKeyInUrl,
  read,
  handshake,
}

const asked = 'Microsoft.EventGrid.SubscriptionValidationEvent'
const mostCodeChars = 200

/** https://learn.microsoft.com/en-us/azure/event-grid/end-point-validation-event-grid-events-schema */
async function handshake({ headers, body }: InboundCall): Promise<InboundReply | undefined> {
  if (headers['aeg-event-type'] !== 'SubscriptionValidation') return undefined
  const events = parseCallback(body)
  const code = field(events, '0.eventType') === asked ? textField(events, '0.data.validationCode') : ''
  if (code === '' || code.length > mostCodeChars) return undefined
  return { type: 'application/json', body: JSON.stringify({ validationResponse: code }) }
}

/** https://learn.microsoft.com/en-us/azure/event-grid/communication-services-telephony-sms-events */
function read({ body }: Pick<InboundCall, 'body'>): Callback[] {
  return eventsIn(parseCallback(body)).flatMap(toEvents)
}

/** Of what failed only words are told, which may change: none of it is called bad for good. */
function toEvents(event: unknown): Callback[] {
  if (field(event, 'eventType') !== 'Microsoft.Communication.SMSDeliveryReportReceived') return []
  const data = field(event, 'data')
  const about = {
    externalId: textField(data, 'messageId'),
    // Both are documented.
    messageId: field(data, 'tag') ?? field(data, 'Tag'),
    address: field(data, 'to'),
  }
  if (!about.externalId) return []
  const status = textField(data, 'deliveryStatus')
  switch (status) {
    case 'Delivered':
      return [toCallback({ kind: 'delivered', ...about })]
    case 'Failed':
      return [toCallback({ kind: 'bounced', ...about, reason: textField(data, 'deliveryStatusDetails') })]
    case '':
      return []
    default:
      return [toCallback({ kind: 'other', name: status, ...about })]
  }
}
