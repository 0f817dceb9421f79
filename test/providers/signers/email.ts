import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { keyInUrl, type Signer, seconds } from './signer.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
let tokens = 0

const topic = 'arn:aws:sns:eu-central-1:123456789012:mail'
const sns = generateKeyPairSync('rsa', { modulusLength: 2048 })
const certificate = sns.publicKey.export({ format: 'pem', type: 'spki' }).toString()

export const emailSigners: Record<string, Signer> = {
  ses: {
    signingKey: topic,
    http: async () => ({ kind: 'reply', status: 200, headers: {}, text: certificate, json: undefined }),
    // The event is a text inside what SNS signs.
    sign: ({ body, now }) => {
      const [MessageId, Timestamp, Type] = ['22b80b92', now.toISOString(), 'Notification']
      const signed = { Message: body, MessageId, Timestamp, TopicArn: topic, Type }
      const text = Object.entries(signed).map(([name, value]) => `${name}\n${value}\n`)
      const Signature = sign('sha256', Buffer.from(text.join('')), sns.privateKey).toString('base64')
      const SigningCertURL = 'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-0a1b.pem'
      return { body: JSON.stringify({ ...signed, SignatureVersion: '2', Signature, SigningCertURL }), headers: {} }
    },
    events: ({ externalId, messageId, to }) => {
      const event = (eventType: string, more: object) => {
        const tags = { tidings_message_id: [messageId] }
        return JSON.stringify({ eventType, mail: { messageId: externalId, destination: [to], tags }, ...more })
      }
      const bouncedRecipients = [{ emailAddress: to, status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 user unknown' }]
      return {
        delivered: event('Delivery', { delivery: { recipients: [to], smtpResponse: '250 ok' } }),
        bounced: event('Bounce', { bounce: { bounceType: 'Permanent', bounceSubType: 'General', bouncedRecipients } }),
        other: event('DeliveryDelay', { deliveryDelay: { delayType: 'MailboxFull', delayedRecipients: [] } }),
      }
    },
  },
  sendinblue: {
    ...keyInUrl,
    events: ({ externalId, messageId, to }) => {
      const event = (name: string) =>
        JSON.stringify({
          event: name,
          email: to,
          id: 26224,
          'message-id': externalId,
          'X-Mailin-custom': JSON.stringify({ tidings_message_id: messageId }),
        })
      return { delivered: event('delivered'), bounced: event('hard_bounce'), other: event('deferred') }
    },
  },
  'brevo-sms': {
    ...keyInUrl,
    events: ({ externalId, to }) => {
      const event = (msg_status: string) => JSON.stringify({ id: 1, to, messageId: externalId, msg_status })
      return { delivered: event('delivered'), bounced: event('hard_bounce'), other: event('replied') }
    },
  },
  mailjet: {
    ...keyInUrl,
    events: ({ externalId, messageId, to }) => {
      const event = (name: string, more: object = {}) =>
        JSON.stringify([{ event: name, email: to, Message_GUID: externalId, CustomID: messageId, ...more }])
      const unknown = { hard_bounce: true, error_related_to: 'recipient', error: 'user unknown' }
      const later = { hard_bounce: false, error_related_to: 'domain', error: 'greylisted' }
      return { delivered: event('sent'), bounced: event('bounce', unknown), other: event('bounce', later) }
    },
  },
  sparkpost: {
    ...keyInUrl,
    events: ({ externalId, messageId, to }) => {
      const event = (type: string, more: object = {}) => {
        const rcpt_meta = { tidings_message_id: messageId }
        const message_event = { type, transmission_id: externalId, raw_rcpt_to: to, rcpt_to: to, rcpt_meta, ...more }
        return JSON.stringify([{ msys: { message_event } }])
      }
      return { delivered: event('delivery'), bounced: event('bounce', { bounce_class: '10' }), other: event('delay') }
    },
  },
  mandrill: {
    signingKey: 'webhook-key',
    sign: ({ body, url }) => {
      // The events are one field of a form.
      const form = new URLSearchParams({ mandrill_events: body }).toString()
      const signature = createHmac('sha1', 'webhook-key')
        .update(`${url}mandrill_events${new URLSearchParams(form).get('mandrill_events')}`)
        .digest('base64')
      const type = 'application/x-www-form-urlencoded'
      return { body: form, headers: { 'content-type': type, 'x-mandrill-signature': signature } }
    },
    events: ({ externalId, messageId, to }) => {
      const event = (name: string) => {
        const msg = { _id: externalId, email: to, metadata: { tidings_message_id: messageId } }
        return JSON.stringify([{ event: name, _id: externalId, msg }])
      }
      return { delivered: event('delivered'), bounced: event('hard_bounce'), other: event('deferral') }
    },
  },
  mailersend: {
    signingKey: 'signing-secret',
    sign: ({ body }) => ({
      body,
      headers: { signature: createHmac('sha256', 'signing-secret').update(body).digest('hex') },
    }),
    events: ({ externalId, to }) => {
      const event = (type: string) => {
        const email = { message: { id: externalId }, recipient: { email: to } }
        return JSON.stringify({ type: `activity.${type}`, data: { object: 'activity', type, email } })
      }
      return { delivered: event('delivered'), bounced: event('hard_bounced'), other: event('deferred') }
    },
  },
  'infobip-email': {
    ...keyInUrl,
    events: ({ externalId, messageId, to }) => {
      const report = (groupName: string, error: object) => {
        const callbackData = JSON.stringify({ tidings_message_id: messageId })
        return JSON.stringify({ results: [{ messageId: externalId, to, callbackData, status: { groupName }, error }] })
      }
      return {
        delivered: report('DELIVERED', { name: 'NO_ERROR', permanent: false }),
        bounced: report('UNDELIVERABLE', { name: 'EC_SUPPRESSED_BOUNCE', permanent: true }),
        other: JSON.stringify({ notificationType: 'LATE_BOUNCE', recipient: to, messageId: externalId }),
      }
    },
  },
  netcore: {
    ...keyInUrl,
    events: ({ messageId, to }) => {
      const event = (EVENT: string) => JSON.stringify([{ TRANSID: 1, EMAIL: to, EVENT, 'X-APIHEADER': messageId }])
      return { delivered: event('sent'), bounced: event('bounced') }
    },
  },
  postmark: {
    signingKey: 'hook:password',
    sign: ({ body }) => ({ body, headers: { authorization: `Basic ${btoa('hook:password')}` } }),
    events: ({ externalId, messageId, to }) => {
      const event = (RecordType: string, more: object) =>
        JSON.stringify({ RecordType, MessageID: externalId, Metadata: { tidings_message_id: messageId }, ...more })
      return {
        delivered: event('Delivery', { Recipient: to, Details: '250 OK' }),
        bounced: event('Bounce', { Email: to, Type: 'HardBounce', Inactive: true, Details: '550 unknown' }),
        other: event('Bounce', { Email: to, Type: 'Transient', Details: '421 busy' }),
      }
    },
  },
  resend: {
    signingKey: 'whsec_c2VjcmV0',
    sign: ({ body, now }) => {
      const signature = createHmac('sha256', 'secret')
        .update(`msg_1.${seconds(now)}.${body}`)
        .digest('base64')
      const headers = { 'svix-id': 'msg_1', 'svix-timestamp': seconds(now), 'svix-signature': `v1,${signature}` }
      return { body, headers }
    },
    events: ({ externalId, messageId, to }) => {
      const event = (type: string, more: object = {}) => {
        const tags = { tidings_message_id: messageId }
        return JSON.stringify({ type, data: { email_id: externalId, to: [to], tags, ...more } })
      }
      const bounce = { type: 'Permanent', subType: 'General', message: 'no such user' }
      return {
        delivered: event('email.delivered'),
        bounced: event('email.bounced', { bounce }),
        other: event('email.delivery_delayed'),
      }
    },
  },
  sendgrid: {
    signingKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    sign: ({ body, now }) => {
      const signature = sign('sha256', Buffer.from(seconds(now) + body), privateKey).toString('base64')
      return {
        body,
        headers: {
          'x-twilio-email-event-webhook-signature': signature,
          'x-twilio-email-event-webhook-timestamp': seconds(now),
        },
      }
    },
    events: ({ externalId, messageId, to }) => {
      const event = (name: string, more: object = {}) => {
        const sg_message_id = `${externalId}.recvd-5b8-0.0`
        return JSON.stringify([{ event: name, email: to, sg_message_id, tidings_message_id: messageId, ...more }])
      }
      const unknown = { type: 'bounce', reason: '550 unknown' }
      return { delivered: event('delivered'), bounced: event('bounce', unknown), other: event('deferred') }
    },
  },
  mailgun: {
    signingKey: 'mailgun-key',
    sign: ({ body, now }) => {
      const [timestamp, token] = [seconds(now), `token-${process.pid}-${++tokens}`]
      const signature = createHmac('sha256', 'mailgun-key')
        .update(timestamp + token)
        .digest('hex')
      const signed = JSON.stringify({ timestamp, token, signature })
      // It comes last, and the last of two fields of one name counts.
      return { body: body.startsWith('{') ? `${body.slice(0, -1)},"signature":${signed}}` : body, headers: {} }
    },
    events: ({ externalId, messageId, to }) => {
      const event = (name: string, more: object = {}) => {
        const message = { headers: { 'message-id': externalId } }
        const data = {
          event: name,
          recipient: to,
          message,
          'user-variables': { tidings_message_id: messageId },
          ...more,
        }
        return JSON.stringify({ 'event-data': data })
      }
      return {
        delivered: event('delivered'),
        bounced: event('failed', { severity: 'permanent', reason: 'bounce' }),
        other: event('failed', { severity: 'temporary', reason: 'generic' }),
      }
    },
  },
}
