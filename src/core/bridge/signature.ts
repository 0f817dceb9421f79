import { createHmac } from 'node:crypto'
import type { Ctx } from '../../context.ts'
import { secretPlaces } from '../../lib/secret-places.ts'
import { listSigningKeys } from '../../store/bridge/bridges.ts'
import type { Db, Env } from '../../store/database.ts'

/** Who receives it makes the same of the very text that was sent. Valid for five minutes. */
export function signatureOf(keyText: string, body: string, now: Date): string {
  const at = now.getTime()
  return `t=${at},v1=${createHmac('sha256', keyText).update(`${at}.${body}`).digest('hex')}`
}

export type SigningKey = { id: string; text: string }

/**
 * The key that told of the bridge, because its code was started with it; once that is revoked, another that may do
 * everything. Null: the text of none is known.
 */
export async function findSigningKey(ctx: Ctx, db: Db, env: Env, preferred: string | null): Promise<SigningKey | null> {
  const [key] = await listSigningKeys(db, env, preferred, ctx.clock())
  if (!key) return null
  const place = secretPlaces.apiKeyText({ environmentId: env.environmentId, id: key.id })
  return { id: key.id, text: ctx.sealer.open(place, key.sealedText) }
}
