import type { InboundCall } from '../../src/providers/inbound.ts'
import { now } from './provider-samples.ts'

/** A vendor's call, with what the test does not care for filled in. Nothing is fetched unless the test says what. */
export function inboundCall(given: Partial<InboundCall>): InboundCall {
  return {
    headers: {},
    body: '',
    url: 'https://tidings.example/v1/webhooks/0198c000',
    signingKey: 'signing-key',
    credentials: {},
    now,
    http: async () => ({ kind: 'fault', sent: false, reason: 'this test fetches nothing' }),
    cached: (_name, fetch) => fetch(),
    ...given,
  }
}
