import type { Ctx } from '../../context.ts'
import { secretPlaces } from '../../lib/secret-places.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import type { Db } from '../../store/database.ts'
import { insertOwnMail } from '../../store/people/own-mails.ts'
import type { Letter } from './letters.ts'

export type ToSend = { organizationId: string; subjectId: string; recipient: string; letter: Letter }

/** In the transaction of what it tells of. The link is sealed while it waits. */
export async function queueMail(
  { ctx, db, now }: { ctx: Ctx; db: Db; now: Date },
  { organizationId, subjectId, recipient, letter }: ToSend,
): Promise<void> {
  const place = { organizationId, id: uuid7(now) }
  const sealed = ctx.sealer.seal(secretPlaces.ownMail(place), JSON.stringify(letter))
  await insertOwnMail(db, { ...place, kind: letter.kind, subjectId, recipient, letter: sealed }, now)
}
