import { endedElsewhere } from '../../../api/signed-out.ts'

/** Why one stands here all of a sudden. */
export function EndedElsewhere() {
  if (!endedElsewhere()) return null
  return (
    <p role="status" className="mt-3 rounded-md bg-warn-soft px-3 py-2 text-warn">
      You were signed out: the session ended, somebody ended it elsewhere, or you may not get in any more.
    </p>
  )
}
