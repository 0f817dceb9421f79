import { timingSafeEqual } from 'node:crypto'
import type { Ctx } from '../context.ts'
import { ApiError } from '../errors.ts'
import { apiKeyId } from '../lib/api-key.ts'
import { rememberBriefly } from '../lib/remember-briefly.ts'
import { sha256 } from '../lib/seal.ts'
import { type FoundApiKey, findApiKey } from '../store/access/api-keys.ts'
import type { Env } from '../store/database.ts'

export type BootstrapKey = { id: string; hash: Buffer }
export type Authenticate = (header: string | undefined) => Promise<Env>

const scheme = 'ApiKey '
const nobody: FoundApiKey = { environmentId: '', organizationId: '', secretHash: Buffer.alloc(32), revoked: true }

/**
 * Finds the environment of `Authorization: ApiKey <key>`. A malformed key costs no look-up. An unknown id and a wrong
 * secret cost the same, one remembered look-up and one comparison, so that the time tells nothing.
 */
export function authenticator(ctx: Ctx, bootstrapKeys: readonly BootstrapKey[]): Authenticate {
  const lookUp = rememberBriefly((id) => findApiKey(ctx.database.db, id))

  return async (header) => {
    const key = header?.startsWith(scheme) ? header.slice(scheme.length) : ''
    const hash = sha256(key)
    const id = bootstrapKeys.find((bootstrap) => timingSafeEqual(bootstrap.hash, hash))?.id ?? apiKeyId(key)
    if (!id) throw new ApiError('unauthorized')
    const found = (await lookUp(id)) ?? nobody
    if (!timingSafeEqual(found.secretHash, hash) || found.revoked) throw new ApiError('unauthorized')
    return { environmentId: found.environmentId, organizationId: found.organizationId, keyId: id }
  }
}
