import type { Suppression } from '../../api/types.ts'
import { channelIcon, channelName } from '../../lib/channels.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { Time } from '../../ui/time.tsx'

const tones: Record<Suppression['reason'], Tone> = { bounced: 'warn', complained: 'bad', unsubscribed: 'neutral' }
export const ReasonBadge = ({ reason }: Pick<Suppression, 'reason'>) => <Badge tone={tones[reason]}>{reason}</Badge>

export const sourceOf = ({ reason, messageId }: Suppression) =>
  !messageId ? 'Added by hand' : reason === 'unsubscribed' ? 'A link in a message' : 'The provider'

export const suppressionColumns: readonly Column<Suppression>[] = [
  {
    id: 'address',
    header: 'Address',
    width: 'minmax(0, 1fr)',
    cell: ({ channel, address }) => (
      <span className="flex min-w-0 items-center gap-3" title={address}>
        <Icon name={channelIcon(channel)} className="text-muted" />
        <span className="sr-only">{channelName(channel)}: </span>
        <span className="truncate font-medium">{address}</span>
      </span>
    ),
  },
  { id: 'reason', header: 'Reason', width: '6.75rem', cell: ReasonBadge },
  {
    id: 'by',
    header: 'Learned from',
    from: 'md',
    width: '11rem',
    cell: (row) => <span className="text-muted">{sourceOf(row)}</span>,
  },
  {
    id: 'at',
    header: 'Since',
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
