import type { Callback, Inbound, InboundCall } from '../inbound.ts'
import { field, textField } from '../shared/reply-field.ts'
import { hasKeyInUrl, urlKey } from './has-key-in-url.ts'
import { eventsIn, parseCallback } from './parse-callback.ts'
import { toCallback } from './to-callback.ts'

/** SparkPost signs nothing; it knows HTTP Basic and OAuth. https://developers.sparkpost.com/api/webhooks/ */
export const sparkpostCallbacks: Inbound = {
  mostBytes: 1024 * 1024,
  key: urlKey,
  keyInUrl: true,
  verify: hasKeyInUrl,
  read,
}

// The one kind of event that there is in each `msys`. A test has none.
const classes = ['message_event', 'track_event', 'gen_event', 'unsubscribe_event']

/** https://developers.sparkpost.com/api/webhooks/: lists of events, of one recipient each. */
function read({ body }: Pick<InboundCall, 'body'>): Callback[] {
  return eventsIn(parseCallback(body)).flatMap((wrapped) => {
    const event = classes.map((name) => field(wrapped, `msys.${name}`)).find((found) => found !== undefined)
    return readEvent(event)
  })
}

function readEvent(event: unknown): Callback[] {
  const name = textField(event, 'type')
  const about = {
    externalId: textField(event, 'transmission_id'),
    messageId: field(event, 'rcpt_meta.tidings_message_id'),
    address: field(event, 'raw_rcpt_to') ?? field(event, 'rcpt_to'),
    reason: textField(event, 'raw_reason') || textField(event, 'reason'),
  }
  switch (name) {
    case '':
    case 'injection':
      return []
    case 'delivery':
      return [toCallback({ kind: 'delivered', ...about })]
    case 'bounce':
    case 'out_of_band':
      return [readBounce(textField(event, 'bounce_class'), about)]
    case 'policy_rejection':
    case 'generation_failure':
    case 'generation_rejection':
      return [toCallback({ kind: 'bounced', permanent: false, ...about })]
    case 'spam_complaint':
      return [toCallback({ kind: 'complained', ...about, reason: field(event, 'fbtype') })]
    case 'open':
    case 'initial_open':
    case 'amp_open':
    case 'amp_initial_open':
      return [toCallback({ kind: 'opened', ...about })]
    case 'click':
    case 'amp_click':
      return [toCallback({ kind: 'clicked', ...about })]
    case 'list_unsubscribe':
    case 'link_unsubscribe':
      return [toCallback({ kind: 'unsubscribed', ...about })]
    default:
      return [toCallback({ kind: 'other', ...about, name })]
  }
}

type About = { externalId: string; messageId: unknown; address: unknown; reason: string }

/** https://support.sparkpost.com/docs/deliverability/bounce-classification-codes */
function readBounce(bounceClass: string, about: About): Callback {
  switch (bounceClass) {
    // An address that is wrong, and a mail in which none was found. SparkPost counts both as hard.
    case '10':
    case '30':
      return toCallback({ kind: 'bounced', permanent: true, ...about })
    // These answer a mail that arrived.
    case '60':
      return toCallback({ kind: 'other', ...about, name: 'auto-reply' })
    case '80':
      return toCallback({ kind: 'other', ...about, name: 'subscribe' })
    case '90':
      return toCallback({ kind: 'unsubscribed', ...about })
    case '100':
      return toCallback({ kind: 'other', ...about, name: 'challenge-response' })
    default:
      return toCallback({ kind: 'bounced', permanent: false, ...about })
  }
}
