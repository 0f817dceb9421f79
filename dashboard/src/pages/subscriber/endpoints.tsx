import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ChannelEndpoint } from '../../api/types.ts'
import { useCursorPages } from '../../lib/pages.ts'
import { useReturn } from '../../lib/use-return.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty, FaultNote } from '../../ui/empty.tsx'
import { SkeletonLines } from '../../ui/spinner.tsx'
import { integrationsQuery, providersQuery } from '../integrations/queries.ts'
import { AddEndpoint } from './add-endpoint.tsx'
import { EndpointLine } from './endpoint-line.tsx'

/** Where the person is reached at vendors: channels, chats, browsers. */
export function Endpoints({ subscriberId }: { subscriberId: string }) {
  const [adding, setAdding] = useState(false)
  const list = useCursorPages('/v1/channel-endpoints', {
    queryKey: ['endpoints'],
    query: { subscriberId },
    limit: 20,
  })
  const queries = useQueryClient()
  const lookAgain = () => void queries.invalidateQueries({ queryKey: ['endpoints'] })
  // People link themselves elsewhere.
  useReturn(lookAgain)
  const close = () => {
    setAdding(false)
    lookAgain()
  }
  return (
    <Card
      title="Channel endpoints"
      description="Channels, chats and browsers at vendors. A message goes to each of them."
      flush
      actions={
        <Button needs="subscribers" size="sm" icon="plus" onClick={() => setAdding(true)}>
          Add endpoint
        </Button>
      }
    >
      {list.isPending && (
        <div className="p-4">
          <SkeletonLines lines={2} />
        </div>
      )}
      {list.fault && <FaultNote fault={list.fault} onRetry={() => void list.refresh()} />}
      {!list.isPending && !list.fault && list.rows.length === 0 && (
        <Empty icon="chat" title="No endpoint">
          Say where this person is reached: a channel of a workspace, a chat with a bot, a browser.
        </Empty>
      )}
      {list.rows.length > 0 && <EndpointList rows={list.rows} />}
      {list.hasMore && (
        <div className="border-t border-line px-4 py-3">
          <Button size="sm" busy={list.isLoadingMore} onClick={list.loadMore}>
            Show more
          </Button>
        </div>
      )}
      {adding && <AddEndpoint subscriberId={subscriberId} onClose={close} />}
    </Card>
  )
}

function EndpointList({ rows }: { rows: readonly ChannelEndpoint[] }) {
  const integrations = useQuery(integrationsQuery).data ?? []
  const providers = useQuery(providersQuery).data ?? []
  return (
    <ul aria-label="Channel endpoints" className="divide-y divide-line">
      {rows.map((endpoint) => (
        <li key={endpoint.identifier}>
          <EndpointLine
            endpoint={endpoint}
            integration={integrations.find(({ identifier }) => identifier === endpoint.integrationIdentifier)}
            provider={providers.find(({ providerId }) => providerId === endpoint.providerId)}
          />
        </li>
      ))}
    </ul>
  )
}
