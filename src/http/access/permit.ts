import type { Ctx } from '../../context.ts'
import { operations } from '../../core/access/operations.ts'
import { type Permission, refuseUnless } from '../../core/access/permissions.ts'
import { reachable } from '../../core/access/reach.ts'
import type { Env } from '../../store/database.ts'
import type { KeyRoute } from '../define-route.ts'
import type { StreamRoute } from '../define-stream.ts'

const placeNames = ['environmentId', 'targetEnvironmentId']

export function permissionOf({ name }: KeyRoute | StreamRoute): Permission {
  const permission = operations[name]
  if (!permission) throw new Error(`${name} has no entry in src/core/access/operations.ts: who may call it?`)
  return permission
}

/** Throws unless who acts may call the route. One that is about another environment is judged there. */
export function createPermit(ctx: Ctx, route: KeyRoute | StreamRoute) {
  const { path } = route
  const permission = permissionOf(route)
  const placeName = placeNames.find((it) => path.includes(`{${it}}`))

  // Which environment it acts in stands in the body: who reads that judges.
  const isJudgedLater = 'actsIn' in route && route.actsIn !== undefined && !placeName

  return async (env: Env, params: unknown): Promise<void> => {
    if (isJudgedLater) return
    const ref = placeName && (params as Record<string, string>)[placeName]
    const place = ref ? await reachable(ctx, env, ref) : env
    // The route says what is wrong with one that is not there.
    if (place) refuseUnless({ ...env, environmentId: 'id' in place ? place.id : place.environmentId }, permission)
  }
}
