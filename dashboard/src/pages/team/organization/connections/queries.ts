import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../../api/client.ts'
import type { SignInConnection } from '../../../../api/types.ts'

export type Connection = SignInConnection

export const connectionsQuery = queryOptions({
  queryKey: ['sign-in-connections'],
  queryFn: ({ signal }) => api.get('/v1/organization/sign-in-connections', { signal }),
})

/** To be called when one was made, changed or deleted. */
export function useRefreshConnections(): () => Promise<unknown> {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: connectionsQuery.queryKey })
}
