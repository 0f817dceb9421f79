import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { api, toFault } from '../../api.ts'
import type { Topic } from '../../api-types.ts'
import { paths } from '../../lib/paths.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { Field, Input } from '../../ui/form/form.tsx'

const toKey = (name: string) =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 100)

export function NewTopic({ onClose }: { onClose(): void }) {
  const [name, setName] = useState('')
  const [ownKey, setOwnKey] = useState<string | null>(null)
  const key = ownKey ?? toKey(name)
  const { create, fault } = useCreate()
  const submit = () => key && create.mutate({ key, ...(name.trim() && { name: name.trim() }) })
  return (
    <Dialog
      open
      size="sm"
      title="New topic"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" busy={create.isPending} disabled={!key} onClick={submit}>
            Make topic
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
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
          <Input value={key} onText={setOwnKey} maxLength={100} className="font-mono" />
        </Field>
        <button type="submit" hidden />
      </form>
    </Dialog>
  )
}

function useCreate() {
  const queries = useQueryClient()
  const router = useRouter()
  const create = useMutation({
    mutationFn: (topic: { key: string; name?: string }) =>
      api.post<Topic>('/v2/topics', topic, { query: { failIfExists: true } }),
    onSuccess: ({ key }) => {
      void queries.invalidateQueries({ queryKey: ['topics'] })
      router.history.push(paths.topic(key))
    },
  })
  return { create, fault: create.error && toFault(create.error) }
}
