import { queryOptions } from '@tanstack/react-query'
import { apiOfSession } from '../../../api/client.ts'

/** How one can sign in here, before anything is known of who it is. */
export const waysQuery = queryOptions({
  queryKey: ['sign-in-ways'],
  queryFn: ({ signal }) => apiOfSession.get('/session/ways', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})
