import type { Outcome } from '../outcome.ts'

/** What a vendor would only refuse later, or cut off. By default 4,096 bytes, as at Apple, FCM and Expo. */
export function refuseLargePush(vendor: string, bytes: number, limit = 4_096): Outcome | undefined {
  if (bytes <= limit) return undefined
  const [size, most] = [bytes, limit].map((count) => count.toLocaleString('en-US'))
  return {
    kind: 'rejected',
    reason: `the push is ${size} bytes; ${vendor} takes ${most}: shorten the text or the data`,
  }
}

/** In UTF-8: a text as it is, anything else as JSON. */
export function bytesOf(value: unknown): number {
  return Buffer.byteLength(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
}
