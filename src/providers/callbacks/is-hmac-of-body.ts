import { createHmac } from 'node:crypto'
import type { InboundCall } from '../inbound.ts'
import { sameText } from '../shared/same-text.ts'

/** Whether a signature is the body as it came, by HMAC with SHA-256, in hex. An empty key proves nothing. */
export function isHmacOfBody(given: string, { body, signingKey }: Pick<InboundCall, 'body' | 'signingKey'>): boolean {
  if (signingKey === '') return false
  return sameText(given, createHmac('sha256', signingKey).update(body, 'utf8').digest('hex'))
}
