import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import type { WebhookEndpoint } from '../../api/types.ts'
import { paths } from '../../lib/paths.ts'
import { Button } from '../../ui/button.tsx'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { toast } from '../../ui/toast.tsx'
import { endpointsQuery, useChangeEndpoint, useEnable } from '../webhooks/queries.ts'

/** Enables or disables it. */
export function Toggle({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { enable, isBusy } = useEnable(endpoint._id)
  const change = useChangeEndpoint(endpoint._id, () => toast.ok('Disabled. Nothing is sent there.'))
  const disable = async () => {
    const sure = await confirm({
      title: 'Disable this endpoint?',
      text: 'Nothing is sent there until it is enabled again. What happens meanwhile is not kept for it; what is open now waits.',
      action: 'Disable',
    })
    if (sure) change.mutate({ status: 'disabled' }, { onError: toast.fault })
  }
  if (endpoint.status === 'disabled')
    return (
      <Button needs="credentials" busy={isBusy} onClick={enable}>
        Enable
      </Button>
    )
  return (
    <Button needs="credentials" busy={change.isPending} onClick={() => void disable()}>
      Disable
    </Button>
  )
}

export function DeleteEndpoint({ endpoint }: { endpoint: WebhookEndpoint }) {
  const queries = useQueryClient()
  const router = useRouter()
  const remove = useMutation({
    mutationFn: () => api.delete('/v1/webhook-endpoints/{endpointId}', { path: { endpointId: endpoint._id } }),
    onSuccess: async () => {
      toast.ok('The endpoint is deleted')
      router.history.push(paths.webhooks)
      await queries.invalidateQueries({ queryKey: endpointsQuery.queryKey })
    },
    onError: toast.fault,
  })
  const ask = async () => {
    const sure = await confirm({
      title: 'Delete this endpoint?',
      text: `${endpoint.url} is told nothing any more. Its deliveries and its secret are deleted, also what was not delivered yet. This cannot be undone.`,
      action: 'Delete endpoint',
      danger: true,
    })
    if (sure) remove.mutate()
  }
  return (
    <Button needs="credentials" kind="danger" icon="trash" busy={remove.isPending} onClick={() => void ask()}>
      Delete
    </Button>
  )
}
