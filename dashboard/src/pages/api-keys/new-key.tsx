import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { toFault } from '../../api/fault.ts'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { Field, Input } from '../../ui/form/form.tsx'

type Created = { id: string; name: string; key: string }

/** Two states: ask for the name, then show the key, which is never shown again. */
export function NewKey({ onClose, onCreated }: { onClose(): void; onCreated(): void }) {
  const create = useMutation({
    mutationFn: (name: string) => api.post('/v1/api-keys', { body: { name } }),
    onSuccess: onCreated,
  })
  if (create.data) return <ShowKey created={create.data} onClose={onClose} />
  return <AskName create={create} onClose={onClose} />
}

type Create = { mutate(name: string): void; isPending: boolean; error: Error | null }

function AskName({ create, onClose }: { create: Create; onClose(): void }) {
  const [name, setName] = useState('')
  const fault = create.error && toFault(create.error)
  const submit = () => name.trim() && create.mutate(name.trim())
  return (
    <FormDialog
      title="New API key"
      action="Make key"
      busy={create.isPending}
      disabled={!name.trim()}
      onSubmit={submit}
      onClose={onClose}
    >
      {fault && !fault.of('name') && <FaultNote fault={fault} />}
      <Field label="Name" hint="What uses it, e.g. “shop backend”." error={fault?.of('name')}>
        <Input value={name} onText={setName} maxLength={100} autoFocus />
      </Field>
    </FormDialog>
  )
}

function ShowKey({ created, onClose }: { created: Created; onClose(): void }) {
  return (
    <Dialog
      open
      title={`Key “${created.name}”`}
      onClose={onClose}
      footer={
        <Button kind="primary" onClick={onClose}>
          I have kept it
        </Button>
      }
    >
      <p className="mb-3 text-muted">Copy it now. It is shown this once; we keep only its fingerprint.</p>
      <Code label="API key" text={created.key} wrap />
    </Dialog>
  )
}
