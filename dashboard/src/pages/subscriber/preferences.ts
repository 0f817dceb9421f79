import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { BodyOf } from '../../api/calls.ts'
import { api } from '../../api/client.ts'
import { toast } from '../../ui/toast.tsx'

export type PreferencesPatch = BodyOf<'patch', '/v2/subscribers/{subscriberId}/preferences'>

/** Critical workflows too: people ask why they get those. */
export function usePreferences(subscriberId: string) {
  return useQuery({
    queryKey: ['preferences', subscriberId],
    queryFn: ({ signal }) =>
      api.get('/v2/subscribers/{subscriberId}/preferences', {
        path: { subscriberId },
        query: { criticality: 'all' },
        signal,
      }),
  })
}

export function useChangePreferences(subscriberId: string, done?: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: PreferencesPatch) =>
      api.patch('/v2/subscribers/{subscriberId}/preferences', { path: { subscriberId }, body }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['preferences', subscriberId] })
      if (done) toast.ok(done)
    },
    onError: toast.fault,
  })
}
