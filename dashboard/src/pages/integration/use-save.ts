import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { toFault } from '../../api/fault.ts'
import type { Integration, Provider } from '../../api/types.ts'
import { paths } from '../../lib/paths.ts'
import { toast } from '../../ui/toast.tsx'
import type { IntegrationBody } from './draft.ts'

type Saving = { body: IntegrationBody; check: boolean }

/** The reply shows secrets as they were sent, so it is not kept: the list is read again, with masks. */
export function useSave(
  provider: Provider,
  integration: Integration | undefined,
  onSaved: (id: string, body: IntegrationBody) => void,
) {
  const queries = useQueryClient()
  const router = useRouter()
  const save = useMutation({
    mutationFn: ({ body, check }: Saving) => {
      const whole = { ...body, ...(check && { check }) }
      if (integration)
        return api.put('/v1/integrations/{integrationId}', { path: { integrationId: integration._id }, body: whole })
      const { providerId, channel } = provider
      return api.post('/v1/integrations', { body: { providerId, channel, ...whole } })
    },
    onSuccess: async ({ _id, check }, { body }) => {
      await queries.invalidateQueries({ queryKey: ['integrations'] })
      tellSaved(provider, check)
      onSaved(_id, body)
      if (!integration) router.history.replace(paths.integration(_id))
    },
    gcTime: 0,
  })
  return { save, fault: save.error && toFault(save.error) }
}

function tellSaved({ displayName }: Provider, check: Integration['check']): void {
  if (check?.reason) toast.warn(`Saved, but not checked: ${check.reason}`)
  else toast.ok(check ? `Saved; ${displayName} accepted the credentials` : 'Saved')
}

/** Asks the vendor about what is stored; nothing is changed. */
export function useCheck(integration: Integration) {
  const check = useMutation({
    mutationFn: () =>
      api.put('/v1/integrations/{integrationId}', { path: { integrationId: integration._id }, body: { check: true } }),
  })
  return { check, fault: check.error && toFault(check.error) }
}
