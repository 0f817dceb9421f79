import type { Ctx } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { newApiKey } from '../../lib/api-key.ts'
import { sha256 } from '../../lib/seal.ts'
import { secretPlaces } from '../../lib/secret-places.ts'
import { insertApiKey, listApiKeys, lockApiKeys, revokeApiKeyOf } from '../../store/access/api-keys.ts'
import type { Db, Env } from '../../store/database.ts'

/** One in use and one to change over to; nobody would keep track of more. */
export const maxLiveKeys = 2

/** The key's text is known only now. The operator's own key (BOOTSTRAP_API_KEY) does not count. */
export async function createApiKey(ctx: Ctx, db: Db, env: Env, name: string, now: Date) {
  await lockApiKeys(db, env)
  const live = (await liveKeys(db, env)).filter((key) => !key.bootstrap)
  if (live.length >= maxLiveKeys) throw new ApiError('too_many_api_keys')
  const { id, text } = newApiKey(ctx.config.cell, now)
  const { environmentId } = env
  const sealedText = ctx.sealer.seal(secretPlaces.apiKeyText({ environmentId, id }), text)
  await insertApiKey(db, { environmentId, id, name, secretHash: sha256(text), sealedText })
  return { id, text }
}

/** The last key cannot be revoked here: nobody could then make another. The command line may revoke it. */
export async function revokeOneOfSeveral(db: Db, env: Env, id: string, now: Date): Promise<void> {
  await lockApiKeys(db, env)
  const live = await liveKeys(db, env)
  if (!live.some((key) => key.id === id)) throw new ApiError('api_key_not_found')
  if (live.length === 1) throw new ApiError('last_api_key')
  await revokeApiKeyOf(db, env, id, now)
}

async function liveKeys(db: Db, env: Env) {
  return (await listApiKeys(db, env.environmentId)).filter((key) => !key.revoked_at)
}
