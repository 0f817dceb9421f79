import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { BodyOf } from '../../api/calls.ts'
import { api } from '../../api/client.ts'
import type { WebhookEndpoint } from '../../api/types.ts'
import { toast } from '../../ui/toast.tsx'

/** All of them: an environment has at most 20. */
export const endpointsQuery = queryOptions({
  queryKey: ['webhook-endpoints', 'all'],
  queryFn: async ({ signal }) => (await api.get('/v1/webhook-endpoints', { query: { limit: 100 }, signal })).data,
  refetchInterval: 15_000,
})

/** Whether it fails changes by itself. */
export const endpointQuery = (endpointId: string) =>
  queryOptions({
    queryKey: ['webhook-endpoints', endpointId],
    queryFn: ({ signal }) => api.get('/v1/webhook-endpoints/{endpointId}', { path: { endpointId }, signal }),
    refetchInterval: 5_000,
  })

/** The newest few, for the list. */
export const lastDeliveriesQuery = (endpointId: string) =>
  queryOptions({
    queryKey: ['webhook-deliveries', endpointId, 'last'],
    queryFn: async ({ signal }) =>
      (
        await api.get('/v1/webhook-endpoints/{endpointId}/deliveries', {
          path: { endpointId },
          query: { limit: 8 },
          signal,
        })
      ).data,
    refetchInterval: 15_000,
  })

type Changes = BodyOf<'patch', '/v1/webhook-endpoints/{endpointId}'>

/** Changes an endpoint, and shows everywhere what it is then. */
export function useChangeEndpoint(endpointId: string, onSaved: (endpoint: WebhookEndpoint) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: Changes) => api.patch('/v1/webhook-endpoints/{endpointId}', { path: { endpointId }, body }),
    onSuccess: (endpoint) => {
      queries.setQueryData(endpointQuery(endpointId).queryKey, endpoint)
      void queries.invalidateQueries({ queryKey: endpointsQuery.queryKey })
      onSaved(endpoint)
    },
  })
}

/** One that is enabled again begins as if nothing had failed. */
export function useEnable(endpointId: string) {
  const change = useChangeEndpoint(endpointId, () => toast.ok('Enabled. What was open goes on now.'))
  return {
    isBusy: change.isPending,
    enable: () => change.mutate({ status: 'enabled' }, { onError: toast.fault }),
  }
}
