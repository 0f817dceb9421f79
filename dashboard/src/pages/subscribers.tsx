import { useState } from 'react'
import type { Subscriber } from '../api/types.ts'
import { useFilters } from '../lib/filters.ts'
import { type PagedList, useCursorPages } from '../lib/pages.ts'
import { paths } from '../lib/paths.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Empty } from '../ui/empty.tsx'
import { SearchInput } from '../ui/form/search-input.tsx'
import { Page, Toolbar } from '../ui/page.tsx'
import { PersonCell } from '../ui/person.tsx'
import type { Column } from '../ui/table/columns.ts'
import { DataTable } from '../ui/table/data-table.tsx'
import { Time } from '../ui/time.tsx'
import { ImportDrawer } from './subscribers/import-drawer.tsx'
import { NewSubscriber } from './subscribers/new-subscriber.tsx'
import { countOf, exactFirst } from './subscribers/search.ts'

const dash = <span className="text-faint">–</span>
const columns: readonly Column<Subscriber>[] = [
  {
    id: 'person',
    header: 'Subscriber',
    width: 'minmax(0, 1.4fr)',
    cell: (person) => <PersonCell person={person} />,
  },
  { id: 'email', header: 'E-mail', from: 'md', width: 'minmax(0, 1.4fr)', cell: ({ email }) => email || dash },
  { id: 'phone', header: 'Phone', from: 'lg', cell: ({ phone }) => phone || dash },
  {
    id: 'channels',
    header: 'Devices and chats',
    from: 'xl',
    cell: ({ channels }) => channels.map(({ providerId }) => providerId).join(', ') || dash,
  },
  {
    id: 'updated',
    header: 'Changed',
    width: '6.5rem',
    align: 'right',
    cell: ({ updatedAt }) => <Time at={updatedAt} />,
  },
]

export default function Subscribers() {
  const [filters, setFilters] = useFilters<'search'>()
  const [adding, setAdding] = useState<'one' | 'many' | null>(null)
  const search = filters.search ?? ''
  const list = usePeople(search)
  return (
    <Page
      title="Subscribers"
      description="The people you notify: who they are and where they can be reached."
      changedBy="subscribers"
      actions={
        <>
          <Button needs="subscribers" onClick={() => setAdding('many')}>
            Import
          </Button>
          <Button needs="subscribers" kind="primary" icon="plus" onClick={() => setAdding('one')}>
            New subscriber
          </Button>
        </>
      }
    >
      <Toolbar>
        <SearchInput
          label="Search subscribers"
          placeholder="Name, e-mail, phone or whole id"
          value={search}
          onSearch={(text) => setFilters({ search: text })}
        />
        <span role="status" className="ml-auto self-center text-sm text-muted">
          {countOf(list, 'subscriber')}
        </span>
      </Toolbar>
      <Card flush>
        <DataTable
          label="Subscribers"
          columns={columns}
          list={list}
          rowKey={({ _id }) => _id}
          rowHeight={52}
          href={({ subscriberId }) => paths.subscriber(subscriberId)}
          empty={<Nobody search={search} onImport={() => setAdding('many')} />}
        />
      </Card>
      {adding === 'one' && <NewSubscriber onClose={() => setAdding(null)} />}
      {adding === 'many' && <ImportDrawer onClose={() => setAdding(null)} onDone={() => void list.refresh()} />}
    </Page>
  )
}

function usePeople(search: string): PagedList<Subscriber> {
  const list = useCursorPages('/v2/subscribers', { queryKey: ['subscribers'], query: search ? { search } : {} })
  return { ...list, rows: exactFirst(list.rows, search) }
}

function Nobody({ search, onImport }: { search: string; onImport(): void }) {
  if (!search) {
    return (
      <Empty
        icon="people"
        title="No subscribers yet"
        action={
          <Button needs="subscribers" onClick={onImport}>
            Import from CSV or JSON
          </Button>
        }
      >
        Add somebody, import a list, or let your program create people as it triggers events for them.
      </Empty>
    )
  }
  return (
    <Empty icon="search" title="Nobody found">
      A part of a name, an e-mail address or a phone number is enough. An id must be whole.
    </Empty>
  )
}
