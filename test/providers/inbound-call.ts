import type { Http } from '../../src/lib/outbound.ts'
import type { InboundCall } from '../../src/providers/inbound.ts'
import { now } from './provider-samples.ts'
import type { Signer } from './signers/signer.ts'

/** A vendor's call, with what the test does not care for filled in. Nothing is fetched unless the test says what. */
export function inboundCall(given: Partial<InboundCall>): InboundCall {
  return {
    headers: {},
    body: '',
    url: 'https://tidings.example/v1/webhooks/0198c000',
    signingKey: 'signing-key',
    credentials: {},
    now,
    http: httpOf(undefined),
    cached: (_name, fetch) => fetch(),
    ...given,
  }
}

/** The vendor's side of what a provider fetches. */
export function httpOf(fetched: Signer['fetched']): Http {
  return async ({ url }) => {
    const text = fetched?.(url)
    if (text === undefined) return { kind: 'fault', sent: false, reason: 'nothing is fetched in this test' }
    return { kind: 'reply', status: 200, headers: {}, text, json: undefined }
  }
}
