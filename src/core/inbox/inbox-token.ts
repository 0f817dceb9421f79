import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Sealer } from '../../lib/seal.ts'
import { isUuid7 } from '../../lib/uuid7.ts'

/** What a browser holds: whose inbox it may use, and for how long. */
export type InboxClaims = {
  environmentId: string
  /** Our own id, so that a subscriber made anew under the same subscriberId is somebody else. */
  subscriberId: string
  contextKeys: readonly string[]
  /** Whose hash opened the session; without it any more the token is worth nothing. Null: nobody's, in development. */
  vouchedBy: string | null
  expiresAt: Date
}

const purpose = 'inbox tokens'
// Also the alphabet of query strings: the socket's address holds it.
const shape = /^ti_([A-Za-z0-9_-]{1,4096})\.([A-Za-z0-9_-]{43})$/

/** Signed, not stored: a page that is opened a million times writes nothing. */
export function makeInboxToken(sealer: Sealer, claims: InboxClaims): string {
  const { environmentId, subscriberId, contextKeys, vouchedBy, expiresAt } = claims
  const said = JSON.stringify([environmentId, subscriberId, vouchedBy, expiresAt.getTime(), ...contextKeys])
  const body = Buffer.from(said).toString('base64url')
  const [newest = Buffer.alloc(0)] = sealer.derive(purpose)
  return `ti_${body}.${sign(newest, body)}`
}

export function readInboxToken(sealer: Sealer, text: string, now: Date): InboxClaims | null {
  const [, body = '', signature = ''] = shape.exec(text) ?? []
  if (!sealer.derive(purpose).some((secret) => isEqual(sign(secret, body), signature))) return null
  // Signed by us, in the shape of `makeInboxToken`.
  const [environmentId, subscriberId, vouchedBy, expires, ...contextKeys] = JSON.parse(
    Buffer.from(body, 'base64url').toString(),
  )
  const expiresAt = new Date(expires)
  if (expiresAt <= now || !isUuid7(environmentId) || !isUuid7(subscriberId)) return null
  return { environmentId, subscriberId, contextKeys, vouchedBy, expiresAt }
}

function sign(secret: Buffer, body: string): string {
  return createHmac('sha256', secret).update(body).digest('base64url')
}

function isEqual(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
