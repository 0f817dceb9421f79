/** Browsers have this only where the page came by https, or from this machine. */
export const canMakeKeys = () => globalThis.crypto?.subtle !== undefined

/** A pair of P-256 as Web Push wants it (RFC 8292): the point of 65 bytes and the number of 32, both as base64url. */
export async function makeVapidKeys(): Promise<{ apiKey: string; secretKey: string }> {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
  const point = await crypto.subtle.exportKey('raw', pair.publicKey)
  const { d } = await crypto.subtle.exportKey('jwk', pair.privateKey)
  if (d === undefined) throw new Error('The browser made no private key.')
  return { apiKey: toBase64Url(new Uint8Array(point)), secretKey: d }
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
