import type { Callback, Inbound, InboundCall } from '../inbound.ts'
import { field, textField } from '../shared/reply-field.ts'
import { hasKeyInUrl, urlKey } from './has-key-in-url.ts'
import { eventsIn, parseCallback } from './parse-callback.ts'
import { toCallback } from './to-callback.ts'

/** Each mail names the address, for reports (`notifyUrl`) and for what its reader does (`trackingUrl`). */
export const infobipEmailCallbacks: Inbound = {
  mostBytes: 1024 * 1024,
  key: urlKey,
  keyInUrl: true,
  perMessage: true,
  verify: hasKeyInUrl,
  read,
}

/**
 * A list of reports, or one event (https://www.infobip.com/docs/email/email-over-api/tracking-notifications). The fields
 * are those of Infobip's own clients: EmailWebhookDeliveryReport, EmailWebhookTrackingPayload.
 */
function read({ body }: Pick<InboundCall, 'body'>): Callback[] {
  const call = parseCallback(body)
  const reports = field(call, 'results')
  return Array.isArray(reports) ? eventsIn(reports).flatMap(readReport) : readEvent(call)
}

function aboutOf(event: unknown) {
  return {
    externalId: textField(event, 'messageId'),
    messageId: field(parseCallback(textField(event, 'callbackData')), 'tidings_message_id'),
  }
}

/** https://www.infobip.com/docs/essentials/api-essentials/response-status-and-error-codes */
function readReport(report: unknown): Callback[] {
  const about = { ...aboutOf(report), address: field(report, 'to') }
  const [group, error] = [textField(report, 'status.groupName'), textField(report, 'error.name')]
  const reason = [error, textField(report, 'error.description')].filter((word) => word !== '').join(': ')
  switch (group) {
    case '':
    case 'PENDING':
    case 'ACCEPTED':
      return []
    case 'DELIVERED':
      return [toCallback({ kind: 'delivered', ...about })]
    case 'UNDELIVERABLE':
    case 'EXPIRED':
    case 'REJECTED':
      return [toCallback({ kind: 'bounced', permanent: isOfAddress(report, error), ...about, reason })]
    default:
      return [toCallback({ kind: 'other', ...about, name: group, reason })]
  }
}

// A lasting error may as well be the sender's: EC_SENDER_ADDRESS_INVALID.
const badAddress =
  /SUPPRESSED_BOUNCE|HARD_BOUNCE|RECIPIENT_.*INVALID|INVALID_.*RECIPIENT|MAILBOX_.*(NOT|UNKNOWN|INVALID)/

function isOfAddress(report: unknown, error: string): boolean {
  return field(report, 'error.permanent') === true && badAddress.test(error.slice(0, 100))
}

function readEvent(event: unknown): Callback[] {
  const name = textField(event, 'notificationType')
  const about = { ...aboutOf(event), address: field(event, 'recipient') }
  switch (name) {
    case '':
      return []
    case 'OPENED':
      return [toCallback({ kind: 'opened', ...about })]
    case 'CLICKED':
      return [toCallback({ kind: 'clicked', ...about })]
    case 'UNSUBSCRIBED':
      return [toCallback({ kind: 'unsubscribed', ...about })]
    case 'COMPLAINED':
      return [toCallback({ kind: 'complained', ...about })]
    default:
      return [toCallback({ kind: 'other', ...about, name })]
  }
}
