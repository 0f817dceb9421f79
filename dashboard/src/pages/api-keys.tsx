import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { toFault } from '../api/fault.ts'
import type { ApiKey } from '../api/types.ts'
import { fixedList } from '../lib/pages.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { confirm } from '../ui/dialog/confirm.tsx'
import { Empty, FaultNote } from '../ui/empty.tsx'
import { Page } from '../ui/page.tsx'
import { SkeletonLines } from '../ui/spinner.tsx'
import type { Column } from '../ui/table/columns.ts'
import { DataTable } from '../ui/table/data-table.tsx'
import { Time } from '../ui/time.tsx'
import { toast } from '../ui/toast.tsx'
import { NewKey } from './api-keys/new-key.tsx'

const queryKey = ['api-keys']

export default function ApiKeys() {
  const queries = useQueryClient()
  const [creating, setCreating] = useState(false)
  const { data, error, refetch } = useQuery({ queryKey, queryFn: () => api.get('/v1/api-keys') })
  const changed = () => queries.invalidateQueries({ queryKey })
  return (
    <Page
      title="API keys"
      description="Your programs sign their requests with a key. To change over, make a second one, use it everywhere, then revoke the first."
      actions={
        <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
          New key
        </Button>
      }
    >
      {error && <FaultNote fault={toFault(error)} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonLines />}
      {data && (
        <Card flush>
          <DataTable
            label="API keys"
            columns={columnsOf(changed)}
            list={fixedList(data.data)}
            rowKey={({ id }) => id}
            rowHeight={52}
            empty={
              <Empty icon="key" title="No keys yet">
                Make one to let a program trigger events.
              </Empty>
            }
          />
        </Card>
      )}
      {creating && <NewKey onClose={() => setCreating(false)} onCreated={() => void changed()} />}
    </Page>
  )
}

const columnsOf = (onChange: () => Promise<void>): Column<ApiKey>[] => [
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(0, 2fr)',
    cell: (key) => (
      <span className="flex items-center gap-2">
        <span className={`truncate ${key.revokedAt ? 'text-muted line-through' : 'font-medium'}`}>{key.name}</span>
        {key.revokedAt && <span className="sr-only">revoked</span>}
        {key.current && <Badge tone="info">signed in with</Badge>}
      </span>
    ),
  },
  {
    id: 'id',
    header: 'Id',
    from: 'lg',
    width: '20rem',
    cell: ({ id }) => <span className="font-mono text-xs text-muted">{id}</span>,
  },
  { id: 'created', header: 'Created', from: 'sm', width: '8rem', cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    id: 'used',
    header: 'Last used',
    from: 'sm',
    width: '8rem',
    cell: ({ lastUsedAt }) => <Time at={lastUsedAt} />,
  },
  {
    id: 'state',
    header: 'State',
    from: 'sm',
    width: '6rem',
    cell: ({ revokedAt }) => (revokedAt ? <Badge>revoked</Badge> : <Badge tone="ok">active</Badge>),
  },
  {
    id: 'actions',
    header: 'Actions',
    width: '5.5rem',
    align: 'right',
    cell: (key) => (key.revokedAt ? null : <Revoke apiKey={key} onChange={onChange} />),
  },
]

function Revoke({ apiKey, onChange }: { apiKey: ApiKey; onChange(): Promise<void> }) {
  const [busy, setBusy] = useState(false)
  const revoke = async () => {
    const sure = await confirm({
      title: `Revoke ${apiKey.name}?`,
      text: apiKey.current
        ? 'You are signed in with this key: you will be signed out. Programs that use it are refused within 5 seconds.'
        : 'Programs that use it are refused within 5 seconds, and whoever signed in with it is signed out. This cannot be undone.',
      action: 'Revoke key',
      danger: true,
    })
    if (!sure) return
    setBusy(true)
    try {
      await api.delete('/v1/api-keys/{id}', { path: { id: apiKey.id } })
      toast.ok(`${apiKey.name} is revoked`)
      await onChange()
    } catch (error) {
      toast.fault(error)
    }
    setBusy(false)
  }
  return (
    <Button size="sm" kind="danger" busy={busy} onClick={() => void revoke()} aria-label={`Revoke ${apiKey.name}`}>
      Revoke
    </Button>
  )
}
