import { queryOptions, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../api/client.ts'
import { ApiFault } from '../api/fault.ts'
import { signedOut } from '../api/signed-out.ts'
import type { Session } from '../api/types.ts'

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => api.get('/session'),
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
})

/** Who is signed in. Only under the layout, whose route has made sure that somebody is. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data
}

/** With the two seconds that a server remembers a session, a revoked one is off the screen within 5 s. */
export const watchEveryMs = 2_000

/**
 * A key may be revoked while its page lies open and still. Asked every few seconds, and only in the window in front, so
 * that nobody goes on reading what they may no longer see.
 */
export function useSessionWatch(): void {
  const { error } = useQuery({
    queryKey: ['session-watch'],
    queryFn: ({ signal }) => api.get('/session', { signal }),
    refetchInterval: watchEveryMs,
    retry: false,
    // The refusal of one session must not greet the next.
    gcTime: 0,
  })
  useEffect(() => {
    if (error instanceof ApiFault && error.status === 401) signedOut()
  }, [error])
}

export function signIn(by: { key: string } | { link: string }): Promise<Session> {
  return api.post('/session', { body: by })
}

export function useSignOut() {
  const queries = useQueryClient()
  return async () => {
    await api.delete('/session')
    queries.clear()
    // A full load: nothing of the last person's data stays in memory.
    location.assign('/sign-in')
  }
}
