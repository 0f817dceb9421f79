import { expect, test } from 'vitest'
import { readIdToken } from './id-token.ts'

const now = new Date('2026-01-02T03:04:05Z')
const seconds = now.getTime() / 1000
const expected = { issuer: 'https://slack.com', clientId: '1.2', nonce: 'n1', now }
const claims = { iss: 'https://slack.com', aud: '1.2', nonce: 'n1', exp: seconds + 300, sub: 'U1' }

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const tokenOf = (changes: object) => `${part({ alg: 'RS256' })}.${part({ ...claims, ...changes })}.c2ln`

test.each([
  ['a token for us', {}],
  ['one for several apps, of which we are one', { aud: ['3.4', '1.2'] }],
  ['one that has expired by a slow clock', { exp: seconds - 60 }],
])('%s is read', (_name, changes) => {
  expect(readIdToken(tokenOf(changes), expected)).toEqual({ ...claims, ...changes })
})

test.each([
  ['of another issuer', { iss: 'https://slack.com.example.org' }, 'not from this vendor'],
  ['for another app', { aud: '3.4' }, 'for another app'],
  ['for other apps', { aud: ['3.4'] }, 'for another app'],
  ['for nobody', { aud: undefined }, 'for another app'],
  ['of another login', { nonce: 'n2' }, 'of another login'],
  ['of no login', { nonce: undefined }, 'of another login'],
  ['that has expired', { exp: seconds - 3600 }, 'has expired'],
  ['without an end', { exp: undefined }, 'has expired'],
])('a token %s is refused', (_name, changes, fault) => {
  expect(readIdToken(tokenOf(changes), expected)).toEqual({ fault: `the ID token ${words(fault)}` })
})

test.each([
  undefined,
  7,
  '',
  'a.b',
  'a.b.c',
  `${part({})}.${part(claims)}`,
  `${tokenOf({})}.more`,
  `a.${part(null)}.c`,
])('what is no token is refused: %s', (token) => {
  expect(readIdToken(token, expected)).toEqual({ fault: 'the ID token cannot be read' })
})

function words(fault: string): string {
  return fault.startsWith('has') ? fault : `is ${fault}`
}
