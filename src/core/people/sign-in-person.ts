import type { Ctx } from '../../context.ts'
import { networkOf } from '../../egress/network-of.ts'
import { ApiError } from '../../errors.ts'
import { sha256 } from '../../lib/seal.ts'
import { newPersonToken } from '../../lib/session-token.ts'
import { type Db, inTransaction } from '../../store/database.ts'
import { listOrganizationsOf, type OwnOrganization } from '../../store/people/members.ts'
import { insertPersonSession, type Origin } from '../../store/people/person-sessions.ts'
import { findPersonByEmail, holdProof, listPlacesOf, normalEmail, type Person } from '../../store/people/persons.ts'
import { forgetFailures, takeAttempt } from '../../store/people/sign-in-failures.ts'
import { sessionSeconds } from '../operations/sign-in.ts'
import { checkAttempt, refuseBlocked } from './blocked.ts'
import { proveSecond } from './second-proof.ts'

export type PasswordProof = {
  email: string
  password: string
  /** Of the app, or a recovery code. */
  code?: string | undefined
  organizationId?: string | undefined
}

/** The token of a new session; null: no such address, another password, or a member of nothing. Which one, nobody learns. */
export async function signInByPassword(ctx: Ctx, proof: PasswordProof, origin: Origin): Promise<string | null> {
  const person = await provePassword(ctx, proof, origin)
  if (!person) return null
  return inTransaction(ctx.database.db, async (db) =>
    (await holdProof(db, person)) ? openPersonSession(db, ctx.clock(), { person, ...proof, origin }) : null,
  )
}

/**
 * Who has this address, this password, and this code if they have a second proof. Throws `too_many_requests` after
 * failures, whether or not somebody has the address. Those from where the person signed in before are counted apart, and
 * in the same way: guesses of others keep nobody out, and nobody learns who signs in here. Failures are forgotten only
 * once all is proved.
 */
export async function provePassword(
  ctx: Ctx,
  { email, password, code }: Pick<PasswordProof, 'email' | 'password' | 'code'>,
  { address }: Origin,
): Promise<Person | null> {
  const { db } = ctx.database
  const place = networkOf(address)
  const isKnown = (await listPlacesOf(db, email, ctx.clock())).some((it) => networkOf(it) === place)
  const count = isKnown ? sha256(`account ${normalEmail(email)} at ${place}`) : accountHash(email)
  let takenAt = ctx.clock()
  const found = await ctx.passwords.isRight({ password, turn: isKnown ? 'known' : 'stranger' }, async () => {
    takenAt = ctx.clock()
    refuseBlocked(await takeAttempt(db, count, takenAt), takenAt)
    // Only now: it may have changed while this one waited.
    return findPersonByEmail(db, email)
  })
  if (!found) return null
  if (found.twoFactor) {
    if (code === undefined) throw new ApiError('second_factor_needed')
    if (!(await checkAttempt(db, { count, takenAt }, () => proveSecond(ctx, found.id, code)))) return null
  }
  await forgetFailures(db, count)
  return found
}

/** What failures are counted by: the address as it was given, whoever has it. */
export function accountHash(email: string): Buffer {
  return sha256(`account ${normalEmail(email)}`)
}

/**
 * For somebody whom their password proved, or what stands for it. In the organization that is named, or in that used last
 * of those that let them in by it. Null: they are no member of it.
 */
export async function openPersonSession(
  db: Db,
  now: Date,
  opened: { person: { id: string }; organizationId?: string | undefined; origin: Origin },
): Promise<string | null> {
  const { person, organizationId, origin } = opened
  const own = await listOrganizationsOf(db, person.id)
  const asked = organizationId === undefined ? own : own.filter(({ id }) => id === organizationId)
  const into = asked.find(letsInByPassword)
  if (!into && asked.length > 0) throw new ApiError('password_not_allowed')
  return into
    ? openSessionIn(db, now, { personId: person.id, organizationId: into.id, connectionId: null, origin })
    : null
}

function letsInByPassword({ through, ownersOnly, role }: OwnOrganization): boolean {
  return through === null && (!ownersOnly || role === 'owner')
}

type Opened = { personId: string; organizationId: string; connectionId: string | null; origin: Origin }

/** They are a member of it, and proved who they are. */
export async function openSessionIn(db: Db, now: Date, { origin, ...whose }: Opened): Promise<string> {
  const { id, text } = newPersonToken(whose.organizationId, now)
  const expiresAt = new Date(now.getTime() + sessionSeconds * 1000)
  await insertPersonSession(db, { ...whose, id, tokenHash: sha256(text), expiresAt, ...origin }, now)
  return text
}

/** For somebody who is signed in. */
export async function goToOrganization(
  ctx: Ctx,
  { person }: { person: { id: string } },
  organizationId: string,
  origin: Origin,
): Promise<string> {
  const token = await openPersonSession(ctx.database.db, ctx.clock(), { person, organizationId, origin })
  if (token === null) throw new ApiError('organization_not_found')
  return token
}
