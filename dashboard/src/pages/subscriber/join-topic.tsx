import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { api } from '../../api/client.ts'
import { toFault } from '../../api/fault.ts'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { Field, Input } from '../../ui/form/form.tsx'
import { toast } from '../../ui/toast.tsx'

type JoinTopicProps = { subscriberId: string; onClose(): void; onDone(): void }

export function JoinTopic({ subscriberId, onClose, onDone }: JoinTopicProps) {
  const id = useId()
  const [key, setKey] = useState('')
  const known = useQuery({
    queryKey: ['topics', 'like', key],
    queryFn: ({ signal }) => api.get('/v2/topics', { query: { key, limit: 20 }, signal }),
    placeholderData: (previous) => previous,
  })
  const { join, fault } = useJoin(subscriberId, () => {
    onDone()
    onClose()
  })
  const submit = () => key.trim() && join.mutate(key.trim())
  return (
    <FormDialog
      title="Add to a topic"
      action="Add"
      busy={join.isPending}
      disabled={!key.trim()}
      onSubmit={submit}
      onClose={onClose}
    >
      {fault && !fault.of('topicKey') && <FaultNote fault={fault} />}
      <Field label="Topic key" hint="A key that does not exist yet makes a new topic." error={fault?.of('topicKey')}>
        <Input value={key} onText={setKey} list={`${id}-topics`} autoFocus />
      </Field>
      <datalist id={`${id}-topics`}>
        {known.data?.data.map((topic) => (
          <option key={topic.key} value={topic.key}>
            {topic.name}
          </option>
        ))}
      </datalist>
    </FormDialog>
  )
}

function useJoin(subscriberId: string, onDone: () => void) {
  const queries = useQueryClient()
  const join = useMutation({
    mutationFn: (topicKey: string) =>
      api.post('/v2/topics/{topicKey}/subscriptions', { path: { topicKey }, body: { subscriptions: [subscriberId] } }),
    onSuccess: (_, topicKey) => {
      void queries.invalidateQueries({ queryKey: ['members', topicKey] })
      toast.ok(`Added to ${topicKey}`)
      onDone()
    },
  })
  return { join, fault: join.error && toFault(join.error) }
}
