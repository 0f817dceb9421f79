import { useMutation } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { toFault } from '../../../api/fault.ts'
import type { ListedEnvironment } from '../../../api/types.ts'
import { useSession } from '../../../lib/session.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { FaultNote } from '../../../ui/empty.tsx'
import { toast } from '../../../ui/toast.tsx'
import { freeColor } from './colors.ts'
import { EnvironmentFields, isToldByFields, useEnvironmentDraft } from './environment-fields.tsx'
import { useRefreshEnvironments } from './queries.ts'

type NewEnvironmentProps = { all: readonly ListedEnvironment[]; onClose(): void }

export function NewEnvironment({ all, onClose }: NewEnvironmentProps) {
  const { environment: here } = useSession()
  const parent = all.find(({ type }) => type === 'dev')?._id ?? here.id
  const first = { name: '', color: freeColor(all.map(({ color }) => color)), parentId: parent }
  const { draft, change, isReady } = useEnvironmentDraft(first)
  const refresh = useRefreshEnvironments()
  const create = useMutation({
    mutationFn: () => api.post('/v1/environments', { body: { ...draft, name: draft.name.trim() } }),
    onSuccess: async ({ name }) => {
      await refresh()
      toast.ok(`${name} is made`)
      onClose()
    },
  })
  const fault = create.error && toFault(create.error)
  return (
    <FormDialog
      title="New environment"
      action="Make environment"
      busy={create.isPending}
      disabled={!isReady}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      {fault && !isToldByFields(fault) && <FaultNote fault={fault} />}
      <EnvironmentFields draft={draft} onChange={change} fault={fault} sources={all} />
      <p className="text-sm text-muted">
        It begins empty: nothing is copied into it, and it has no API key. Publish to it what it should send.
      </p>
    </FormDialog>
  )
}
