import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Sealer } from '../../lib/seal.ts'
import { isUuid7 } from '../../lib/uuid7.ts'

/** What a browser holds: whose inbox it may use, and for how long. */
export type InboxClaims = {
  environmentId: string
  /** Our own id, so that a subscriber made anew under the same subscriberId is somebody else. */
  subscriberId: string
  contextKeys: readonly string[]
  /** Whose hash or call opened the session; the token ends with it. Null: nobody's, in development. */
  vouchedBy: string | null
  /** Opened by somebody else who may only look: nothing can be changed with it, and nobody is online by it. */
  lookOnly: boolean
  expiresAt: Date
}

const dayMs = 24 * 3_600_000
/** Clients never renew their token. */
export const tokenMs = 15 * dayMs
const purpose = 'inbox tokens with looks'
// Also the alphabet of query strings: the socket's address holds it.
const shape = /^ti_([A-Za-z0-9_-]{1,4096})\.([A-Za-z0-9_-]{43})$/

/** Signed, not stored: a page that is opened a million times writes nothing. */
export function makeInboxToken(sealer: Sealer, claims: InboxClaims): string {
  const { environmentId, subscriberId, contextKeys, vouchedBy, lookOnly, expiresAt } = claims
  const said = JSON.stringify([environmentId, subscriberId, vouchedBy, expiresAt.getTime(), lookOnly, ...contextKeys])
  const body = Buffer.from(said).toString('base64url')
  const [newest = Buffer.alloc(0)] = sealer.derive(purpose)
  return `ti_${body}.${sign(newest, body)}`
}

export function readInboxToken(sealer: Sealer, text: string, now: Date): InboxClaims | null {
  const [, body = '', signature = ''] = shape.exec(text) ?? []
  if (!sealer.derive(purpose).some((secret) => isEqual(sign(secret, body), signature))) return null
  // Signed by us, in the shape of `makeInboxToken`.
  const [environmentId, subscriberId, vouchedBy, expires, lookOnly, ...contextKeys] = JSON.parse(
    Buffer.from(body, 'base64url').toString(),
  )
  const expiresAt = new Date(expires)
  if (expiresAt <= now || !isUuid7(environmentId) || !isUuid7(subscriberId)) return null
  return { environmentId, subscriberId, contextKeys, vouchedBy, lookOnly, expiresAt }
}

function sign(secret: Buffer, body: string): string {
  return createHmac('sha256', secret).update(body).digest('base64url')
}

function isEqual(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
