import type { Ctx } from '../../context.ts'
import { afterCommit, type Db } from '../../store/database.ts'

// A send of which messages fail is judged after so long at the latest.
const afterMs = 100

type Ended = { delivery: { row: { send_counted: boolean | null } }; next: { delivery: string } }

/** Messages of sends that failed wake the guard. */
export function judgeSoon(ctx: Ctx, db: Db, ended: readonly Ended[], now: Date): void {
  const isFailure = (to: string) => to === 'rejected' || to === 'dead'
  if (!ended.some(({ delivery, next }) => delivery.row.send_counted && isFailure(next.delivery))) return
  afterCommit(db, () => ctx.sends.ringAt(new Date(now.getTime() + afterMs)))
}
