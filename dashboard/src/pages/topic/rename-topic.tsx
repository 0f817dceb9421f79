import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { api, part, toFault } from '../../api.ts'
import type { Topic } from '../../api-types.ts'
import { paths } from '../../lib/paths.ts'
import { Button } from '../../ui/button.tsx'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { Field, Input } from '../../ui/form/form.tsx'
import { toast } from '../../ui/toast.tsx'

export function RenameTopic({ topic, onClose }: { topic: Topic; onClose(): void }) {
  const queries = useQueryClient()
  const [name, setName] = useState(topic.name ?? '')
  const rename = useMutation({
    mutationFn: () => api.patch<Topic>(`/v2/topics/${part(topic.key)}`, { name: name.trim() }),
    onSuccess: (saved) => {
      queries.setQueryData(['topic', topic.key], saved)
      void queries.invalidateQueries({ queryKey: ['topics'] })
      onClose()
    },
  })
  const fault = rename.error && toFault(rename.error)
  return (
    <Dialog
      open
      size="sm"
      title="Rename topic"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" busy={rename.isPending} onClick={() => rename.mutate()}>
            Rename
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          rename.mutate()
        }}
      >
        {fault && !fault.of('name') && <FaultNote fault={fault} />}
        <Field label="Name" hint={`The key stays ${topic.key}.`} error={fault?.of('name')}>
          <Input value={name} onText={setName} maxLength={100} autoFocus />
        </Field>
      </form>
    </Dialog>
  )
}

export function useDeleteTopic(topic: Topic) {
  const queries = useQueryClient()
  const router = useRouter()
  const remove = useMutation({
    mutationFn: () => api.delete(`/v2/topics/${part(topic.key)}`),
    onSuccess: () => {
      queries.removeQueries({ queryKey: ['topic', topic.key] })
      void queries.invalidateQueries({ queryKey: ['topics'] })
      toast.ok(`${topic.name || topic.key} is deleted`)
      router.history.push(paths.topics)
    },
    onError: toast.fault,
  })
  return async () => {
    const yes = await confirm({
      title: `Delete ${topic.name || topic.key}?`,
      text: 'Its memberships end. The people stay. What was sent to it stays in the history.',
      action: 'Delete topic',
      danger: true,
    })
    if (yes) remove.mutate()
  }
}
