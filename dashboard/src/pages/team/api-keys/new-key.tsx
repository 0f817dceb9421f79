import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { BodyOf } from '../../../api/calls.ts'
import { api } from '../../../api/client.ts'
import { toFault } from '../../../api/fault.ts'
import { useMay } from '../../../lib/may.ts'
import { useSession } from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Code } from '../../../ui/code.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { FaultNote } from '../../../ui/empty.tsx'
import { Field, Input, Select } from '../../../ui/form/form.tsx'
import { endOf, expiries, type Scope, scopes, scopeWords } from './words.ts'

type Created = { id: string; name: string; key: string }
type Given = BodyOf<'post', '/v1/api-keys'>

/** Two states: ask what it is for, then show the key, which is never shown again. */
export function NewKey({ onClose, onCreated }: { onClose(): void; onCreated(): void }) {
  const create = useMutation({
    mutationFn: (body: Given) => api.post('/v1/api-keys', { body }),
    onSuccess: onCreated,
  })
  if (create.data) return <ShowKey created={create.data} onClose={onClose} />
  return <AskWhatFor create={create} onClose={onClose} />
}

type Create = { mutate(body: Given): void; isPending: boolean; error: Error | null }

function AskWhatFor({ create, onClose }: { create: Create; onClose(): void }) {
  const [name, setName] = useState('')
  const [note, setNote] = useState('')
  const [scope, setScope] = useState<Scope>('everything')
  const [reach, setReach] = useState<'environment' | 'organization'>('environment')
  const [expiry, setExpiry] = useState('')
  const [day, setDay] = useState('')
  const fault = create.error && toFault(create.error)
  const isReady = name.trim() !== '' && (expiry !== 'day' || day !== '')
  const submit = () => {
    const expiresAt = endOf(expiry, day)
    create.mutate({ name: name.trim(), scope, reach, expiresAt, note: note.trim() || undefined })
  }
  return (
    <FormDialog
      title="New API key"
      action="Make key"
      busy={create.isPending}
      disabled={!isReady}
      onSubmit={submit}
      onClose={onClose}
    >
      {fault && !['name', 'expiresAt', 'note'].some((field) => fault.of(field)) && <FaultNote fault={fault} />}
      <Field label="Name" hint="What uses it, e.g. “shop backend”." error={fault?.of('name')}>
        <Input value={name} onText={setName} maxLength={100} autoFocus />
      </Field>
      <Field label="May do" hint={scopeWords[scope].hint}>
        <Select
          value={scope}
          onText={(chosen) => setScope(scopes.find((it) => it === chosen) ?? 'everything')}
          options={scopes.map((value) => ({ value, label: scopeWords[value].label }))}
        />
      </Field>
      <ReachField reach={reach} onChange={setReach} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Ends" error={fault?.of('expiresAt')}>
          <Select value={expiry} onText={setExpiry} options={expiries} />
        </Field>
        {expiry === 'day' && (
          <Field label="Last day">
            <Input type="date" value={day} onText={setDay} />
          </Field>
        )}
      </div>
      <Field label="Note" hint="Where it is kept, and who to ask." error={fault?.of('note')}>
        <Input value={note} onText={setNote} maxLength={500} />
      </Field>
    </FormDialog>
  )
}

type Reach = NonNullable<Given['reach']>

/** One that opens every environment is as good as an owner: only owners make one. */
function ReachField({ reach, onChange }: { reach: Reach; onChange(reach: Reach): void }) {
  const { environment } = useSession()
  const mayAll = useMay('owners')
  const hint = mayAll
    ? 'A key of the whole organization opens every environment, also later ones.'
    : 'A key of the whole organization is made by an owner.'
  return (
    <Field label="Opens" hint={hint}>
      <Select
        value={reach}
        disabled={!mayAll}
        onText={(chosen) => onChange(chosen === 'organization' ? chosen : 'environment')}
        options={[
          { value: 'environment', label: `Only ${environment.name}` },
          { value: 'organization', label: 'The whole organization' },
        ]}
      />
    </Field>
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
