import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { toFault } from '../../api/fault.ts'
import { fixedList } from '../../lib/pages.ts'
import { useSession } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty, FaultNote } from '../../ui/empty.tsx'
import { Page } from '../../ui/page.tsx'
import { SkeletonLines } from '../../ui/spinner.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { columnsOf } from './api-keys/columns.tsx'

import { NewKey } from './api-keys/new-key.tsx'

const queryKey = ['api-keys']

export default function ApiKeys() {
  const queries = useQueryClient()
  const { environment } = useSession()
  const [creating, setCreating] = useState(false)
  const { data, error, refetch } = useQuery({ queryKey, queryFn: () => api.get('/v1/api-keys') })
  const changed = () => queries.invalidateQueries({ queryKey })
  return (
    <Page
      title="API keys"
      description="Your programs sign their requests with a key. Give each one that may do only what it needs. To change over, make a second one, use it everywhere, then revoke the first."
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
            columns={columnsOf(environment.name, changed)}
            list={fixedList(data.data)}
            rowKey={({ id }) => id}
            rowHeight={56}
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
