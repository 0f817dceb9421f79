import { useMutation } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { toFault } from '../../../api/fault.ts'
import type { ListedEnvironment } from '../../../api/types.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { FaultNote } from '../../../ui/empty.tsx'
import { toast } from '../../../ui/toast.tsx'
import { EnvironmentFields, isToldByFields, useEnvironmentDraft } from './environment-fields.tsx'
import { useRefreshEnvironments } from './queries.ts'

type EditEnvironmentProps = { environment: ListedEnvironment; all: readonly ListedEnvironment[]; onClose(): void }

/** Its name, colour and source. Its address and identifier stay, so that links and programs go on. */
export function EditEnvironment({ environment, all, onClose }: EditEnvironmentProps) {
  const { _id, name, color, _parentId = '' } = environment
  const sources = all.filter((it) => it._id !== _id)
  // One that was deleted can be published from no longer.
  const parentId = sources.some((it) => it._id === _parentId) ? _parentId : ''
  const { draft, change, isReady } = useEnvironmentDraft({ name, color, parentId })
  const refresh = useRefreshEnvironments()
  const update = useMutation({
    mutationFn: () =>
      api.put('/v1/environments/{environmentId}', {
        path: { environmentId: _id },
        body: { name: draft.name.trim(), color: draft.color, parentId: draft.parentId || undefined },
      }),
    onSuccess: async (saved) => {
      await refresh()
      toast.ok(`${saved.name} is saved`)
      onClose()
    },
  })
  const fault = update.error && toFault(update.error)
  return (
    <FormDialog
      title={`Edit ${name}`}
      action="Save"
      busy={update.isPending}
      disabled={!isReady}
      onSubmit={() => update.mutate()}
      onClose={onClose}
    >
      {fault && !isToldByFields(fault) && <FaultNote fault={fault} />}
      <EnvironmentFields draft={draft} onChange={change} fault={fault} sources={sources} />
      <p className="text-sm text-muted">
        Its address <span className="font-mono text-xs">/env/{environment.slug}</span> and its identifier stay, whatever
        its name is: links and programs go on.
      </p>
    </FormDialog>
  )
}
