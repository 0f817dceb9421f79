import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api/client.ts'
import type { Subscriber } from '../api/types.ts'
import { useFilters } from '../lib/filters.ts'
import { type PagedList, useCursorPages } from '../lib/pages.ts'
import { paths } from '../lib/paths.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Empty } from '../ui/empty.tsx'
import { Field, Select } from '../ui/form/form.tsx'
import { SearchInput } from '../ui/form/search-input.tsx'
import { Page, Toolbar } from '../ui/page.tsx'
import { PersonCell } from '../ui/person.tsx'
import type { Column } from '../ui/table/columns.ts'
import { DataTable } from '../ui/table/data-table.tsx'
import { Time } from '../ui/time.tsx'
import { ImportDrawer } from './subscribers/import-drawer.tsx'
import { NewSubscriber } from './subscribers/new-subscriber.tsx'
import { countOf, guessWhere, type Where, whereOptions } from './subscribers/search.ts'

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
  const [filters, setFilters] = useFilters<'search' | 'by'>()
  const [adding, setAdding] = useState<'one' | 'many' | null>(null)
  const search = filters.search ?? ''
  const where: Where = whereOptions.find(({ value }) => value === filters.by)?.value ?? guessWhere(search)
  const list = usePeople(search, where)
  return (
    <Page
      title="Subscribers"
      description="The people you notify: who they are and where they can be reached."
      actions={
        <>
          <Button onClick={() => setAdding('many')}>Import</Button>
          <Button kind="primary" icon="plus" onClick={() => setAdding('one')}>
            New subscriber
          </Button>
        </>
      }
    >
      <Toolbar>
        <SearchInput label="Search subscribers" value={search} onSearch={(text) => setFilters({ search: text })} />
        <Field label="Search in" hideLabel>
          <Select value={where} options={whereOptions} onText={(by) => setFilters({ by })} className="w-36!" />
        </Field>
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
          empty={<Nobody search={search} where={where} onImport={() => setAdding('many')} />}
        />
      </Card>
      {adding === 'one' && <NewSubscriber onClose={() => setAdding(null)} />}
      {adding === 'many' && <ImportDrawer onClose={() => setAdding(null)} onDone={() => void list.refresh()} />}
    </Page>
  )
}

/** Whoever has exactly this id comes first, wherever else is searched. */
function usePeople(search: string, where: Where): PagedList<Subscriber> {
  const list = useCursorPages('/v2/subscribers', {
    queryKey: ['subscribers'],
    query: search ? { [where]: search } : {},
  })
  const byId = useQuery({
    queryKey: ['subscribers', 'by id', search],
    queryFn: ({ signal }) => api.get('/v2/subscribers', { query: { subscriberId: search }, signal }),
    enabled: Boolean(search) && where !== 'subscriberId',
  })
  const exact = search && where !== 'subscriberId' ? byId.data?.data[0] : undefined
  if (!exact || list.isPending || list.rows.some(({ _id }) => _id === exact._id)) return list
  return { ...list, rows: [exact, ...list.rows], total: list.total === null ? null : list.total + 1 }
}

function Nobody({ search, where, onImport }: { search: string; where: Where; onImport(): void }) {
  if (!search) {
    return (
      <Empty
        icon="people"
        title="No subscribers yet"
        action={<Button onClick={onImport}>Import from CSV or JSON</Button>}
      >
        Add somebody, import a list, or let your program create people as it triggers events for them.
      </Empty>
    )
  }
  return (
    <Empty icon="search" title="Nobody found">
      {where === 'subscriberId'
        ? 'An id must match wholly, upper and lower case included.'
        : 'A part is enough, but upper and lower case count: “Ada”, not “ada”.'}
    </Empty>
  )
}
