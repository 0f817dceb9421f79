import { createHmac, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { keyInUrl, type Signer, seconds } from './signer.ts'

const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString()

const telnyxKeys = generateKeyPairSync('ed25519')

export const smsSigners: Record<string, Signer> = {
  twilio: {
    signingKey: 'auth-token',
    sign: ({ body, url }) => {
      const pairs = [...new Set([...new URLSearchParams(body)].map(([name, value]) => name + value))].toSorted()
      const signature = createHmac('sha1', 'auth-token')
        .update(url + pairs.join(''))
        .digest('base64')
      return {
        body,
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature },
      }
    },
    events: ({ externalId, to }) => {
      const said = (MessageStatus: string, more: Record<string, string> = {}) =>
        form({ MessageSid: externalId, SmsSid: externalId, AccountSid: 'AC1', To: to, MessageStatus, ...more })
      return {
        delivered: said('delivered'),
        bounced: said('undelivered', { ErrorCode: '30005' }),
        other: said('canceled'),
      }
    },
  },
  nexmo: {
    ...keyInUrl,
    events: ({ externalId, messageId, to }) => {
      const said = (status: string, code: string) =>
        JSON.stringify({
          msisdn: to.replace('+', ''),
          to: 'Shop',
          messageId: externalId,
          status,
          'err-code': code,
          'client-ref': messageId,
          'message-timestamp': '2026-01-01 14:00:05',
        })
      return { delivered: said('delivered', '0'), bounced: said('failed', '3'), other: said('buffered', '0') }
    },
  },
  telnyx: {
    signingKey: Buffer.from(telnyxKeys.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64'),
    sign: ({ body, now }) => {
      const signature = sign(null, Buffer.from(`${seconds(now)}|${body}`), telnyxKeys.privateKey).toString('base64')
      return { body, headers: { 'telnyx-timestamp': seconds(now), 'telnyx-signature-ed25519': signature } }
    },
    events: ({ externalId, to }) => {
      const said = (status: string, errors: object[] = []) =>
        JSON.stringify({
          data: {
            event_type: 'message.finalized',
            payload: { direction: 'outbound', id: externalId, to: [{ phone_number: to, status }], errors },
            record_type: 'event',
          },
        })
      return {
        delivered: said('delivered'),
        bounced: said('delivery_failed', [{ code: '40001', title: 'Not routable' }]),
        other: said('delivery_unconfirmed'),
      }
    },
  },
  plivo: {
    signingKey: 'plivo-token',
    sign: ({ body, url }) => {
      const nonce = randomUUID()
      const signature = createHmac('sha256', 'plivo-token')
        .update(url + nonce)
        .digest('base64')
      return { body, headers: { 'x-plivo-signature-v2': signature, 'x-plivo-signature-v2-nonce': nonce } }
    },
    events: ({ externalId, to }) => {
      const said = (Status: string, more: Record<string, string> = {}) =>
        form({ MessageUUID: externalId, To: to.replace('+', ''), From: '14155550100', Type: 'sms', Status, ...more })
      return { delivered: said('delivered'), bounced: said('undelivered', { ErrorCode: '70' }), other: said('held') }
    },
  },
  'infobip-sms': {
    ...keyInUrl,
    events: ({ externalId, messageId, to }) => {
      const said = (groupName: string, name: string, error = 'NO_ERROR') =>
        JSON.stringify({
          results: [
            {
              messageId: externalId,
              to: to.replace('+', ''),
              status: { groupName, name },
              error: { name: error },
              callbackData: messageId,
            },
          ],
        })
      return {
        delivered: said('DELIVERED', 'DELIVERED_TO_HANDSET'),
        bounced: said('UNDELIVERABLE', 'UNDELIVERABLE_NOT_DELIVERED', 'EC_UNKNOWN_SUBSCRIBER'),
        other: said('PAUSED', 'PAUSED_BY_USER'),
      }
    },
  },
  sinch: {
    ...keyInUrl,
    events: ({ externalId, messageId, to }) => {
      const said = (status: string, code: number) =>
        JSON.stringify({
          at: '2026-01-13T09:22:40.914Z',
          batch_id: externalId,
          client_reference: messageId,
          code,
          recipient: to.replace('+', ''),
          status,
          type: 'recipient_delivery_report_sms',
        })
      return { delivered: said('Delivered', 0), bounced: said('Failed', 150), other: said('Unknown', 418) }
    },
  },
  bandwidth: {
    ...keyInUrl,
    events: ({ externalId, messageId, to }) => {
      const said = (type: string, more: object = {}) =>
        JSON.stringify([
          { type, time: '2026-09-14T18:20:16Z', to, message: { id: externalId, to: [to], tag: messageId }, ...more },
        ])
      return {
        delivered: said('message-delivered'),
        bounced: said('message-failed', { errorCode: 4721, description: 'destination-tn-deactivated' }),
        other: said('message-held'),
      }
    },
  },
  'azure-sms': {
    ...keyInUrl,
    // It never says of a number that it is bad for good.
    events: ({ externalId, messageId, to }) => {
      const said = (deliveryStatus: string) =>
        JSON.stringify([
          {
            eventType: 'Microsoft.Communication.SMSDeliveryReportReceived',
            data: { messageId: externalId, to, deliveryStatus, deliveryStatusDetails: 'In words.', tag: messageId },
          },
        ])
      return { delivered: said('Delivered'), bounced: said('Failed'), other: said('Held') }
    },
  },
  'africas-talking': {
    ...keyInUrl,
    events: ({ externalId, to }) => {
      const said = (status: string, more: Record<string, string> = {}) =>
        form({ id: externalId, status, phoneNumber: to, networkCode: '63902', ...more })
      return {
        delivered: said('Success'),
        bounced: said('Failed', { failureReason: 'UserDoesNotExist' }),
        other: said('Paused'),
      }
    },
  },
  'forty-six-elks': {
    ...keyInUrl,
    // It never says of a number that it is bad for good.
    events: ({ externalId }) => {
      const said = (status: string) => form({ id: externalId, status })
      return { delivered: said('delivered'), bounced: said('failed'), other: said('held') }
    },
  },
  messagebird: {
    ...keyInUrl,
    events: ({ externalId, messageId }) => {
      const said = (status: string, more = {}) => form({ id: externalId, reference: messageId, status, ...more })
      const bounced = said('delivery_failed', { statusErrorCode: '1', statusReason: 'unknown subscriber' })
      return { delivered: said('delivered'), bounced, other: said('held') }
    },
  },
}
