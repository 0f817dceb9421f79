import { describe, expect, test } from 'vitest'
import { fastest } from '../../test/fastest.ts'
import { hostileBodies, signers, strangersHeaders } from '../../test/providers/hostile-callbacks.ts'
import { inboundCall } from '../../test/providers/inbound-call.ts'
import type { Inbound, InboundCall } from './inbound.ts'
import { loadProviders } from './provider.ts'

const listening = (await loadProviders()).all.flatMap(({ id, inbound }) => (inbound ? [{ id, inbound }] : []))
const url = 'https://tidings.example/v1/webhooks/0198c000'
// One call must not hold up the others; a page of rows takes as long.
const mostMs = 50

test('every provider that takes callbacks can be called here as its vendor does', () => {
  expect(Object.keys(signers).toSorted()).toEqual(listening.map(({ id }) => id).toSorted())
})

/** What the host does with a call on the main thread before the database; its milliseconds of processor. */
async function take(inbound: Inbound, given: Partial<InboundCall>): Promise<number> {
  const call = inboundCall(given)
  const { body, headers } = call
  const before = process.threadCpuUsage()
  if (body.length <= inbound.mostBytes && (await inbound.verify(call))) {
    await inbound.handshake?.(call)
    inbound.once?.({ body, headers })
    inbound.read({ body, headers })
    inbound.people?.({ body, headers })
  }
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

describe.each(listening)('a call of $id', ({ id, inbound }) => {
  const now = new Date()

  test.each(hostileBodies)('by a stranger, with %s, is over at once', async (_name, body) => {
    for (const headers of strangersHeaders(now)) {
      const call = { body, headers, url, signingKey: signers[id]?.signingKey ?? '', now }
      expect(await fastest(mostMs, () => take(inbound, call))).toBeLessThan(mostMs)
    }
  })

  test.each(hostileBodies)('by its own tenant, with %s, is over at once', async (_name, given) => {
    const signer = signers[id]
    if (!signer) throw new Error('no signer')
    // What is too large is refused before anybody looks at its signature.
    const isRead = given.length <= inbound.mostBytes
    const served = signer.http && { http: signer.http }
    const call = { body: given, headers: {}, url, signingKey: signer.signingKey, now, ...served }
    const signed = isRead ? { ...call, ...signer.sign({ body: given, url, now }) } : call
    expect(await fastest(mostMs, () => take(inbound, signed))).toBeLessThan(mostMs)
  })
})
