import type { Ctx } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { type Db, type Env, inTransaction } from '../../store/database.ts'
import { endPersonSessions } from '../../store/people/person-sessions.ts'
import { renamePerson, replacePassword } from '../../store/people/persons.ts'
import { noteChange } from '../record/note-change.ts'
import { writeRecord } from '../record/write-record.ts'
import { checkPassword } from './password-rules.ts'
import { proveSelf } from './prove-self.ts'

/**
 * Who is signed in: the person, the session they came with, and who acts in the record. `connectionId`: it alone says who
 * they are, so nothing of theirs elsewhere is shown or changed.
 */
export type Self = {
  person: { id: string; email: string; name: string }
  sessionId: string
  env: Env
  connectionId: string | null
}

/** The one organization that a session of a connection is good for; null: all. */
export function within({ connectionId, env }: Self): string | null {
  return connectionId === null ? null : env.organizationId
}

/** One transaction: what changes the proofs of an account ends all its other sessions, and stands in the record. */
export async function changeAccount<T>(
  ctx: Ctx,
  { person, sessionId, env }: Self,
  action: string,
  change: (db: Db) => Promise<T>,
): Promise<T> {
  return inTransaction(ctx.database.db, async (db) => {
    const now = ctx.clock()
    const done = await change(db)
    await endPersonSessions(db, person.id, { but: sessionId }, now)
    await writeRecord(db, env, { action, ofOrganization: true }, now)
    return done
  })
}

/** Links to reset it open nothing any more either. */
export async function changePassword(
  ctx: Ctx,
  self: Self,
  { current, password }: { current: string; password: string },
): Promise<void> {
  const { person } = self
  const proved = await proveSelf(ctx, person.id, { password: current })
  checkPassword('password', password, person)
  const fresh = await ctx.passwords.hash(password)
  await changeAccount(ctx, self, 'account.password', async (db) => {
    const isFirst = await replacePassword(db, person.id, { before: proved.passwordHash, after: fresh }, ctx.clock())
    if (!isFirst) throw new ApiError('proof_refused')
    noteChange(db, { type: 'person', id: person.id, name: person.name }, {})
  })
}

export async function changeName(ctx: Ctx, { person, env }: Self, name: string): Promise<void> {
  await inTransaction(ctx.database.db, async (db) => {
    const now = ctx.clock()
    await renamePerson(db, person.id, name, now)
    noteChange(db, { type: 'person', id: person.id, name }, { before: { name: person.name }, after: { name } })
    await writeRecord(db, env, { action: 'account.name', ofOrganization: true }, now)
  })
}
