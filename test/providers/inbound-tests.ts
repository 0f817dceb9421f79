import { expect, test } from 'vitest'
import type { Inbound } from '../../src/providers/inbound.ts'
import { inboundCall } from './inbound-call.ts'

const url = 'https://tidings.example/v1/webhooks/0198c000'

/** Of a vendor that signs nothing: only who knows the address is believed. */
export function believesKeyInUrl(inbound: Inbound) {
  test.each([
    ['the right key', `${url}?key=signing-key`, 'signing-key', true],
    ['another key', `${url}?key=signing-kez`, 'signing-key', false],
    ['no key', url, 'signing-key', false],
    ['an empty key', `${url}?key=`, '', false],
  ])('a call with %s in its address', (_name, given, signingKey, expected) => {
    expect(inbound.keyInUrl).toBe(true)
    expect(inbound.verify(inboundCall({ url: given, signingKey, body: '{}' }))).toBe(expected)
  })
}

const deep = '['.repeat(5_000) + ']'.repeat(5_000)

/** Bodies that no vendor sends. */
export const junkBodies = [
  '',
  'junk',
  '[]',
  '{}',
  'null',
  '1',
  '"a"',
  '[null]',
  '[[[]]]',
  '[null,1,"a",[],{}]',
  deep,
  '['.repeat(9_000),
  `{"data":${deep}}`,
  'a=b&c',
  '&&=',
]

/** What is no event of the vendor's tells nothing, and breaks nothing. */
export function ignoresJunk(inbound: Inbound) {
  test.each(junkBodies)('tells nothing of %.40s', async (body) => {
    expect(inbound.read({ body, headers: {} })).toEqual([])
    expect(inbound.people?.({ body, headers: {} }) ?? []).toEqual([])
    expect(await inbound.handshake?.(inboundCall({ body }))).toBeUndefined()
  })
}
