import { expect, test } from 'vitest'
import type { Inbound } from '../../src/providers/inbound.ts'
import { inboundCall } from './inbound-call.ts'

/** Bodies that no vendor sends. */
export const junkBodies = ['', 'junk', '[]', '{}', 'null', '[null]', '[[[]]]', '['.repeat(9_000)]

/** The tests of a vendor that signs nothing. */
export function testKeyInUrl(inbound: Inbound): void {
  test.each([
    ['?key=signing-key', 'signing-key', true],
    ['?key=other', 'signing-key', false],
    ['', 'signing-key', false],
    ['?key=', '', false],
  ])('the proof is the key in the address: %j for %j', (query, signingKey, isProof) => {
    const call = inboundCall({ url: `https://tidings.example/v1/webhooks/0198c000${query}`, signingKey })
    expect(inbound.keyInUrl).toBe(true)
    expect(inbound.verify(call)).toBe(isProof)
  })
}
