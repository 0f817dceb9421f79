import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { toFault } from '../../api/fault.ts'
import type { Layout } from '../../api/types.ts'
import { paths } from '../../lib/paths.ts'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { Checkbox } from '../../ui/form/form.tsx'
import { NameFields, useNames } from './name-fields.tsx'

type NewLayoutProps = { formerDefault: Layout | undefined; onClose(): void }

export function NewLayout({ formerDefault, onClose }: NewLayoutProps) {
  const names = useNames('')
  const [isDefault, setDefault] = useState(false)
  const queries = useQueryClient()
  const router = useRouter()
  const create = useMutation({
    mutationFn: () => api.post('/v2/layouts', { body: { ...names.body, isDefault } }),
    onSuccess: ({ layoutId }) => {
      void queries.invalidateQueries({ queryKey: ['layouts'] })
      router.history.push(paths.layout(layoutId))
    },
  })
  const fault = create.error && toFault(create.error)
  return (
    <FormDialog
      title="New layout"
      action="Make layout"
      busy={create.isPending}
      disabled={!names.isReady}
      onSubmit={() => names.isReady && create.mutate()}
      onClose={onClose}
    >
      {fault && !names.isToldBy(fault) && <FaultNote fault={fault} />}
      <NameFields names={names} fault={fault} />
      <div className="flex flex-col gap-1">
        <Checkbox
          label="Use it for all e-mails that name no layout"
          checked={isDefault}
          onChange={(event) => setDefault(event.target.checked)}
        />
        {isDefault && (
          <p className="text-sm text-warn">
            From now on it stands around all of them{formerDefault && `, in place of ${formerDefault.name}`}.
          </p>
        )}
      </div>
    </FormDialog>
  )
}
