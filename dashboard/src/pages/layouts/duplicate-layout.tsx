import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { toFault } from '../../api/fault.ts'
import type { Layout } from '../../api/types.ts'
import { paths } from '../../lib/paths.ts'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { NameFields, useNames } from './name-fields.tsx'

type DuplicateLayoutProps = { layout: Pick<Layout, 'layoutId' | 'name'>; onClose(): void }

export function DuplicateLayout({ layout, onClose }: DuplicateLayoutProps) {
  const names = useNames(`${layout.name} copy`)
  const queries = useQueryClient()
  const router = useRouter()
  const copy = useMutation({
    mutationFn: () =>
      api.post('/v2/layouts/{layoutId}/duplicate', { path: { layoutId: layout.layoutId }, body: names.body }),
    onSuccess: ({ layoutId }) => {
      void queries.invalidateQueries({ queryKey: ['layouts'] })
      onClose()
      router.history.push(paths.layout(layoutId))
    },
  })
  const fault = copy.error && toFault(copy.error)
  return (
    <FormDialog
      title={`Duplicate ${layout.name}`}
      action="Make the copy"
      busy={copy.isPending}
      disabled={!names.isReady}
      onSubmit={() => names.isReady && copy.mutate()}
      onClose={onClose}
    >
      {fault && !names.isToldBy(fault) && <FaultNote fault={fault} />}
      <NameFields names={names} fault={fault} />
      <p className="text-sm text-muted">
        The copy has the same content as it is saved now, and no translations. No e-mail uses it until one is told to.
      </p>
    </FormDialog>
  )
}
