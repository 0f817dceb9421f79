import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import type { WebhookDelivery } from '../../api/types.ts'
import { toast } from '../../ui/toast.tsx'

export const deliveriesKey = (endpointId: string) => ['webhook-deliveries', endpointId]

/** What is not settled is asked again, as long as somebody looks. */
export const deliveryQuery = (endpointId: string, eventId: string) =>
  queryOptions({
    queryKey: ['webhook-delivery', endpointId, eventId],
    queryFn: ({ signal }) =>
      api.get('/v1/webhook-endpoints/{endpointId}/deliveries/{eventId}', { path: { endpointId, eventId }, signal }),
    refetchInterval: ({ state }) => (isOpen(state.data) ? 800 : false),
  })

const isOpen = (delivery: WebhookDelivery | undefined) => delivery?.status === 'open'

export function useReplayOne(endpointId: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (eventId: string) =>
      api.post('/v1/webhook-endpoints/{endpointId}/deliveries/{eventId}/replay', { path: { endpointId, eventId } }),
    onSuccess: (delivery) => {
      queries.setQueryData(deliveryQuery(endpointId, delivery._id).queryKey, delivery)
      void queries.invalidateQueries({ queryKey: deliveriesKey(endpointId) })
    },
    onError: toast.fault,
  })
}
