import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { api } from '../api/client.ts'
import { toFault } from '../api/fault.ts'
import type { Activity, SentMessage } from '../api/types.ts'
import { useLive } from '../lib/live.ts'
import { paths } from '../lib/paths.ts'
import { Badge } from '../ui/badge.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Empty, FaultNote } from '../ui/empty.tsx'
import { Page } from '../ui/page.tsx'
import { SkeletonLines } from '../ui/spinner.tsx'
import { overallOf, personName } from './activity/steps.ts'
import { Actions } from './activity-event/actions.tsx'
import { SentCopy } from './activity-event/sent-copy.tsx'
import { Side } from './activity-event/side.tsx'
import { Timeline } from './activity-event/timeline.tsx'

const back = { href: paths.activity, label: 'Activity' }

export default function ActivityEvent() {
  const { notificationId = '' } = useParams({ strict: false })
  useLive()
  const path = { notificationId }
  const event = useQuery({
    queryKey: ['live', 'event', notificationId],
    queryFn: ({ signal }) => api.get('/v1/notifications/{notificationId}', { path, signal }),
  })
  const messages = useQuery({
    queryKey: ['live', 'event', notificationId, 'messages'],
    queryFn: ({ signal }) => api.get('/v1/notifications/{notificationId}/messages', { path, signal }),
    enabled: event.isSuccess,
  })
  const fault = event.error && !event.data ? toFault(event.error) : null
  if (fault?.status === 404) return <NotThere />
  if (!event.data) {
    return (
      <Page title="Event" back={back}>
        {fault ? <FaultNote fault={fault} onRetry={() => void event.refetch()} /> : <SkeletonLines lines={8} />}
      </Page>
    )
  }
  return <Shown event={event.data} messages={messages.data?.data} fault={messages.error} />
}

type ShownProps = { event: Activity; messages: readonly SentMessage[] | undefined; fault: Error | null }

function Shown({ event, messages, fault }: ShownProps) {
  const { word, tone } = overallOf(event.jobs)
  return (
    <Page
      title={event.template?.name ?? 'Deleted workflow'}
      description={`For ${personName(event.subscriber)}`}
      back={back}
      beside={<Badge tone={tone}>{word}</Badge>}
      actions={<Actions event={event} messages={messages ?? []} />}
    >
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="min-w-0">
          {fault && !messages && (
            <div className="mb-4">
              <FaultNote fault={toFault(fault)} />
            </div>
          )}
          <Timeline event={event} messages={messages} />
        </div>
        <Side event={event} />
      </div>
      <SentCopy messages={messages} />
    </Page>
  )
}

function NotThere() {
  return (
    <Page title="Event" back={back}>
      <Card>
        <Empty
          icon="activity"
          title="There is no such event"
          action={<ButtonLink href={paths.activity}>All activity</ButtonLink>}
        >
          It may be of another environment, or so old that its history was removed.
        </Empty>
      </Card>
    </Page>
  )
}
