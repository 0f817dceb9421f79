import { useState } from 'react'
import type { Suppression } from '../api/types.ts'
import { useFilters } from '../lib/filters.ts'
import { useNumberedPages } from '../lib/pages.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Empty } from '../ui/empty.tsx'
import { SearchInput } from '../ui/form/search-input.tsx'
import { Page, Toolbar } from '../ui/page.tsx'
import { DataTable } from '../ui/table/data-table.tsx'
import { Segments } from '../ui/tabs.tsx'
import { AddSuppressions } from './suppressions/add.tsx'
import { suppressionColumns } from './suppressions/columns.tsx'
import { Details } from './suppressions/details.tsx'

const kinds = [
  { id: 'all', label: 'All' },
  { id: 'email', label: 'E-mail' },
  { id: 'sms', label: 'SMS' },
] as const

export default function Suppressions() {
  const [filters, setFilters] = useFilters<'channel' | 'address'>()
  const [adding, setAdding] = useState(false)
  const [opened, setOpened] = useState<Suppression | null>(null)
  const kind = kinds.find(({ id }) => id === filters.channel)?.id ?? 'all'
  const query = { channel: kind === 'all' ? undefined : kind, address: filters.address }
  const list = useNumberedPages('/v1/suppressions', {
    queryKey: ['suppressions'],
    query,
    limit: 100,
  })
  const add = (
    <Button needs="operate" kind="primary" icon="plus" onClick={() => setAdding(true)}>
      Add addresses
    </Button>
  )
  return (
    <Page
      title="Suppressions"
      description="Addresses that nothing is sent to: they bounced, complained or unsubscribed. Critical workflows reach those that only unsubscribed."
      actions={add}
      changedBy="operate"
    >
      <Toolbar>
        <SearchInput
          label="Find a whole address or number"
          value={filters.address ?? ''}
          onSearch={(address) => setFilters({ address })}
        />
        <Segments
          label="Channel"
          items={kinds}
          value={kind}
          onChange={(id) => setFilters({ channel: id === 'all' ? undefined : id })}
        />
      </Toolbar>
      <Card flush>
        <DataTable
          label="Suppressions"
          columns={suppressionColumns}
          list={list}
          rowKey={({ channel, address }) => `${channel}:${address}`}
          onOpen={(row) => setOpened(row)}
          rowHeight={56}
          empty={<Nothing isFiltered={Boolean(filters.address || filters.channel)} />}
        />
      </Card>
      {opened && <Details suppression={opened} onClose={() => setOpened(null)} onRemoved={() => void list.refresh()} />}
      {adding && <AddSuppressions onClose={() => setAdding(false)} onAdded={() => void list.refresh()} />}
    </Page>
  )
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <Empty icon="block" title="No such address on the list">
        The whole address must match, in any case. Messages to it are sent.
      </Empty>
    )
  }
  return (
    <Empty icon="check" title="Nobody is suppressed">
      Addresses come here by themselves when they bounce or complain, if the integration sends us its callbacks, and
      when people unsubscribe. You can add some by hand.
    </Empty>
  )
}
