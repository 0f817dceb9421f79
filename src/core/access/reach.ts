import type { Ctx } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { type Remembered, rememberBriefly } from '../../lib/remember-briefly.ts'
import { listOfOrganization, type OrganizationEnvironment } from '../../store/access/environments.ts'
import type { Env } from '../../store/database.ts'
import { grantIn } from './permissions.ts'

/** Of each process; a test may have several in one. */
const ofProcess = new WeakMap<Ctx, Remembered<OrganizationEnvironment[]>>()

/** The environments of an organization, as of two seconds ago at most; deleted ones too. */
function environmentsOf(ctx: Ctx): Remembered<OrganizationEnvironment[]> {
  const known = ofProcess.get(ctx) ?? rememberBriefly((id) => listOfOrganization(ctx.database.db, id))
  ofProcess.set(ctx, known)
  return known
}

/** For whoever has just changed one of them; the other nodes hear of it within two seconds. */
export function forgetEnvironments(ctx: Ctx, organizationId: string): void {
  environmentsOf(ctx).forget(organizationId)
}

/** Those that who acts can go to, as they are now; the deleted ones come last, and nobody can go there. */
export async function listReachable(ctx: Ctx, env: Env): Promise<OrganizationEnvironment[]> {
  const ofOrganization = await listOfOrganization(ctx.database.db, env.organizationId)
  const all = ofOrganization.filter(({ id }) => isOpenTo(env, id))
  return [...all.filter((it) => it.deletedAt === null), ...all.filter((it) => it.deletedAt !== null)]
}

/**
 * Who acts, in another environment of its organization: named by its id, slug or public identifier. Throws
 * `environment_not_found` for those of others, too.
 */
export async function reachEnvironment(ctx: Ctx, env: Env, ref: string): Promise<Env> {
  if (ref === env.environmentId) return env
  const found = await reachable(ctx, env, ref)
  if (!found || found.deletedAt !== null) throw new ApiError('environment_not_found')
  if (found.isElsewhere) throw new ApiError('environment_elsewhere')
  return { ...env, environmentId: found.id, cameFrom: env.cameFrom ?? env.environmentId }
}

/** The same, also a deleted one; null: there is none. */
export async function reachable(ctx: Ctx, env: Env, ref: string): Promise<OrganizationEnvironment | null> {
  const remembered = environmentsOf(ctx)
  const found = pickReachable(await remembered(env.organizationId), env, ref)
  if (found) return found
  // Another node may have made it just now.
  remembered.forget(env.organizationId)
  return pickReachable(await remembered(env.organizationId), env, ref)
}

/** Deleted ones too. Null: there is none, or none for somebody who knows the organization's. */
export function pickReachable(
  all: readonly OrganizationEnvironment[],
  env: Env,
  ref: string,
): OrganizationEnvironment | null {
  const open = all.filter(({ id }) => isOpenTo(env, id))
  // The id wins: a slug may look like another's.
  const found = open.find(({ id }) => id === ref) ?? open.find((it) => isNamed(it, ref))
  if (!found && !env.grants?.everywhere) throw new ApiError('environment_out_of_reach')
  return found ?? null
}

/** Whether who acts may do anything there. */
function isOpenTo(env: Env, environmentId: string): boolean {
  return grantIn({ ...env, environmentId }) !== null
}

function isNamed({ id, slug, identifier }: OrganizationEnvironment, ref: string): boolean {
  return id === ref || slug === ref || identifier === ref
}
