import { useState } from 'react'
import type { InboxNotification, Subscriber } from '../../api/types.ts'
import { useFilters } from '../../lib/filters.ts'
import { useLive } from '../../lib/live.ts'
import { paths } from '../../lib/paths.ts'
import { toSearch } from '../../lib/to-search.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { Segments } from '../../ui/tabs.tsx'
import { Time } from '../../ui/time.tsx'
import { FeedItemDrawer } from './feed-item.tsx'
import { useFeedPages } from './feed-pages.ts'

const kinds = [
  { id: 'all', label: 'Inbox', query: {} },
  { id: 'unread', label: 'Unread', query: { read: false } },
  { id: 'snoozed', label: 'Snoozed', query: { snoozed: true } },
  { id: 'archived', label: 'Archived', query: { archived: true } },
] as const

/** What the person's own app shows, as it shows it. */
export function FeedTab({ person }: { person: Subscriber }) {
  const [filters, setFilters] = useFilters<'tab' | 'feed'>()
  const [opened, setOpened] = useState<InboxNotification | null>(null)
  useLive()
  const kind = kinds.find(({ id }) => id === filters.feed) ?? kinds[0]
  const list = useFeedPages(person.subscriberId, kind.query)
  return (
    <>
      <Card
        title="Feed"
        description="In-app notifications, as this person's app shows them."
        flush
        actions={
          <Segments
            label="Which notifications"
            items={kinds}
            value={kind.id}
            onChange={(id) => setFilters({ feed: id === 'all' ? undefined : id })}
          />
        }
      >
        <DataTable
          label="Feed"
          columns={columns}
          list={list}
          rowKey={({ id }) => id}
          rowHeight={56}
          onOpen={(item) => setOpened(item)}
          empty={<NoNotifications kind={kind.id} subscriberId={person.subscriberId} />}
        />
      </Card>
      {opened && (
        <FeedItemDrawer
          subscriberId={person.subscriberId}
          item={opened}
          onChange={setOpened}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  )
}

const columns: readonly Column<InboxNotification>[] = [
  {
    id: 'notification',
    header: 'Notification',
    width: 'minmax(0, 3fr)',
    cell: ({ isRead, subject, body }) => (
      <span className="flex min-w-0 items-center gap-3">
        <span className={`size-2 shrink-0 rounded-full ${isRead ? '' : 'bg-accent'}`} />
        <span className="min-w-0">
          <span className={`block truncate ${isRead ? '' : 'font-medium'}`}>
            {!isRead && <span className="sr-only">Unread: </span>}
            {subject || body}
          </span>
          {subject && <span className="block truncate text-sm text-muted">{body}</span>}
        </span>
      </span>
    ),
  },
  { id: 'workflow', header: 'Workflow', from: 'md', cell: ({ workflow }) => workflow?.name ?? '–' },
  { id: 'state', header: 'State', from: 'md', width: '6rem', cell: (item) => <Badge>{stateOf(item)}</Badge> },
  { id: 'at', header: 'Delivered', width: '6.5rem', align: 'right', cell: ({ createdAt }) => <Time at={createdAt} /> },
]

function stateOf({ isArchived, isSnoozed, isRead, isSeen }: InboxNotification): string {
  if (isArchived) return 'archived'
  if (isSnoozed) return 'snoozed'
  return isRead ? 'read' : isSeen ? 'seen' : 'unseen'
}

function NoNotifications({ kind, subscriberId }: { kind: string; subscriberId: string }) {
  if (kind !== 'all') return <Empty icon="bell" title={`Nothing ${kind}`} />
  return (
    <Empty
      icon="bell"
      title="The feed is empty"
      action={
        <ButtonLink href={paths.activity + toSearch({ subscriberIds: subscriberId })}>What was sent to them</ButtonLink>
      }
    >
      Trigger a workflow with an in-app step for this person, and it appears here at once.
    </Empty>
  )
}
