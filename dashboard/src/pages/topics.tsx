import { useState } from 'react'
import type { Topic } from '../api/types.ts'
import { useFilters } from '../lib/filters.ts'
import { useCursorPages } from '../lib/pages.ts'
import { paths } from '../lib/paths.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Mono } from '../ui/code.tsx'
import { Empty } from '../ui/empty.tsx'
import { Field, Select } from '../ui/form/form.tsx'
import { SearchInput } from '../ui/form/search-input.tsx'
import { Page, Toolbar } from '../ui/page.tsx'
import type { Column } from '../ui/table/columns.ts'
import { DataTable } from '../ui/table/data-table.tsx'
import { Time } from '../ui/time.tsx'
import { countOf } from './subscribers/search.ts'
import { NewTopic } from './topics/new-topic.tsx'
import { SendDrawer } from './topics/send-drawer.tsx'

const columns: readonly Column<Topic>[] = [
  { id: 'name', header: 'Topic', cell: ({ name, key }) => <span className="font-medium">{name || key}</span> },
  { id: 'key', header: 'Key', from: 'sm', cell: ({ key }) => <Mono>{key}</Mono> },
  { id: 'created', header: 'Made', width: '8rem', from: 'md', cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    id: 'updated',
    header: 'Changed',
    width: '6.5rem',
    align: 'right',
    cell: ({ updatedAt }) => <Time at={updatedAt} />,
  },
]

const places = [
  { value: 'name', label: 'in names' },
  { value: 'key', label: 'in keys' },
]

export default function Topics() {
  const [filters, setFilters] = useFilters<'search' | 'by'>()
  const [open, setOpen] = useState<'new' | 'broadcast' | null>(null)
  const search = filters.search ?? ''
  const where = filters.by === 'key' ? 'key' : 'name'
  const list = useCursorPages('/v2/topics', {
    queryKey: ['topics'],
    query: search ? { [where]: search } : {},
  })
  return (
    <Page
      title="Topics"
      description="Groups of subscribers that are notified by one name."
      changedBy="subscribers"
      actions={
        <>
          <Button needs="trigger" onClick={() => setOpen('broadcast')}>
            Broadcast
          </Button>
          <Button needs="subscribers" kind="primary" icon="plus" onClick={() => setOpen('new')}>
            New topic
          </Button>
        </>
      }
    >
      <Toolbar>
        <SearchInput label="Search topics" value={search} onSearch={(text) => setFilters({ search: text })} />
        <Field label="Search in" hideLabel>
          <Select value={where} options={places} onText={(by) => setFilters({ by })} className="w-32!" />
        </Field>
        <span role="status" className="ml-auto self-center text-sm text-muted">
          {countOf(list, 'topic')}
        </span>
      </Toolbar>
      <Card flush>
        <DataTable
          label="Topics"
          columns={columns}
          list={list}
          rowKey={({ _id }) => _id}
          href={({ key }) => paths.topic(key)}
          empty={<NoTopics search={search} />}
        />
      </Card>
      {open === 'new' && <NewTopic onClose={() => setOpen(null)} />}
      {open === 'broadcast' && <SendDrawer to={{ everybody: true }} onClose={() => setOpen(null)} />}
    </Page>
  )
}

function NoTopics({ search }: { search: string }) {
  if (search) {
    return (
      <Empty icon="search" title="No topic found">
        A part is enough, but upper and lower case count.
      </Empty>
    )
  }
  return (
    <Empty icon="topic" title="No topics yet">
      Make one for every group you notify together: a team, the followers of a document, the customers of a region. One
      trigger then reaches all of them.
    </Empty>
  )
}
