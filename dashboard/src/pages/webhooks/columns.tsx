import { useQuery } from '@tanstack/react-query'
import type { WebhookDelivery, WebhookEndpoint } from '../../api/types.ts'
import { Badge } from '../../ui/badge.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { Time } from '../../ui/time.tsx'
import { wantedWords } from './event-types.ts'
import { lastDeliveriesQuery } from './queries.ts'
import { reasonWords, stateOf, stateWords, tones } from './states.ts'

export function StateBadge({ endpoint }: { endpoint: WebhookEndpoint }) {
  const state = stateOf(endpoint)
  const reason = endpoint.disabledReason === null ? {} : { title: reasonWords(endpoint.disabledReason) }
  return (
    <Badge tone={tones[state]} {...reason}>
      {stateWords[state]}
    </Badge>
  )
}

export const endpointColumns: readonly Column<WebhookEndpoint>[] = [
  {
    id: 'endpoint',
    header: 'Endpoint',
    width: 'minmax(0, 1.6fr)',
    cell: ({ url, description }) => (
      <span className="block min-w-0" title={url}>
        <span className="block truncate font-medium">{url}</span>
        {description && <span className="block truncate text-sm text-muted">{description}</span>}
      </span>
    ),
  },
  {
    id: 'events',
    header: 'Events',
    from: 'md',
    cell: ({ eventTypes }) => (
      <span className="block truncate text-muted" title={eventTypes?.join(', ')}>
        {wantedWords(eventTypes)}
      </span>
    ),
  },
  {
    id: 'state',
    header: 'State',
    width: '7.75rem',
    cell: (endpoint) => (
      <span className="block min-w-0">
        <StateBadge endpoint={endpoint} />
        {stateOf(endpoint) === 'failing' && (
          <span className="mt-0.5 block truncate text-sm text-muted">
            since <Time at={endpoint.failingSince} />
          </span>
        )}
      </span>
    ),
  },
  {
    id: 'last',
    header: 'Last deliveries',
    from: 'sm',
    width: '9.5rem',
    cell: ({ _id }) => <LastDeliveries endpointId={_id} />,
  },
]

/** They differ in height too, for whoever does not see the colours. */
const marks: Record<Mark, string> = {
  delivered: 'h-3 bg-(--chart-ok)',
  'tried again': 'h-2.5 bg-(--chart-warn)',
  failed: 'h-2 bg-(--chart-bad)',
  open: 'h-1 bg-faint',
}
type Mark = WebhookDelivery['status'] | 'tried again'
const markOf = ({ status, tries }: WebhookDelivery): Mark =>
  status === 'open' && tries.length > 0 ? 'tried again' : status

/** The newest on the right, as time goes. */
function LastDeliveries({ endpointId }: { endpointId: string }) {
  const { data } = useQuery(lastDeliveriesQuery(endpointId))
  if (!data) return null
  if (data.length === 0) return <span className="text-muted">none yet</span>
  const oldestFirst = data.toReversed()
  return (
    <span className="flex items-center gap-2.5">
      <span
        role="img"
        aria-label={`Last deliveries, the newest last: ${oldestFirst.map(markOf).join(', ')}.`}
        className="flex items-end gap-0.5"
      >
        {oldestFirst.map((delivery) => (
          <span key={delivery._id} className={`w-1.5 rounded-xs ${marks[markOf(delivery)]}`} />
        ))}
      </span>
      <span className="text-sm text-muted">
        <Time at={data[0]?.createdAt} />
      </span>
    </span>
  )
}
