import type { Static } from 'typebox'
import type { Ctx } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { listOrganizationsOf } from '../../store/people/members.ts'
import { findPerson } from '../../store/people/persons.ts'
import { countRecoveryCodes } from '../../store/people/second-proofs.ts'
import { type accountSchema, toAccountJson } from './account-json.ts'
import type { Self } from './change-account.ts'

/** As it is now. */
export async function showAccount(
  ctx: Ctx,
  { person, env, connectionId }: Self,
): Promise<Static<typeof accountSchema>> {
  const { db } = ctx.database
  const [found, organizations, recoveryCodesLeft] = await Promise.all([
    findPerson(db, person.id),
    listOrganizationsOf(db, person.id),
    countRecoveryCodes(db, person.id),
  ])
  if (!found) throw new ApiError('unauthorized', { message: 'You are signed out; sign in again.' })
  const known = { ...found, hasPassword: found.passwordHash !== null }
  const shown = connectionId === null ? organizations : organizations.filter(({ id }) => id === env.organizationId)
  return toAccountJson(known, { recoveryCodesLeft, organizations: shown, currentId: env.organizationId })
}
