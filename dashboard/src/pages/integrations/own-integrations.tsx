import { useQuery } from '@tanstack/react-query'
import type { Integration, Provider } from '../../api/types.ts'
import { channelIcon, channelName, channels } from '../../lib/channels.ts'
import { fixedList } from '../../lib/pages.ts'
import { paths } from '../../lib/paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { nowQuery } from '../overview/numbers.ts'
import { hasOrder, inOrder, isIdleMailbox } from './queries.ts'

export type Matches = (one: { channel: string; words: string }) => boolean
type Own = {
  integration: Integration
  provider: Provider | undefined
  place: number | null
  isIdle: boolean
  isFailing: boolean
}
type OwnProps = { integrations: readonly Integration[]; providers: readonly Provider[]; matches: Matches }

export function OwnIntegrations({ integrations, providers, matches }: OwnProps) {
  const troubles = useQuery(nowQuery).data?.items ?? []
  const rows = channels.flatMap((channel) =>
    inOrder(integrations.filter((one) => one.channel === channel)).map((integration, index) => ({
      integration,
      provider: providers.find(({ providerId }) => providerId === integration.providerId),
      place: hasOrder(channel) && integration.active ? index + 1 : null,
      isIdle: isIdleMailbox(integration, integrations, providers),
      isFailing: troubles.some(
        ({ code, target }) =>
          code === 'provider_failing' && target.providerId === integration.providerId && target.channel === channel,
      ),
    })),
  )
  const shown = rows.filter(({ integration: { channel, name, providerId, identifier } }) =>
    matches({ channel, words: `${name} ${providerId} ${identifier}` }),
  )
  return (
    <Card
      title="Yours"
      description="E-mail and SMS go through the primary, then the others in this order. Chat and push go through every one a person has."
      flush
    >
      <DataTable
        label="Your integrations"
        columns={columns}
        list={fixedList(shown)}
        rowKey={({ integration }) => integration._id}
        rowHeight={52}
        href={({ integration }) => paths.integration(integration._id)}
        empty={
          <Empty icon="plug" title={rows.length === 0 ? 'Nothing connected yet' : 'None of yours fits'}>
            {rows.length === 0
              ? 'Pick a provider below. Until then only in-app notifications arrive.'
              : 'Look among the providers below.'}
          </Empty>
        }
      />
    </Card>
  )
}

const columns: readonly Column<Own>[] = [
  {
    id: 'name',
    header: 'Integration',
    width: 'minmax(0, 2fr)',
    cell: ({ integration, provider }) => (
      <span className="flex min-w-0 items-center gap-3">
        <span className="flex size-7 shrink-0 items-center justify-center rounded-md bg-neutral-soft text-muted">
          <Icon name={channelIcon(integration.channel)} size={14} />
        </span>
        <span className="min-w-0">
          <span className="block truncate font-medium">{integration.name}</span>
          <span className="block truncate text-xs text-muted">
            {integration.primary && <span className="sm:hidden">primary · </span>}
            {provider?.displayName ?? integration.providerId} · {integration.identifier}
          </span>
        </span>
      </span>
    ),
  },
  {
    id: 'channel',
    header: 'Channel',
    width: '6rem',
    from: 'sm',
    cell: ({ integration }) => channelName(integration.channel),
  },
  { id: 'order', header: 'Order', width: '7rem', from: 'sm', cell: (own) => <Order own={own} /> },
  {
    id: 'state',
    header: 'State',
    width: '5rem',
    cell: ({ integration, isFailing }) => {
      if (!integration.active) return <Badge>off</Badge>
      return isFailing ? <Badge tone="bad">failing</Badge> : <Badge tone="ok">active</Badge>
    },
  },
]

function Order({ own: { place, isIdle, integration } }: { own: Own }) {
  if (integration.primary) return <Badge tone="info">primary</Badge>
  if (isIdle) return <span className="text-muted">not used</span>
  if (place !== null) return <span className="text-muted">then no. {place}</span>
  return <span className="text-faint">–</span>
}
