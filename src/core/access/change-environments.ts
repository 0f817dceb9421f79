import type { Ctx } from '../../context.ts'
import { ApiError, invalidField } from '../../errors.ts'
import { freeSlug } from '../../lib/free-slug.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import {
  addEnvironment,
  changeEnvironment,
  deleteEnvironment,
  type EnvironmentChange,
  listOfOrganization,
  lockEnvironments,
  type OrganizationEnvironment,
  restoreEnvironment,
} from '../../store/access/environments.ts'
import { afterCommit, type Db, type Env, lockNotAvailable, sqlState } from '../../store/database.ts'
import { noteChange } from '../record/note-change.ts'
import { refuseUnless } from './permissions.ts'
import { forgetEnvironments, pickReachable } from './reach.ts'

/** Whoever deletes one by mistake has this long to restore it. */
export const graceDays = 7
const mostEnvironments = 200

export type Scope = { ctx: Ctx; db: Db; env: Env; now: Date }
type NewInput = { name: string; color: string; parentId?: string | undefined }

/** Things are published to it, from its parent: by default the one that is oldest. It has no key yet. */
export async function createEnvironment(scope: Scope, input: NewInput): Promise<OrganizationEnvironment> {
  const { ctx, db, env, now } = scope
  const others = await lockAll(scope)
  if (others.length >= mostEnvironments) throw new ApiError('too_many_environments')
  const name = input.name.trim()
  refuseTaken(name, others)
  const id = uuid7(now)
  const slug = freeSlug(name, 'environment', new Set(others.map((it) => it.slug)))
  const parentId = parentOf(input.parentId, others) ?? others[0]?.id ?? null
  const made = { name, slug, color: input.color, type: 'prod', parentId } as const
  await addEnvironment(db, env.organizationId, id, made)
  noteChange(db, { type: 'environment', id, name: slug }, { after: made, place: id })
  afterCommit(db, () => forgetEnvironments(ctx, env.organizationId))
  return getOne(scope, id)
}

/** What is not given stays. Whoever is kept from changing an environment must not open it for himself. */
export async function updateEnvironment(
  scope: Scope,
  ref: string,
  change: EnvironmentChange,
): Promise<OrganizationEnvironment> {
  const { ctx, db, env } = scope
  if (change.protected !== undefined) refuseUnless(env, 'environments')
  const all = await lockAll(scope)
  const before = getReachable(all, env, ref)
  const { id } = before
  const others = all.filter((it) => it.id !== id)
  const name = change.name?.trim()
  if (name !== undefined) refuseTaken(name, others)
  const parentId = parentOf(change.parentId, others)
  if (!(await changeEnvironment(db, { ...env, id }, { ...change, name, parentId })))
    throw new ApiError('environment_not_found')
  afterCommit(db, () => forgetEnvironments(ctx, env.organizationId))
  const after = await getOne(scope, id)
  noteChange(
    db,
    { type: 'environment', id, name: after.slug },
    { before: shown(before), after: shown(after), place: id },
  )
  return after
}

function shown({ name, color, parentId, protected: isProtected }: OrganizationEnvironment) {
  return { name, color, parentId, protected: isProtected }
}

/** At once nobody gets at it any more; after the grace time it is gone with all it holds. */
export async function removeEnvironment(scope: Scope, ref: string): Promise<OrganizationEnvironment> {
  const { ctx, db, env } = scope
  const found = getReachable(await lockAll(scope), env, ref)
  if (found.deletedAt !== null) throw new ApiError('environment_not_found')
  // What is written down of this request belongs to it.
  if (found.id === env.environmentId) throw new ApiError('environment_in_use')
  // A person comes from nowhere; a key, and who signed in with it, would be shut out, and nobody could restore it.
  if (found.id === env.cameFrom && env.actor?.type !== 'person')
    throw new ApiError('environment_in_use', {
      message: 'Your key or sign-in belongs to this environment and would end with it; use another one to delete it.',
    })
  if (found.isElsewhere) throw new ApiError('environment_elsewhere')
  const isDone = await deleteEnvironment(db, found, graceDays).catch((error: unknown) => {
    if (sqlState(error) === lockNotAvailable) throw new ApiError('environment_busy')
    throw error
  })
  if (!isDone) throw new ApiError('environment_busy')
  noteChange(db, { type: 'environment', id: found.id, name: found.slug }, { before: shown(found), place: found.id })
  afterCommit(db, () => forgetEnvironments(ctx, env.organizationId))
  return getOne(scope, found.id)
}

export async function bringBackEnvironment(scope: Scope, ref: string): Promise<OrganizationEnvironment> {
  const { ctx, db, env } = scope
  const found = getReachable(await lockAll(scope), env, ref)
  const { id } = found
  if (!(await restoreEnvironment(db, { ...env, id }))) throw new ApiError('environment_not_deleted')
  noteChange(db, { type: 'environment', id, name: found.slug }, { after: shown(found), place: id })
  afterCommit(db, () => forgetEnvironments(ctx, env.organizationId))
  return getOne(scope, id)
}

/** One transaction at a time changes the environments of an organization. */
async function lockAll({ db, env }: Scope): Promise<OrganizationEnvironment[]> {
  await lockEnvironments(db, env.organizationId)
  return listOfOrganization(db, env.organizationId)
}

function getReachable(all: readonly OrganizationEnvironment[], env: Env, ref: string): OrganizationEnvironment {
  const found = pickReachable(all, env, ref)
  if (!found) throw new ApiError('environment_not_found')
  return found
}

function refuseTaken(name: string, others: readonly OrganizationEnvironment[]): void {
  const isTaken = others.some((it) => it.deletedAt === null && it.name.toLowerCase() === name.toLowerCase())
  if (isTaken) throw new ApiError('environment_name_taken')
}

function parentOf(id: string | undefined, others: readonly OrganizationEnvironment[]): string | undefined {
  if (id === undefined || others.some((it) => it.id === id && it.deletedAt === null)) return id
  throw invalidField('parentId', 'must be the id of another environment of this organization', id)
}

async function getOne({ db, env }: Scope, id: string): Promise<OrganizationEnvironment> {
  const found = (await listOfOrganization(db, env.organizationId)).find((it) => it.id === id)
  if (!found) throw new ApiError('environment_not_found')
  return found
}
