import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'

/** All of them: an environment has at most a hundred. */
export const layoutsQuery = queryOptions({
  queryKey: ['layouts'],
  queryFn: async ({ signal }) => (await api.get('/v2/layouts', { query: { limit: 100 }, signal })).layouts,
})

/** The workflows whose e-mails stand in it. */
export const usageQuery = (layoutId: string) =>
  queryOptions({
    queryKey: ['layouts', 'usage', layoutId],
    queryFn: async ({ signal }) =>
      (await api.get('/v2/layouts/{layoutId}/usage', { path: { layoutId }, signal })).workflows,
  })
