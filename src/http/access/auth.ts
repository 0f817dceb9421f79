import { timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Ctx } from '../../context.ts'
import { grantsOfKey } from '../../core/access/key-grants.ts'
import { ApiError } from '../../errors.ts'
import { apiKeyId } from '../../lib/api-key.ts'
import { rememberBriefly } from '../../lib/remember-briefly.ts'
import { sha256 } from '../../lib/seal.ts'
import { secretPlaces } from '../../lib/secret-places.ts'
import { type FoundApiKey, findApiKey, markApiKeyUsed } from '../../store/access/api-keys.ts'
import type { Env } from '../../store/database.ts'

export type BootstrapKey = { id: string; hash: Buffer }
export type Authenticate = (header: string | undefined) => Promise<Env>

const scheme = 'ApiKey '
const nobody: FoundApiKey = {
  environmentId: '',
  organizationId: '',
  secretHash: Buffer.alloc(32),
  revoked: true,
  reach: 'environment',
  scope: 'read',
  expiresAt: null,
  name: '',
}

/**
 * Finds the environment of `Authorization: ApiKey <key>`. A malformed key costs no look-up. An unknown id and a wrong
 * secret cost the same, one remembered look-up and one comparison, so that the time tells nothing.
 */
export function authenticator(ctx: Ctx, bootstrapKeys: readonly BootstrapKey[]): Authenticate {
  const lookUp = rememberBriefly((id) => findApiKey(ctx.database.db, id))
  const noteUse = useNoter(ctx)

  return async (header) => {
    const key = header?.startsWith(scheme) ? header.slice(scheme.length) : ''
    const hash = sha256(key)
    const id = bootstrapKeys.find((bootstrap) => timingSafeEqual(bootstrap.hash, hash))?.id ?? apiKeyId(key)
    if (!id) throw new ApiError('unauthorized')
    const found = (await lookUp(id)) ?? nobody
    if (!timingSafeEqual(found.secretHash, hash) || found.revoked) throw new ApiError('unauthorized')
    const { environmentId, organizationId, expiresAt, name } = found
    if (expiresAt && expiresAt <= ctx.clock()) throw new ApiError('unauthorized', { message: 'This key has expired.' })
    const actor = { type: 'key', id, name } as const
    const env = { environmentId, organizationId, keyId: id, grants: grantsOfKey(found), actor }
    noteUse(env, key)
    return env
  }
}

const noteEveryMs = 60_000

/**
 * Writes that a key was used, once a minute on each node. No request waits for it or fails because of it: while nothing may
 * be sealed, the next use is noted.
 */
function useNoter(ctx: Ctx): (env: Env, text: string) => void {
  const noted = new LRUCache<string, true>({ max: 10_000, ttl: noteEveryMs })
  return (env, text) => {
    if (noted.has(env.keyId) || ctx.drain.begun) return
    if (!ctx.sealer.maySeal()) return
    noted.set(env.keyId, true)
    const now = ctx.clock()
    const since = new Date(now.getTime() - noteEveryMs / 2)
    const sealedText = ctx.sealer.seal(secretPlaces.apiKeyText({ ...env, id: env.keyId }), text)
    ctx.database
      .write(env, (db) => markApiKeyUsed(db, env, { now, since, sealedText }))
      .catch((error: unknown) => ctx.log.debug({ err: error }, 'the use of a key was not noted'))
  }
}
