import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toFault } from '../api/fault.ts'
import { fixedList } from '../lib/pages.ts'
import { paths } from '../lib/paths.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Empty, FaultNote } from '../ui/empty.tsx'
import { Page } from '../ui/page.tsx'
import { SkeletonLines } from '../ui/spinner.tsx'
import { DataTable } from '../ui/table/data-table.tsx'
import { endpointColumns } from './webhooks/columns.tsx'
import { EndpointWarning } from './webhooks/endpoint-warning.tsx'
import { NewEndpoint } from './webhooks/new-endpoint.tsx'
import { endpointsQuery } from './webhooks/queries.ts'
import { needsAttention } from './webhooks/states.ts'

export default function Webhooks() {
  const queries = useQueryClient()
  const [adding, setAdding] = useState(false)
  const { data, error, refetch } = useQuery(endpointsQuery)
  const add = (
    <Button needs="credentials" kind="primary" icon="plus" onClick={() => setAdding(true)}>
      Add endpoint
    </Button>
  )
  return (
    <Page
      title="Webhooks"
      description="Servers of yours that are told what happens, by signed requests. What fails is tried again for three days."
      actions={add}
      changedBy="credentials"
    >
      {error && <FaultNote fault={toFault(error)} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonLines />}
      {data
        ?.filter((endpoint) => needsAttention(endpoint, Date.now()))
        .map((endpoint) => (
          <EndpointWarning key={endpoint._id} endpoint={endpoint} named />
        ))}
      {data && (
        <Card flush>
          <DataTable
            label="Webhook endpoints"
            columns={endpointColumns}
            list={fixedList(data)}
            rowKey={({ _id }) => _id}
            href={({ _id }) => paths.webhook(_id)}
            rowHeight={60}
            empty={<NoEndpoint onAdd={() => setAdding(true)} />}
          />
        </Card>
      )}
      {adding && (
        <NewEndpoint
          onClose={() => setAdding(false)}
          onCreated={() => void queries.invalidateQueries({ queryKey: endpointsQuery.queryKey })}
        />
      )}
    </Page>
  )
}

function NoEndpoint({ onAdd }: { onAdd(): void }) {
  return (
    <Empty
      icon="hook"
      title="Nobody is told yet"
      action={
        <Button needs="credentials" onClick={onAdd}>
          Add an endpoint
        </Button>
      }
    >
      Add the URL of a server to hear when a message was sent, bounced or read, when somebody changed their preferences,
      or when a workflow was saved.
    </Empty>
  )
}
