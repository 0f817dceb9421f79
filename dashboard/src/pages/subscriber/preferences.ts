import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, part } from '../../api.ts'
import type { SubscriberPreferences } from '../../api-types.ts'
import { toast } from '../../ui/toast.tsx'

/** Critical workflows too: people ask why they get those. */
export function usePreferences(subscriberId: string) {
  return useQuery({
    queryKey: ['preferences', subscriberId],
    queryFn: ({ signal }) =>
      api.get<SubscriberPreferences>(
        `/v2/subscribers/${part(subscriberId)}/preferences`,
        { criticality: 'all' },
        signal,
      ),
  })
}

export function useChangePreferences(subscriberId: string, done?: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (patch: object) => api.patch(`/v2/subscribers/${part(subscriberId)}/preferences`, patch),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['preferences', subscriberId] })
      if (done) toast.ok(done)
    },
    onError: toast.fault,
  })
}
