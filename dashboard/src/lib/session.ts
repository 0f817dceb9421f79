import { queryOptions, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { BodyOf } from '../api/calls.ts'
import { api, apiOfSession } from '../api/client.ts'
import { ApiFault } from '../api/fault.ts'
import { signedOut } from '../api/signed-out.ts'
import type { Session } from '../api/types.ts'

export type ShownEnvironment = Session['environment']

/** Who is signed in, as seen from the environment of this window. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => api.get('/session'),
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
})

/** Who is signed in, to a page before one is in; null: nobody. */
export const sessionOutsideQuery = queryOptions({
  queryKey: ['session-outside'],
  queryFn: () =>
    apiOfSession.get('/session').catch((error: unknown) => {
      if (error instanceof ApiFault && error.status < 500) return null
      throw error
    }),
  retry: false,
})

/** Only under the layout, whose route has made sure that somebody is signed in and gets into this environment. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data
}

/** With the two seconds that a server remembers a session, a revoked one is off the screen within 5 s. */
export const watchEveryMs = 2_000

const lost = ['environment_not_found', 'environment_out_of_reach', 'environment_elsewhere']

/** Why nobody gets into this environment; null: for another reason, or no reason at all. */
export function lossOf(error: unknown): ApiFault | null {
  return error instanceof ApiFault && lost.includes(error.code) ? error : null
}

/**
 * A key may be revoked while its page lies open and still, an environment deleted, renamed or protected. Asked every few
 * seconds, and only in the window in front, so that nobody goes on reading what they may no longer see.
 */
export function useSessionWatch(): void {
  const queries = useQueryClient()
  const { data, error } = useQuery({
    queryKey: ['session-watch'],
    queryFn: ({ signal }) => api.get('/session', { signal }),
    refetchInterval: watchEveryMs,
    retry: false,
    // The refusal of one session must not greet the next.
    gcTime: 0,
  })
  useEffect(() => {
    if (data) queries.setQueryData(sessionQuery.queryKey, data)
  }, [data, queries])
  useEffect(() => {
    if (lossOf(error) || (error instanceof ApiFault && error.status === 401)) signedOut()
  }, [error])
}

/** Not about any environment: whoever is known decides where they may go. */
export function signIn(by: BodyOf<'post', '/session'>): Promise<Session> {
  return apiOfSession.post('/session', { body: by })
}

export function useSignOut() {
  const queries = useQueryClient()
  return async () => {
    await apiOfSession.delete('/session')
    queries.clear()
    // A full load: nothing of the last person's data stays in memory.
    location.assign('/sign-in')
  }
}
