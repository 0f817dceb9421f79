import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import type { Integration, WorkflowSummary } from '../../api/types.ts'

/** A choice of more than a hundred workflows is no choice: who has more filters by its page. */
export const workflowsQuery = queryOptions({
  queryKey: ['workflows', 'choice'],
  queryFn: ({ signal }) => api.get('/v2/workflows', { query: { limit: 100 }, signal }),
  staleTime: 60_000,
})

export function useWorkflowChoice(): readonly WorkflowSummary[] {
  return useQuery(workflowsQuery).data?.data ?? []
}

export const integrationsQuery = queryOptions({
  queryKey: ['integrations', 'by-id'],
  queryFn: ({ signal }) => api.get('/v1/integrations', { signal }),
  staleTime: 30_000,
})

/** Name and identifier of an integration by its id; one that was deleted is not found. */
export function useIntegrations(): ReadonlyMap<string, Integration> {
  const { data = [] } = useQuery(integrationsQuery)
  return new Map(data.map((integration) => [integration._id, integration]))
}
