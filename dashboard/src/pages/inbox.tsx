import { useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { toFault } from '../api/fault.ts'
import { useFilters } from '../lib/filters.ts'
import { paths } from '../lib/paths.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Empty, FaultNote } from '../ui/empty.tsx'
import { Page } from '../ui/page.tsx'
import { SkeletonLines } from '../ui/spinner.tsx'
import { Bell } from './inbox/bell.tsx'
import { Install } from './inbox/install.tsx'
import { PersonPicker } from './workflow/preview/person-picker.tsx'

export default function InboxPage() {
  const [{ subscriberId = '' }, setFilters] = useFilters<'subscriberId'>()
  return (
    <Page
      title="Inbox"
      description="The bell as one person sees it, live. You only look: nothing becomes seen or read by it."
      actions={
        subscriberId && (
          <>
            <ButtonLink icon="people" href={paths.subscriber(subscriberId)}>
              Subscriber
            </ButtonLink>
            <ButtonLink icon="play" href={paths.workflows}>
              Test-run a workflow
            </ButtonLink>
          </>
        )
      }
    >
      <div className="mb-4 max-w-md">
        <PersonPicker
          label="Whose inbox"
          value={subscriberId}
          onChange={(chosen) => setFilters({ subscriberId: chosen })}
        />
      </div>
      <div className="grid items-start gap-6 lg:grid-cols-2 xl:grid-cols-[minmax(0,1fr)_28rem]">
        {subscriberId ? <OfPerson key={subscriberId} subscriberId={subscriberId} /> : <NobodyChosen />}
        <Install subscriberId={subscriberId} />
      </div>
    </Page>
  )
}

function OfPerson({ subscriberId }: { subscriberId: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['subscriber', subscriberId],
    queryFn: ({ signal }) => api.get('/v2/subscribers/{subscriberId}', { path: { subscriberId }, signal }),
  })
  if (data) return <Bell person={data} />
  const fault = error && toFault(error)
  return (
    <Card>
      {!fault && <SkeletonLines lines={8} />}
      {fault && fault.status !== 404 && <FaultNote fault={fault} onRetry={() => void refetch()} />}
      {fault?.status === 404 && (
        <Empty
          icon="people"
          title="No such subscriber"
          action={<ButtonLink href={paths.subscribers}>All subscribers</ButtonLink>}
        >
          Nobody has the id “{subscriberId}”. Choose somebody above, or add them first.
        </Empty>
      )}
    </Card>
  )
}

function NobodyChosen() {
  const { data } = useQuery({
    queryKey: ['subscribers', 'any'],
    queryFn: ({ signal }) => api.get('/v2/subscribers', { query: { limit: 1 }, signal }),
  })
  const isNobodyThere = data?.data.length === 0
  return (
    <Card>
      {isNobodyThere ? (
        <Empty
          icon="people"
          title="No subscribers yet"
          action={
            <ButtonLink kind="primary" href={paths.subscribers}>
              Add a subscriber
            </ButtonLink>
          }
        >
          An inbox belongs to a subscriber. Add one, or open an inbox in your own pages: that makes one too.
        </Empty>
      ) : (
        <Empty icon="bell" title="Choose somebody">
          Find them by id, name or e-mail. You see their bell, what is unread and the list, and it changes by itself.
        </Empty>
      )}
    </Card>
  )
}
