import { generateKeyPairSync, type KeyObject, verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { signJwt } from './jwt.ts'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const claims = { iss: 'a@example.com', iat: 1_516_239_022 }

describe('signJwt', () => {
  test('HS256 gives the token of the well-known example (jwt.io)', () => {
    const token = signJwt({
      alg: 'HS256',
      claims: { sub: '1234567890', name: 'John Doe', iat: 1_516_239_022 },
      key: 'your-256-bit-secret',
    })
    expect(token).toBe(
      'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c',
    )
  })

  test('RS256 verifies with the public key and carries header and claims', () => {
    const token = signJwt({ alg: 'RS256', header: { kid: 'k1' }, claims, key: pem(rsa.privateKey) })
    expect(read(token)).toEqual([{ alg: 'RS256', typ: 'JWT', kid: 'k1' }, claims])
    expect(isGood(token, rsa.publicKey)).toBe(true)
    expect(isGood(token, generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey)).toBe(false)
  })

  test('ES256 is the two numbers side by side (64 bytes), not DER', () => {
    const token = signJwt({ alg: 'ES256', claims, key: pem(ec.privateKey) })
    expect(Buffer.from(token.split('.')[2] ?? '', 'base64url')).toHaveLength(64)
    expect(isGood(token, ec.publicKey)).toBe(true)
  })

  test('a key whose line breaks were copied as \\n is read all the same', () => {
    const token = signJwt({ alg: 'ES256', claims, key: pem(ec.privateKey).replaceAll('\n', '\\n') })
    expect(isGood(token, ec.publicKey)).toBe(true)
  })

  test('a key of another kind, or none at all, throws', () => {
    expect(() => signJwt({ alg: 'ES256', claims, key: pem(rsa.privateKey) })).toThrow(/type ec/)
    expect(() => signJwt({ alg: 'RS256', claims, key: pem(ec.privateKey) })).toThrow(/type rsa/)
    expect(() => signJwt({ alg: 'RS256', claims, key: 'not a key' })).toThrow()
  })
})

function pem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}

function read(token: string): unknown[] {
  return token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
}

function isGood(token: string, key: KeyObject): boolean {
  const [header, body, signature = ''] = token.split('.')
  const signed = Buffer.from(`${header}.${body}`)
  return verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'))
}
