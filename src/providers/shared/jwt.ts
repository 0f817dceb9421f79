import { createHmac, createPrivateKey, sign } from 'node:crypto'

/**
 * A signed token (RFC 7515, compact). `key`: a private key as PEM, or the shared text for HS256. Throws for a bad key.
 */
export function signJwt({ alg, header = {}, claims, key }: Jwt): string {
  const signed = `${encode({ alg, typ: 'JWT', ...header })}.${encode(claims)}`
  return `${signed}.${signatureOf(alg, signed, key).toString('base64url')}`
}

export type Jwt = {
  alg: 'RS256' | 'ES256' | 'HS256'
  header?: Readonly<Record<string, unknown>>
  claims: Readonly<Record<string, unknown>>
  key: string
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

function signatureOf(alg: Jwt['alg'], signed: string, key: string): Buffer {
  if (alg === 'HS256') return createHmac('sha256', key).update(signed).digest()
  // Line breaks often arrive as the two characters `\n`, copied out of a JSON file.
  const privateKey = createPrivateKey(key.replaceAll('\\n', '\n'))
  const type = alg === 'ES256' ? 'ec' : 'rsa'
  if (privateKey.asymmetricKeyType !== type) throw new Error(`${alg} needs a private key of type ${type}`)
  return sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
}
