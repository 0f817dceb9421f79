import { ApiError } from '../../errors.ts'
import { isProtected } from '../../store/access/environments.ts'
import type { Db, Env } from '../../store/database.ts'

/**
 * For whoever changes workflows, layouts or translations by hand. Until the transaction ends, nobody protects the
 * environment: what is protected has not been changed since.
 */
export async function refuseProtected(db: Db, env: Env): Promise<void> {
  if (await isProtected(db, env)) throw new ApiError('environment_protected')
}
