import { useQuery } from '@tanstack/react-query'
import type { Api } from '../../api/calls.ts'
import { makeApi } from '../../api/client.ts'
import type { Session } from '../../api/types.ts'
import { ownEnvironment } from '../../lib/environment.ts'
import { useSession } from '../../lib/session.ts'

const doors = new Map<string, Api>()

/** Calls about another environment than the one of this window: what is published there. */
export function apiIn(slug: string): Api {
  const door = doors.get(slug) ?? makeApi(() => slug)
  doors.set(slug, door)
  return door
}

/** Who is signed in, as seen from an environment; undefined: not known yet, or they do not get in. */
export function useSessionIn(slug: string): Session | undefined {
  const here = useSession()
  const isHere = slug === here.environment.slug || slug === ownEnvironment()
  const { data } = useQuery({
    queryKey: ['session-in', slug],
    queryFn: ({ signal }) => apiIn(slug).get('/session', { signal }),
    enabled: !isHere,
  })
  return isHere ? here : data
}
