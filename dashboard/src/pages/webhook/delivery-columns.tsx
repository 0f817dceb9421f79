import type { WebhookDelivery } from '../../api/types.ts'
import { Status } from '../../ui/badge.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { Time } from '../../ui/time.tsx'
import { aboutOf } from './about.ts'
import { answerWords } from './tries.ts'

export const deliveryColumns: readonly Column<WebhookDelivery>[] = [
  {
    id: 'event',
    header: 'Event',
    width: 'minmax(0, 1fr)',
    cell: (delivery) => (
      <span className="block min-w-0">
        <span className="block truncate font-medium">{delivery.type}</span>
        <span className="block truncate text-sm text-muted">{aboutOf(delivery)}</span>
      </span>
    ),
  },
  { id: 'state', header: 'State', width: '5.5rem', cell: ({ status }) => <Status value={status} /> },
  {
    id: 'answer',
    header: 'Last answer',
    from: 'md',
    width: 'minmax(0, 1fr)',
    cell: (delivery) => (
      <span className="block min-w-0" title={delivery.tries.at(-1)?.reply ?? undefined}>
        <span className="block truncate">{answerWords(delivery)}</span>
        {delivery.nextTryAt && delivery.tries.length > 0 && (
          <span className="block truncate text-sm text-muted">
            Next try <Time at={delivery.nextTryAt} />
          </span>
        )}
      </span>
    ),
  },
  {
    id: 'tries',
    header: 'Tries',
    from: 'md',
    width: '3rem',
    align: 'right',
    cell: ({ tries }) => tries.at(-1)?.number ?? 0,
  },
  {
    id: 'at',
    header: 'Happened',
    from: 'sm',
    width: '7rem',
    align: 'right',
    cell: ({ createdAt }) => (
      <span className="text-muted">
        <Time at={createdAt} />
      </span>
    ),
  },
]
