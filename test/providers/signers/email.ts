import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { type Signer, seconds } from './signer.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
let tokens = 0

export const emailSigners: Record<string, Signer> = {
  postmark: {
    signingKey: 'hook:password',
    sign: ({ body }) => ({ body, headers: { authorization: `Basic ${btoa('hook:password')}` } }),
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
  },
}
