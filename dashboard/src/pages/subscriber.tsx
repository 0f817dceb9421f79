import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { api } from '../api/client.ts'
import { toFault } from '../api/fault.ts'
import type { Subscriber } from '../api/types.ts'
import { useFilters } from '../lib/filters.ts'
import { paths } from '../lib/paths.ts'
import { toSearch } from '../lib/to-search.ts'
import { Badge } from '../ui/badge.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { CopyButton, Mono } from '../ui/code.tsx'
import { Empty, FaultNote } from '../ui/empty.tsx'
import { ChangedBy } from '../ui/may.tsx'
import { Page } from '../ui/page.tsx'
import { personName } from '../ui/person.tsx'
import { SkeletonLines } from '../ui/spinner.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { ChannelsTab } from './subscriber/channels-tab.tsx'
import { FeedTab } from './subscriber/feed-tab.tsx'
import { MoreActions } from './subscriber/more-actions.tsx'
import { PreferencesTab } from './subscriber/preferences-tab.tsx'
import { ProfileTab } from './subscriber/profile-tab.tsx'
import { ScheduleTab } from './subscriber/schedule-tab.tsx'
import { TopicsTab } from './subscriber/topics-tab.tsx'

const tabs = [
  { id: 'profile', label: 'Profile' },
  { id: 'channels', label: 'Channels' },
  { id: 'preferences', label: 'Preferences' },
  { id: 'schedule', label: 'Schedule' },
  { id: 'topics', label: 'Topics' },
  { id: 'feed', label: 'Feed' },
] as const

const back = { href: paths.subscribers, label: 'Subscribers' }

export default function SubscriberPage() {
  const { subscriberId = '' } = useParams({ strict: false })
  const { data, error, refetch } = useQuery({
    queryKey: ['subscriber', subscriberId],
    queryFn: ({ signal }) => api.get('/v2/subscribers/{subscriberId}', { path: { subscriberId }, signal }),
  })
  if (data) return <Loaded person={data} />
  const fault = error && toFault(error)
  return (
    <Page title={subscriberId} back={back}>
      {!fault && <SkeletonLines lines={8} />}
      {fault && fault.status !== 404 && <FaultNote fault={fault} onRetry={() => void refetch()} />}
      {fault?.status === 404 && (
        <Card>
          <Empty
            icon="people"
            title="No such subscriber"
            action={<ButtonLink href={paths.subscribers}>All subscribers</ButtonLink>}
          >
            Nobody has the id “{subscriberId}”. Perhaps it was deleted.
          </Empty>
        </Card>
      )}
    </Page>
  )
}

function Loaded({ person }: { person: Subscriber }) {
  const { subscriberId } = person
  const [filters, setFilters] = useFilters<'tab'>()
  const tab = tabs.find(({ id }) => id === filters.tab)?.id ?? 'profile'
  return (
    <Page
      title={personName(person)}
      changedBy="subscribers"
      back={back}
      beside={person.isOnline ? <Badge tone="ok">online</Badge> : undefined}
      description={
        <span className="-my-1.5 flex min-w-0 items-center gap-1">
          <span className="min-w-0 break-all">
            <Mono>{subscriberId}</Mono>
          </span>
          <CopyButton text={subscriberId} label="Copy subscriber id" />
        </span>
      }
      actions={
        <>
          <ButtonLink icon="activity" href={paths.activity + toSearch({ subscriberIds: subscriberId })}>
            Activity
          </ButtonLink>
          <ButtonLink icon="bell" href={paths.inboxOf(subscriberId)}>
            Inbox
          </ButtonLink>
          <ButtonLink icon="explain" href={paths.explain + toSearch({ subscriber: subscriberId })}>
            Explain
          </ButtonLink>
          <MoreActions person={person} />
        </>
      }
    >
      <Tabs label="About this person" items={tabs} value={tab} onChange={(id) => setFilters({ tab: id })}>
        <ChangedBy needs="subscribers">
          {tab === 'profile' && <ProfileTab key={person.updatedAt} person={person} />}
          {tab === 'channels' && <ChannelsTab person={person} />}
          {tab === 'preferences' && <PreferencesTab person={person} />}
          {tab === 'schedule' && <ScheduleTab person={person} />}
          {tab === 'topics' && <TopicsTab person={person} />}
          {tab === 'feed' && <FeedTab person={person} />}
        </ChangedBy>
      </Tabs>
    </Page>
  )
}
