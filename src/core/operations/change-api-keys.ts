import type { Ctx } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { newApiKey } from '../../lib/api-key.ts'
import { sha256 } from '../../lib/seal.ts'
import { secretPlaces } from '../../lib/secret-places.ts'
import { insertApiKey, listApiKeys, lockApiKeys, type Reach, revokeApiKeyOf } from '../../store/access/api-keys.ts'
import type { Scope } from '../../store/access/grants.ts'
import type { Db, Env } from '../../store/database.ts'
import { noteChange } from '../record/note-change.ts'

/** One in use and one to change over to. Of those that may do less, one for each program. */
const mostLive = { everything: 2, less: 50 }

export type NewKey = {
  name: string
  scope?: Scope | undefined
  reach?: Reach | undefined
  expiresAt?: Date | undefined
  note?: string | undefined
}

/** The key's text is known only now. The operator's own key (BOOTSTRAP_API_KEY) does not count. */
export async function createApiKey(
  { ctx, db, env, now }: { ctx: Ctx; db: Db; env: Env; now: Date },
  { name, scope = 'everything', reach = 'environment', expiresAt, note }: NewKey,
): Promise<{ id: string; text: string }> {
  await lockApiKeys(db, env)
  refuseTooMany(await liveKeys(db, env, now), scope)
  const { id, text } = newApiKey(ctx.config.cell, now)
  const { environmentId } = env
  const sealedText = ctx.sealer.seal(secretPlaces.apiKeyText({ environmentId, id }), text)
  const key = { name, scope, reach, expiresAt: expiresAt ?? null, note: note ?? null }
  await insertApiKey(db, { ...key, environmentId, id, secretHash: sha256(text), sealedText })
  noteChange(db, { type: 'api-key', id, name }, { after: { ...key, expiresAt: expiresAt?.toISOString() } })
  return { id, text }
}

function refuseTooMany(live: readonly { bootstrap: boolean; scope: string }[], scope: Scope): void {
  const isFull = scope === 'everything'
  const ofKind = live.filter((key) => !key.bootstrap && (key.scope === 'everything') === isFull)
  if (ofKind.length >= (isFull ? mostLive.everything : mostLive.less)) throw new ApiError('too_many_api_keys')
}

/** The last key that may do everything is revoked only by a person, who can make another, and by the command line. */
export async function revokeOneOfSeveral(db: Db, env: Env, id: string, now: Date): Promise<void> {
  await lockApiKeys(db, env)
  const live = await liveKeys(db, env, now)
  const found = live.find((key) => key.id === id)
  if (!found) throw new ApiError('api_key_not_found')
  const isFull = ({ scope }: { scope: string }) => scope === 'everything'
  if (env.actor?.type !== 'person' && isFull(found) && live.filter(isFull).length === 1)
    throw new ApiError('last_api_key')
  await revokeApiKeyOf(db, env, id, now)
  noteChange(db, { type: 'api-key', id, name: found.name }, { before: { scope: found.scope } })
}

async function liveKeys(db: Db, env: Env, now: Date) {
  const keys = await listApiKeys(db, env.environmentId)
  return keys.filter((key) => !key.revoked_at && (!key.expires_at || key.expires_at > now))
}
