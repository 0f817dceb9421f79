import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import type { Integration } from '../../api/types.ts'
import { paths } from '../../lib/paths.ts'
import { Button } from '../../ui/button.tsx'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { toast } from '../../ui/toast.tsx'

export function DeleteIntegration({ integration }: { integration: Integration }) {
  const queries = useQueryClient()
  const router = useRouter()
  const remove = useMutation({
    mutationFn: () => api.delete('/v1/integrations/{integrationId}', { path: { integrationId: integration._id } }),
    onSuccess: (remaining) => {
      toast.ok(`${integration.name} is deleted`)
      router.history.push(paths.integrations)
      queries.setQueryData(['integrations'], remaining)
    },
    onError: toast.fault,
  })
  const ask = async () => {
    const yes = await confirm({
      title: `Delete ${integration.name}?`,
      text: integration.primary
        ? 'Its credentials are erased. The oldest other active integration of the channel becomes the primary.'
        : 'Its credentials are erased. This cannot be undone.',
      action: 'Delete integration',
      danger: true,
    })
    if (yes) remove.mutate()
  }
  return (
    <Button needs="credentials" kind="danger" icon="trash" busy={remove.isPending} onClick={() => void ask()}>
      Delete
    </Button>
  )
}
