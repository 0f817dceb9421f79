import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { toFault } from '../api/fault.ts'
import type { WebhookEndpoint } from '../api/types.ts'
import { useFilters } from '../lib/filters.ts'
import { paths } from '../lib/paths.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Empty, FaultNote } from '../ui/empty.tsx'
import { Page } from '../ui/page.tsx'
import { SkeletonLines } from '../ui/spinner.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { DeleteEndpoint, Toggle } from './webhook/actions.tsx'
import { Deliveries } from './webhook/deliveries.tsx'
import { TestResult, useTestEvent } from './webhook/send-test.tsx'
import { Settings } from './webhook/settings.tsx'
import { StateBadge } from './webhooks/columns.tsx'
import { EndpointWarning } from './webhooks/endpoint-warning.tsx'
import { wantedWords } from './webhooks/event-types.ts'
import { endpointQuery } from './webhooks/queries.ts'

const back = { href: paths.webhooks, label: 'Webhooks' }
const tabs = [
  { id: 'deliveries', label: 'Deliveries' },
  { id: 'settings', label: 'Settings' },
] as const

export default function WebhookPage() {
  const { endpointId = '' } = useParams({ strict: false })
  const { data, error, refetch } = useQuery(endpointQuery(endpointId))
  if (data) return <Existing key={data._id} endpoint={data} />
  const fault = error && toFault(error)
  return (
    <Page title="Webhook endpoint" back={back}>
      {!fault && <SkeletonLines lines={8} />}
      {fault && fault.status !== 404 && <FaultNote fault={fault} onRetry={() => void refetch()} />}
      {fault?.status === 404 && (
        <Card>
          <Empty
            icon="hook"
            title="No such endpoint"
            action={<ButtonLink href={paths.webhooks}>All endpoints</ButtonLink>}
          >
            Perhaps it was deleted. Choose one from the list.
          </Empty>
        </Card>
      )}
    </Page>
  )
}

function Existing({ endpoint }: { endpoint: WebhookEndpoint }) {
  const [filters, setFilters] = useFilters<'tab'>()
  const tab = tabs.find(({ id }) => id === filters.tab)?.id ?? 'deliveries'
  const test = useTestEvent(endpoint._id)
  return (
    <Page
      title={nameOf(endpoint)}
      changedBy="credentials"
      back={back}
      beside={<StateBadge endpoint={endpoint} />}
      description={
        <span className="break-words">
          {endpoint.description && `${endpoint.url} · `}
          {wantedWords(endpoint.eventTypes)}
        </span>
      }
      actions={
        <>
          <Button
            needs="operate"
            icon="play"
            busy={test.isPending}
            disabled={endpoint.status === 'disabled'}
            title={endpoint.status === 'disabled' ? 'Nothing is sent while it is disabled' : undefined}
            onClick={() => test.mutate()}
          >
            Send test event
          </Button>
          <Toggle endpoint={endpoint} />
          <DeleteEndpoint endpoint={endpoint} />
        </>
      }
    >
      <EndpointWarning endpoint={endpoint} />
      <TestResult endpointId={endpoint._id} sent={test.data} error={test.error} onClose={test.reset} />
      <Tabs label="About this endpoint" items={tabs} value={tab} onChange={(id) => setFilters({ tab: id })}>
        {tab === 'deliveries' && <Deliveries endpoint={endpoint} />}
        {tab === 'settings' && <Settings endpoint={endpoint} />}
      </Tabs>
    </Page>
  )
}

const nameOf = ({ description, url }: WebhookEndpoint) => description || url
