import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { api, part, toFault } from '../../api.ts'
import type { Topic } from '../../api-types.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { Field, Input } from '../../ui/form/form.tsx'
import { toast } from '../../ui/toast.tsx'

type JoinTopicProps = { subscriberId: string; onClose(): void; onDone(): void }

export function JoinTopic({ subscriberId, onClose, onDone }: JoinTopicProps) {
  const id = useId()
  const [key, setKey] = useState('')
  const known = useQuery({
    queryKey: ['topics', 'like', key],
    queryFn: ({ signal }) => api.get<{ data: Topic[] }>('/v2/topics', { key, limit: 20 }, signal),
    placeholderData: (previous) => previous,
  })
  const { join, fault } = useJoin(subscriberId, () => {
    onDone()
    onClose()
  })
  const submit = () => key.trim() && join.mutate(key.trim())
  return (
    <Dialog
      open
      size="sm"
      title="Add to a topic"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" busy={join.isPending} disabled={!key.trim()} onClick={submit}>
            Add
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
      </form>
    </Dialog>
  )
}

function useJoin(subscriberId: string, onDone: () => void) {
  const queries = useQueryClient()
  const join = useMutation({
    mutationFn: (topicKey: string) =>
      api.post(`/v2/topics/${part(topicKey)}/subscriptions`, { subscriptions: [subscriberId] }),
    onSuccess: (_, topicKey) => {
      void queries.invalidateQueries({ queryKey: ['members', topicKey] })
      toast.ok(`Added to ${topicKey}`)
      onDone()
    },
  })
  return { join, fault: join.error && toFault(join.error) }
}
