import { createPublicKey, verify as verifySignature } from 'node:crypto'
import { type Callback, type Inbound, type InboundCall, type InboundReply, NotNow } from '../inbound.ts'
import { readReply } from '../outcome.ts'
import { field, listField, textField } from '../shared/reply-field.ts'
import { sameText } from '../shared/same-text.ts'
import { parseCallback } from './parse-callback.ts'
import { toCallback } from './to-callback.ts'

/** SES tells an SNS topic, and SNS calls us: the event is a text of JSON inside SNS's own. */
export const sesCallbacks: Inbound = {
  // SES cuts the headers of a mail off at 10 KB; most events have less than 5.
  mostBytes: 128 * 1024,
  key: {
    label: 'Topic ARN',
    help: 'Of the SNS topic to which SES publishes (arn:aws:sns:eu-central-1:123456789012:name). Subscribe this address to it by HTTPS, without raw message delivery; the subscription confirms itself.',
  },
  verify,
  handshake,
  read,
}

// What each type is signed over, in this order.
const ofNotification = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
const ofConfirmation = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']
const hashes: Record<string, string> = { '1': 'sha1', '2': 'sha256' }
// A repetition is signed like the first call, with its time. SNS gives up after an hour at most:
// https://docs.aws.amazon.com/sns/latest/dg/sns-message-delivery-retries.html
const mostAgeMs = 24 * 3_600_000

/**
 * Whoever has an account at AWS can have SNS sign for them: what makes a call ours is the topic, and it is looked at
 * before anything is fetched.
 * https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html
 */
async function verify({ body, signingKey, now, http, cached }: InboundCall): Promise<boolean> {
  const origin = originOf(signingKey)
  if (!origin) return false
  const call = parseCallback(body)
  if (!sameText(textField(call, 'TopicArn'), signingKey)) return false
  const hash = hashes[textField(call, 'SignatureVersion')]
  const url = textField(call, 'SigningCertURL')
  if (!hash || !isCertificateUrl(url, origin) || !isFresh(textField(call, 'Timestamp'), now)) return false
  const certificate = await cached(`certificate ${url}`, () => fetchCertificate(http, url))
  if ('fault' in certificate) {
    if (certificate.fault.kind === 'rejected') return false
    // SNS takes a refusal for good, and calls again after an error.
    throw new NotNow('the certificate of SNS cannot be fetched right now')
  }
  const signature = Buffer.from(textField(call, 'Signature'), 'base64')
  try {
    return verifySignature(hash, Buffer.from(signedText(call), 'utf8'), createPublicKey(certificate.token), signature)
  } catch {
    // What was fetched is no certificate.
    return false
  }
}

/** SNS of the topic's own region. A name such as sns.s3.amazonaws.com would be that of somebody's bucket. */
function originOf(topicArn: string): string | undefined {
  const [, partition, region] =
    /^arn:(aws|aws-cn|aws-us-gov):sns:([a-z]{2}(?:-[a-z]+)+-\d):\d{12}:/.exec(topicArn) ?? []
  return region && `https://sns.${region}.amazonaws.com${partition === 'aws-cn' ? '.cn' : ''}`
}

function isCertificateUrl(url: string, origin: string): boolean {
  const start = `${origin}/SimpleNotificationService-`
  return url.startsWith(start) && /^[0-9A-Za-z]{1,64}\.pem$/.test(url.slice(start.length))
}

function isFresh(timestamp: string, now: Date): boolean {
  return Math.abs(now.getTime() - Date.parse(timestamp)) <= mostAgeMs
}

// A certificate's name changes with the certificate.
const certificateLifeMs = 24 * 3_600_000
const noCertificate = { kind: 'rejected', reason: 'no certificate at the address of one' } as const

async function fetchCertificate(http: InboundCall['http'], url: string) {
  const answer = await http({ method: 'GET', url })
  if (answer.kind !== 'reply' || answer.status !== 200) return { fault: readReply(answer) }
  if (!answer.text.startsWith('-----BEGIN ')) return { fault: noCertificate }
  return { token: answer.text, expiresInMs: certificateLifeMs }
}

function signedText(call: unknown): string {
  const names = field(call, 'Type') === 'Notification' ? ofNotification : ofConfirmation
  return names
    .flatMap((name) => {
      const value = field(call, name)
      return typeof value === 'string' ? `${name}\n${value}\n` : []
    })
    .join('')
}

/** https://docs.aws.amazon.com/sns/latest/dg/SendMessageToHttp.confirm.html */
async function handshake({ body, signingKey, http }: InboundCall): Promise<InboundReply | undefined> {
  const call = parseCallback(body)
  const url = textField(call, 'SubscribeURL')
  const isAsked = field(call, 'Type') === 'SubscriptionConfirmation'
  if (!isAsked || !url.startsWith(`${originOf(signingKey)}/?Action=ConfirmSubscription&`)) return undefined
  const answer = await http({ method: 'GET', url })
  if (answer.kind !== 'reply' || answer.status !== 200) throw new NotNow('SNS cannot be told right now that we listen')
  return { type: 'text/plain', body: 'confirmed' }
}

/**
 * Event publishing, https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html, and the
 * notifications of an identity, https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html, which call the
 * type otherwise and carry no tags.
 */
function read({ body }: Pick<InboundCall, 'body'>): Callback[] {
  const call = parseCallback(body)
  if (field(call, 'Type') !== 'Notification') return []
  const event = parseCallback(textField(call, 'Message'))
  const externalId = textField(event, 'mail.messageId')
  if (externalId === '') return []
  const about: About = {
    externalId,
    messageId: field(event, 'mail.tags.tidings_message_id.0'),
    address: only(listField(event, 'mail.destination')),
  }
  return readEvent(event, textField(event, 'eventType') || textField(event, 'notificationType'), about)
}

type About = { externalId: string; messageId: unknown; address: unknown }

function readEvent(event: unknown, type: string, about: About): Callback[] {
  switch (type) {
    case 'Delivery':
      return recipientsIn(event, 'delivery.recipients').map((address) =>
        toCallback({ kind: 'delivered', ...about, address }),
      )
    case 'Bounce':
      return readBounce(event, about)
    case 'Complaint':
      return [readComplaint(event, about)]
    case 'Reject':
      return [toCallback({ kind: 'bounced', permanent: false, ...about, reason: field(event, 'reject.reason') })]
    case 'Rendering Failure':
      return [toCallback({ kind: 'bounced', permanent: false, ...about, reason: field(event, 'failure.errorMessage') })]
    case 'Open':
      return [toCallback({ kind: 'opened', ...about })]
    case 'Click':
      return [toCallback({ kind: 'clicked', ...about })]
    case 'Subscription': {
      const isLeft = field(event, 'subscription.newTopicPreferences.unsubscribeAll') === true
      if (!isLeft) return [toCallback({ kind: 'other', ...about, name: type })]
      return [toCallback({ kind: 'unsubscribed', ...ofSomebody(about.address), ...about })]
    }
    case 'DeliveryDelay': {
      const late = listField(event, 'deliveryDelay.delayedRecipients')
      const address = field(only(late), 'emailAddress')
      return [
        toCallback({ kind: 'other', ...about, address, name: type, reason: field(event, 'deliveryDelay.delayType') }),
      ]
    }
    case 'Send':
      return []
    default:
      return [toCallback({ kind: 'other', ...about, name: type })]
  }
}

// Of the lasting ones. OnAccountSuppressionList is not among them: whoever is on it may have complained, and can be
// taken off.
const badAddress = ['General', 'NoEmail', 'Suppressed']

/** A soft bounce is told only once SES has given up. */
function readBounce(event: unknown, about: About): Callback[] {
  const [type, subType] = [textField(event, 'bounce.bounceType'), textField(event, 'bounce.bounceSubType')]
  return recipientsIn(event, 'bounce.bouncedRecipients').map((recipient) => {
    const address = textField(recipient, 'emailAddress')
    return toCallback({
      kind: 'bounced',
      permanent: address !== '' && type === 'Permanent' && badAddress.includes(subType),
      ...about,
      address,
      reason: textField(recipient, 'diagnosticCode') || `${type} ${subType}`,
    })
  })
}

/** SES lists all who may have complained, since most mailbox providers do not say who did. */
function readComplaint(event: unknown, about: About): Callback {
  const address = field(only(listField(event, 'complaint.complainedRecipients')), 'emailAddress')
  const [subType, reason] = [
    field(event, 'complaint.complaintSubType'),
    field(event, 'complaint.complaintFeedbackType'),
  ]
  // An earlier one did, and so SES sent nothing.
  if (subType === 'OnAccountSuppressionList') {
    return toCallback({ kind: 'bounced', permanent: false, ...about, address, reason: subType })
  }
  if (reason === 'not-spam') return toCallback({ kind: 'other', ...about, address, name: reason })
  return toCallback({ kind: 'complained', ...ofSomebody(address), ...about, address, reason })
}

/** Without an address it was one of several. */
function ofSomebody(address: unknown) {
  return address === undefined ? { permanent: false } : {}
}

// SES takes 50 in one mail.
const mostRecipients = 100

function recipientsIn(event: unknown, path: string): unknown[] {
  return listField(event, path).slice(0, mostRecipients)
}

function only(values: readonly unknown[]): unknown {
  return values.length === 1 ? values[0] : undefined
}
