import { createHmac } from 'node:crypto'

/**
 * The headers of Standard Webhooks (https://www.standardwebhooks.com). The same `webhook-id` twice is a repetition.
 * `body` must be exactly the text that is sent. Without a secret nothing is signed.
 */
export function signWebhook({ id, secret, body, now }: Signing): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp }
  if (!secret) return headers
  const signature = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { ...headers, 'webhook-signature': `v1,${signature}` }
}

type Signing = { id: string; secret: string | undefined; body: string; now: Date }

/** After `whsec_` comes base64; any other text is itself the key. */
function keyOf(secret: string): Buffer {
  const prefix = 'whsec_'
  return secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), 'base64') : Buffer.from(secret, 'utf8')
}
