import { LRUCache } from 'lru-cache'
import type { Ctx } from '../../context.ts'
import { rememberBriefly } from '../../lib/remember-briefly.ts'
import {
  endPersonSessions,
  type FoundPersonSession,
  findPersonSession,
  notePersonSeen,
} from '../../store/people/person-sessions.ts'

const noteEveryMs = 60_000

/** Sessions of people with what they are: a change of it counts on every node after two seconds at most. */
export function createPersonSessions(ctx: Ctx) {
  const { db } = ctx.database
  const remembered = rememberBriefly((place) => {
    const [organizationId = '', id = ''] = place.split(' ')
    return findPersonSession(db, { organizationId, id })
  })
  const noted = new LRUCache<string, true>({ max: 10_000, ttl: noteEveryMs })

  return {
    lookUp: ({ organizationId, id }: { organizationId: string; id: string }) => remembered(`${organizationId} ${id}`),

    /** Nobody waits for it, and a failure only makes it coarser. */
    noteSeen(session: FoundPersonSession): void {
      if (noted.has(session.id) || ctx.drain.begun) return
      noted.set(session.id, true)
      notePersonSeen(db, session, ctx.clock()).catch((error: unknown) =>
        ctx.log.debug({ err: error }, 'the use of a session was not noted'),
      )
    },

    forget: ({ organizationId, id }: FoundPersonSession) => remembered.forget(`${organizationId} ${id}`),

    async end({ organizationId, id, person }: FoundPersonSession): Promise<void> {
      await endPersonSessions(db, person.id, { only: id }, ctx.clock())
      remembered.forget(`${organizationId} ${id}`)
    },
  }
}
