import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { toFault } from '../../api/fault.ts'
import type { Topic } from '../../api/types.ts'
import { paths } from '../../lib/paths.ts'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { Field, Input } from '../../ui/form/form.tsx'
import { toast } from '../../ui/toast.tsx'

export function RenameTopic({ topic, onClose }: { topic: Topic; onClose(): void }) {
  const queries = useQueryClient()
  const [name, setName] = useState(topic.name ?? '')
  const rename = useMutation({
    mutationFn: () =>
      api.patch('/v2/topics/{topicKey}', { path: { topicKey: topic.key }, body: { name: name.trim() } }),
    onSuccess: (saved) => {
      queries.setQueryData(['topic', topic.key], saved)
      void queries.invalidateQueries({ queryKey: ['topics'] })
      onClose()
    },
  })
  const fault = rename.error && toFault(rename.error)
  return (
    <FormDialog
      title="Rename topic"
      action="Rename"
      busy={rename.isPending}
      onSubmit={() => rename.mutate()}
      onClose={onClose}
    >
      {fault && !fault.of('name') && <FaultNote fault={fault} />}
      <Field label="Name" hint={`The key stays ${topic.key}.`} error={fault?.of('name')}>
        <Input value={name} onText={setName} maxLength={100} autoFocus />
      </Field>
    </FormDialog>
  )
}

export function useDeleteTopic(topic: Topic) {
  const queries = useQueryClient()
  const router = useRouter()
  const remove = useMutation({
    mutationFn: () => api.delete('/v2/topics/{topicKey}', { path: { topicKey: topic.key } }),
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
