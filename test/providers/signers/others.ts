import { createHash, createHmac } from 'node:crypto'
import { keyInUrl, type Signer } from './signer.ts'

/** Of chat and push. */
export const otherSigners: Record<string, Signer> = {
  'whatsapp-business': {
    signingKey: 'app-secret',
    sign: ({ body }) => ({
      body,
      headers: { 'x-hub-signature-256': `sha256=${createHmac('sha256', 'app-secret').update(body).digest('hex')}` },
    }),
    events: ({ externalId, messageId, to }) => {
      const said = (status: string, more: object = {}) =>
        JSON.stringify({
          object: 'whatsapp_business_account',
          entry: [
            {
              id: '102290129340398',
              changes: [
                {
                  field: 'messages',
                  value: {
                    messaging_product: 'whatsapp',
                    metadata: { display_phone_number: '15550783881', phone_number_id: '106540352242922' },
                    statuses: [
                      {
                        id: externalId,
                        status,
                        timestamp: '1750263773',
                        recipient_id: to.replace('+', ''),
                        biz_opaque_callback_data: messageId,
                        ...more,
                      },
                    ],
                  },
                },
              ],
            },
          ],
        })
      const errors = [{ code: 131026, title: 'Message undeliverable', error_data: { details: 'Cannot be delivered.' } }]
      return { delivered: said('delivered'), bounced: said('failed', { errors }), other: said('deleted') }
    },
  },
  // Of a bot: it tells of people, and of no message.
  telegram: {
    signingKey: 'any text, ü included',
    sign: ({ body }) => ({
      body,
      headers: {
        'x-telegram-bot-api-secret-token': createHash('sha256').update('telegram any text, ü included').digest('hex'),
      },
    }),
  },
  'one-signal': {
    ...keyInUrl,
    events: ({ externalId }) => {
      const said = (kind: string, reason = '') =>
        JSON.stringify({
          'Event Data': { 'event.kind': kind, 'event.id': 'a1b2c3d4', 'event.data.failure_reason': reason },
          'Message Data': { 'message.id': externalId, 'message.name': '' },
        })
      // One device of several: it bounces no message.
      return { delivered: said('message.push.received'), other: said('message.push.failed', 'invalid token') }
    },
  },
}
