import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { toFault } from '../../api/fault.ts'
import type { Layout } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { SkeletonLines } from '../../ui/spinner.tsx'
import { toast } from '../../ui/toast.tsx'
import { usageQuery } from './queries.ts'
import { Users } from './users.tsx'

type DeleteLayoutProps = {
  layout: Pick<Layout, 'layoutId' | 'name' | 'isDefault'>
  onClose(): void
  onDeleted?(): void
}

/** Says who uses it where it cannot be deleted. */
export function DeleteLayout({ layout, onClose, onDeleted }: DeleteLayoutProps) {
  const { layoutId, name, isDefault } = layout
  const queries = useQueryClient()
  const usage = useQuery({ ...usageQuery(layoutId), staleTime: 0 })
  const remove = useMutation({
    mutationFn: () => api.delete('/v2/layouts/{layoutId}', { path: { layoutId } }),
    onSuccess: () => {
      toast.ok(`${name} is deleted`)
      void queries.invalidateQueries({ queryKey: ['layouts'] })
      onDeleted?.()
      onClose()
    },
    onError: () => void usage.refetch(),
  })
  const fault = remove.error ?? usage.error
  const users = usage.data
  const canDelete = !isDefault && users?.length === 0
  return (
    <Dialog
      open
      size="sm"
      title={users && !canDelete ? `${name} cannot be deleted yet` : `Delete ${name}?`}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{canDelete ? 'Cancel' : 'Close'}</Button>
          {canDelete && (
            <Button kind="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
              Delete layout
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {fault && <FaultNote fault={toFault(fault)} />}
        {usage.isPending && <SkeletonLines lines={2} />}
        {isDefault && <p>It is the default. Make another layout the default first, or none.</p>}
        {!isDefault && users && users.length > 0 && (
          <>
            <p>Steps of these workflows name it. Choose another layout in them first.</p>
            <Users users={users} />
          </>
        )}
        {canDelete && (
          <p className="text-muted">
            No workflow uses it. E-mails under way that began with it keep it. Its translations go with it.
          </p>
        )}
      </div>
    </Dialog>
  )
}
