import type { Db } from '../../store/database.ts'
import type { Person } from '../../store/people/persons.ts'
import { removeTotp } from '../../store/people/second-proofs.ts'
import { makeReset } from './reset-password.ts'

type WayBack = { token: string; expiresAt: Date; isSecondProofGone: boolean }

/**
 * For somebody who cannot get in, made by whoever runs the service: a link as of a mail. A lost phone, too, only if that
 * was asked for: until the link is used the password before still opens.
 */
export async function makeWayBack(
  db: Db,
  { id }: Pick<Person, 'id'>,
  { withoutSecondProof }: { withoutSecondProof: boolean },
  now: Date,
): Promise<WayBack> {
  const isSecondProofGone = withoutSecondProof && (await removeTotp(db, id, now))
  return { ...(await makeReset(db, id, now)), isSecondProofGone }
}
