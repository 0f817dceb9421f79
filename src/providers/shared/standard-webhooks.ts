import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { hashInTurns } from '../../lib/chunks.ts'

/**
 * The headers of Standard Webhooks (https://www.standardwebhooks.com). The same `webhook-id` twice is a repetition.
 * `body` must be exactly the text that is sent. Without a secret nothing is signed; while secrets change there are several.
 */
export async function signWebhook({ id, secret, body, now }: Signing): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp }
  const signatures: string[] = []
  for (const each of [secret ?? []].flat()) {
    if (!each) continue
    const hmac = createHmac('sha256', keyOf(each)).update(`${id}.${timestamp}.`)
    await hashInTurns(hmac, body)
    signatures.push(`v1,${hmac.digest('base64')}`)
  }
  return signatures.length > 0 ? { ...headers, 'webhook-signature': signatures.join(' ') } : headers
}

/** What a person should know who chooses the key. */
export const signingKeyHelp =
  'Signs what we post, as in Standard Webhooks. It should be `whsec_` followed by base64: of any other text the text itself is the key, which the reference libraries take for base64.'

/** What a callback must be signed with. */
export function signatureOf({ id, timestamp, secret, body }: Received): string {
  return `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

type Received = { id: string; timestamp: string; secret: string; body: string }
type Signing = { id: string; secret: string | readonly string[] | undefined; body: string; now: Date }

/**
 * After `whsec_` comes base64; any other text is itself the key. The reference libraries take that for base64 as well
 * (libraries/javascript/src/index.ts of https://github.com/standard-webhooks/standard-webhooks); receivers that were set
 * up with us count on ours.
 */
function keyOf(secret: string): KeyObject {
  const prefix = 'whsec_'
  // As an object: with bytes for a key, Node takes three times as long.
  return secret.startsWith(prefix)
    ? createSecretKey(secret.slice(prefix.length), 'base64')
    : createSecretKey(secret, 'utf8')
}
