import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../../api/client.ts'
import { toFault } from '../../../../api/fault.ts'
import { Button } from '../../../../ui/button.tsx'
import { confirm } from '../../../../ui/dialog/confirm.tsx'
import { Drawer } from '../../../../ui/dialog/dialog.tsx'
import { FaultNote } from '../../../../ui/empty.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { ConnectionFields } from './connection-fields.tsx'
import { type Draft, newDraft, toBody, toDraft } from './draft.ts'
import { type Connection, useRefreshConnections } from './queries.ts'

type EditConnectionProps = { connection: Connection | null; onClose(): void }

const path = '/v1/organization/sign-in-connections'

/** A new one, or one that is there: then its secret stays where none is typed. */
export function EditConnection({ connection, onClose }: EditConnectionProps) {
  const [draft, setDraft] = useState<Draft>(() => (connection ? toDraft(connection) : newDraft))
  const save = useSave(connection, onClose)
  const isWhole = [draft.name, draft.issuer, draft.clientId, draft.domains].every((text) => text.trim() !== '')
  const fault = save.error && toFault(save.error)
  return (
    <Drawer
      open
      title={connection ? connection.name : 'New sign-in connection'}
      description="OpenID Connect, by the code flow"
      onClose={onClose}
      footer={
        <>
          {connection && <Delete connection={connection} onDeleted={onClose} />}
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            busy={save.isPending}
            disabled={!isWhole || (!connection && draft.clientSecret === '')}
            onClick={() => save.mutate(draft)}
          >
            {connection ? 'Save' : 'Add'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {fault && <FaultNote fault={fault} />}
        <ConnectionFields draft={draft} isNew={!connection} fault={fault} onChange={setDraft} />
      </div>
    </Drawer>
  )
}

function useSave(connection: Connection | null, onSaved: () => void) {
  const refresh = useRefreshConnections()
  return useMutation({
    mutationFn: async (draft: Draft) => {
      const body = toBody(draft)
      if (connection) return api.patch(`${path}/{connectionId}`, { path: { connectionId: connection.id }, body })
      return api.post(path, { body: { ...body, clientSecret: draft.clientSecret.trim() } })
    },
    onSuccess: async ({ name }) => {
      await refresh()
      toast.ok(`The connection ${name} is saved`)
      onSaved()
    },
    gcTime: 0,
  })
}

function Delete({ connection, onDeleted }: { connection: Connection; onDeleted(): void }) {
  const { id, name } = connection
  const refresh = useRefreshConnections()
  const remove = useMutation({
    mutationFn: () => api.delete(`${path}/{connectionId}`, { path: { connectionId: id } }),
    onSuccess: async () => {
      toast.ok(`The connection ${name} is deleted`)
      onDeleted()
      await refresh()
    },
    onError: toast.fault,
  })
  const ask = async () => {
    const sure = await confirm({
      title: `Delete the connection ${name}?`,
      text: 'Whoever came in by it is signed out within 5 seconds. Those it made members stay members, and come in again only by another connection for their address.',
      action: 'Delete',
      danger: true,
    })
    if (sure) remove.mutate()
  }
  return (
    <Button kind="danger" icon="trash" busy={remove.isPending} className="mr-auto" onClick={() => void ask()}>
      Delete
    </Button>
  )
}
