import { createHmac } from 'node:crypto'
import type { Signer } from './signer.ts'

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
  },
}
