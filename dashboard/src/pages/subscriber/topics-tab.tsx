import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import type { Subscriber, TopicSubscription } from '../../api/types.ts'
import { useCursorPages } from '../../lib/pages.ts'
import { paths } from '../../lib/paths.ts'
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Mono } from '../../ui/code.tsx'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { Empty } from '../../ui/empty.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { JoinTopic } from './join-topic.tsx'

export function TopicsTab({ person }: { person: Subscriber }) {
  const { subscriberId } = person
  const [joining, setJoining] = useState(false)
  const list = useCursorPages('/v2/subscribers/{subscriberId}/subscriptions', {
    queryKey: ['subscriptions of', subscriberId],
    path: { subscriberId },
  })
  const leave = useLeave(subscriberId, list.refresh)
  return (
    <Card
      title="Topics"
      description="What is triggered to these topics reaches this person."
      flush
      actions={
        <Button needs="subscribers" size="sm" icon="plus" onClick={() => setJoining(true)}>
          Add to a topic
        </Button>
      }
    >
      <DataTable
        label="Topics"
        columns={columnsWith(leave)}
        list={list}
        rowKey={({ _id }) => _id}
        href={({ topic }) => paths.topic(topic.key)}
        empty={
          <Empty icon="topic" title="In no topic" action={<ButtonLink href={paths.topics}>Topics</ButtonLink>}>
            A topic is a group that can be notified by one name.
          </Empty>
        }
      />
      {joining && (
        <JoinTopic subscriberId={subscriberId} onClose={() => setJoining(false)} onDone={() => void list.refresh()} />
      )}
    </Card>
  )
}

function columnsWith(leave: (topicKey: string) => void): Column<TopicSubscription>[] {
  return [
    {
      id: 'name',
      header: 'Topic',
      cell: ({ topic }) => <span className="font-medium">{topic.name || topic.key}</span>,
    },
    { id: 'key', header: 'Key', from: 'sm', cell: ({ topic }) => <Mono>{topic.key}</Mono> },
    { id: 'since', header: 'Since', width: '7rem', from: 'sm', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      id: 'leave',
      header: 'Remove',
      width: '3.75rem',
      align: 'right',
      cell: ({ topic }) => (
        <IconButton
          needs="subscribers"
          icon="close"
          label={`Remove from ${topic.name || topic.key}`}
          className="relative z-10"
          onClick={() => leave(topic.key)}
        />
      ),
    },
  ]
}

function useLeave(subscriberId: string, refresh: () => Promise<void>) {
  const queries = useQueryClient()
  const leave = useMutation({
    mutationFn: (topicKey: string) =>
      api.delete('/v2/topics/{topicKey}/subscriptions', {
        path: { topicKey },
        body: { subscriptions: [subscriberId] },
      }),
    onSuccess: async (_, topicKey) => {
      void queries.invalidateQueries({ queryKey: ['members', topicKey] })
      await refresh()
    },
    onError: toast.fault,
  })
  return async (topicKey: string) => {
    const text = `What is triggered to ${topicKey} will no longer reach this person.`
    if (await confirm({ title: 'Remove from this topic?', text, action: 'Remove' })) leave.mutate(topicKey)
  }
}
