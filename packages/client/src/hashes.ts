import { readKey } from './check-options.ts'
import { toSortedJson } from './sorted-json.ts'

/**
 * Returns the `subscriberHash` that proves to an inbox who is signed in. `secret` is an API key, or the signing secret of
 * the environment, so call this only on your server.
 */
export async function subscriberHash(secret: string | undefined, subscriberId: string): Promise<string> {
  return hmac(readKey('subscriberHash', secret), subscriberId)
}

/** Returns the `contextHash` that proves the context of an inbox. Call it only on your server, like `subscriberHash`. */
export async function contextHash(secret: string | undefined, context: Record<string, unknown>): Promise<string> {
  return hmac(readKey('contextHash', secret), toSortedJson(context))
}

async function hmac(secret: string, message: string): Promise<string> {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytes(secret), algorithm, false, ['sign'])
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes(message)))
  return [...signature].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
