import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { toFault } from '../../api/fault.ts'
import { paths } from '../../lib/paths.ts'
import { toSlug } from '../../lib/slug.ts'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { Field, Input } from '../../ui/form/form.tsx'

const longestKey = 100

export function NewTopic({ onClose }: { onClose(): void }) {
  const [name, setName] = useState('')
  const [ownKey, setOwnKey] = useState<string | null>(null)
  const key = ownKey ?? toSlug(name, longestKey)
  const { create, fault } = useCreate()
  const submit = () => key && create.mutate({ key, ...(name.trim() && { name: name.trim() }) })
  return (
    <FormDialog
      title="New topic"
      action="Make topic"
      busy={create.isPending}
      disabled={!key}
      onSubmit={submit}
      onClose={onClose}
    >
      {fault && Object.keys(fault.errors).length === 0 && <FaultNote fault={fault} />}
      <Field label="Name" error={fault?.of('name')}>
        <Input value={name} onText={setName} maxLength={100} autoFocus />
      </Field>
      <Field
        label="Key"
        required
        hint="What your program calls it. It cannot be changed later."
        error={fault?.of('key')}
      >
        <Input value={key} onText={setOwnKey} maxLength={longestKey} className="font-mono" />
      </Field>
    </FormDialog>
  )
}

function useCreate() {
  const queries = useQueryClient()
  const router = useRouter()
  const create = useMutation({
    mutationFn: (body: { key: string; name?: string }) =>
      api.post('/v2/topics', { query: { failIfExists: true }, body }),
    onSuccess: ({ key }) => {
      void queries.invalidateQueries({ queryKey: ['topics'] })
      router.history.push(paths.topic(key))
    },
  })
  return { create, fault: create.error && toFault(create.error) }
}
