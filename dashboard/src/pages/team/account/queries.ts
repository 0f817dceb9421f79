import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { apiOfSession } from '../../../api/client.ts'
import { sessionQuery } from '../../../lib/session.ts'

/** Of who is signed in; it belongs to no environment. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => apiOfSession.get('/session/account', { signal }),
})

export const ownSessionsQuery = queryOptions({
  queryKey: ['own-sessions'],
  queryFn: async ({ signal }) => (await apiOfSession.get('/session/sessions', { signal })).data,
})

/** To be called when something of the account was changed: it is also at the top of every page, and ends sessions. */
export function useRefreshAccount(): () => Promise<unknown> {
  const queries = useQueryClient()
  return () =>
    Promise.all(
      [accountQuery, ownSessionsQuery, sessionQuery].map(({ queryKey }) => queries.invalidateQueries({ queryKey })),
    )
}
