import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { toFault } from '../api/fault.ts'
import type { Topic } from '../api/types.ts'
import { paths } from '../lib/paths.ts'
import { toSearch } from '../lib/to-search.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { CopyButton, Mono } from '../ui/code.tsx'
import { Empty, FaultNote } from '../ui/empty.tsx'
import { Page } from '../ui/page.tsx'
import { SkeletonLines } from '../ui/spinner.tsx'
import { AddMembers } from './topic/add-members.tsx'
import { Members, useMembers } from './topic/members.tsx'
import { RenameTopic, useDeleteTopic } from './topic/rename-topic.tsx'
import { SendDrawer } from './topics/send-drawer.tsx'

const back = { href: paths.topics, label: 'Topics' }

export default function TopicPage() {
  const { topicKey = '' } = useParams({ strict: false })
  const { data, error, refetch } = useQuery({
    queryKey: ['topic', topicKey],
    queryFn: ({ signal }) => api.get('/v2/topics/{topicKey}', { path: { topicKey }, signal }),
  })
  if (data) return <Loaded topic={data} />
  const fault = error && toFault(error)
  return (
    <Page title={topicKey} back={back}>
      {!fault && <SkeletonLines lines={6} />}
      {fault && fault.status !== 404 && <FaultNote fault={fault} onRetry={() => void refetch()} />}
      {fault?.status === 404 && (
        <Card>
          <Empty icon="topic" title="No such topic" action={<ButtonLink href={paths.topics}>All topics</ButtonLink>}>
            No topic has the key “{topicKey}”. Perhaps it was deleted.
          </Empty>
        </Card>
      )}
    </Page>
  )
}

function Loaded({ topic }: { topic: Topic }) {
  const [open, setOpen] = useState<'add' | 'send' | 'rename' | null>(null)
  const { list, search, onSearch } = useMembers(topic.key)
  const remove = useDeleteTopic(topic)
  const close = () => setOpen(null)
  return (
    <Page
      title={topic.name || topic.key}
      changedBy="subscribers"
      back={back}
      description={
        <span className="-my-1.5 flex min-w-0 items-center gap-1">
          <span className="min-w-0 break-all">
            <Mono>{topic.key}</Mono>
          </span>
          <CopyButton text={topic.key} label="Copy topic key" />
        </span>
      }
      actions={
        <>
          <ButtonLink icon="activity" href={paths.activity + toSearch({ topicKey: topic.key })}>
            Activity
          </ButtonLink>
          <Button needs="subscribers" onClick={() => setOpen('rename')}>
            Rename
          </Button>
          <Button needs="subscribers" kind="danger" icon="trash" onClick={() => void remove()}>
            Delete
          </Button>
          <Button needs="trigger" kind="primary" icon="play" onClick={() => setOpen('send')}>
            Send to topic
          </Button>
        </>
      }
    >
      <Members topicKey={topic.key} list={list} search={search} onSearch={onSearch} onAdd={() => setOpen('add')} />
      {open === 'add' && <AddMembers topicKey={topic.key} onClose={close} onDone={() => void list.refresh()} />}
      {open === 'rename' && <RenameTopic topic={topic} onClose={close} />}
      {open === 'send' && <SendDrawer to={{ topicKey: topic.key }} onClose={close} />}
    </Page>
  )
}
