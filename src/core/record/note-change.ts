import type { Db } from '../../store/database.ts'
import { type Change, changesBetween, shortened } from './changes-between.ts'

/** Something that was changed. `before` and `after` hold no secret; absent where it was made or deleted. */
export type Noted = {
  subject: { type: string; id: string; name?: string | null | undefined }
  /** Another environment than the one who acts is in. */
  place?: string | undefined
  changes: readonly Change[]
}

const notedIn = new WeakMap<Db, Noted[]>()

/** For the record of changes: whoever ends the transaction writes it down (`writeRecord`), as what, by whom and from where. */
export function noteChange(
  db: Db,
  subject: Noted['subject'],
  { before, after, place }: { before?: object | undefined; after?: object | undefined; place?: string },
): void {
  note(db, { subject, place, changes: changesBetween(before, after) })
}

/** The same, where what is different is known already. */
export function noteChanges(db: Db, subject: Noted['subject'], changes: readonly Change[]): void {
  note(db, { subject, changes: shortened(changes) })
}

function note(db: Db, it: Noted): void {
  const noted = notedIn.get(db) ?? []
  noted.push(it)
  notedIn.set(db, noted)
}

/** What was noted in this transaction, once. */
export function takeNoted(db: Db): readonly Noted[] {
  const noted = notedIn.get(db) ?? []
  notedIn.delete(db)
  return noted
}
