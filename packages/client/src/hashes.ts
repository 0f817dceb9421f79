/**
 * Proves to an inbox who somebody is: put it into the page as `subscriberHash`. `secret` is an API key or the signing
 * secret of the environment, so call this on your server only.
 */
export function subscriberHash(secret: string, subscriberId: string): Promise<string> {
  return hmac(secret, subscriberId)
}

/** The same for the context of an inbox: its `contextHash`. */
export function contextHash(secret: string, context: Record<string, unknown>): Promise<string> {
  return hmac(secret, withSortedKeys(JSON.parse(JSON.stringify(context))))
}

/** As JSON, with sorted keys and no spaces. */
function withSortedKeys(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(withSortedKeys).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, own]) => `${JSON.stringify(name)}:${withSortedKeys(own)}`)
  return `{${inner.join()}}`
}

async function hmac(secret: string, message: string): Promise<string> {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytes(secret), algorithm, false, ['sign'])
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes(message)))
  return [...signature].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
