import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, apiOfSession } from '../../../api/client.ts'
import type { ListedEnvironment } from '../../../api/types.ts'
import { sessionQuery, useSession } from '../../../lib/session.ts'

export const environmentsQuery = queryOptions({
  queryKey: ['environments'],
  queryFn: ({ signal }) => api.get('/v1/environments', { signal }),
})

/** Of the key or link that one signed in with: it ends with its environment. */
export const homeQuery = queryOptions({
  queryKey: ['home-environment'],
  queryFn: async ({ signal }) => (await apiOfSession.get('/session', { signal })).environment,
})

/** To be called when one was changed: the list, and what stands at the top of every page. */
export function useRefreshEnvironments(): () => Promise<unknown> {
  const queries = useQueryClient()
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: environmentsQuery.queryKey }),
      queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
    ])
}

/** Where what is published to this environment is made; undefined: not known, or out of reach. */
export function useSource(): ListedEnvironment | undefined {
  const { environment } = useSession()
  const { data = [] } = useQuery(environmentsQuery)
  return sourceOf(data, environment.id)
}

export function sourceOf(all: readonly ListedEnvironment[], id: string): ListedEnvironment | undefined {
  const parentId = all.find(({ _id }) => _id === id)?._parentId
  return all.find(({ _id, deletedAt, isElsewhere }) => _id === parentId && !deletedAt && !isElsewhere)
}
