import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { toFault } from '../api/fault.ts'
import type { Layout } from '../api/types.ts'
import { useFilters } from '../lib/filters.ts'
import { fixedList } from '../lib/pages.ts'
import { paths } from '../lib/paths.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Empty } from '../ui/empty.tsx'
import { SearchInput } from '../ui/form/search-input.tsx'
import { Page, Toolbar } from '../ui/page.tsx'
import { DataTable } from '../ui/table/data-table.tsx'
import { layoutColumns } from './layouts/columns.tsx'
import { DeleteLayout } from './layouts/delete-layout.tsx'
import { DuplicateLayout } from './layouts/duplicate-layout.tsx'
import { matching } from './layouts/matching.ts'
import { NewLayout } from './layouts/new-layout.tsx'
import { layoutsQuery } from './layouts/queries.ts'
import { IfUnprotected, Protected } from './team/environments/protected.tsx'

type Opened = { kind: 'new' } | { kind: 'duplicate' | 'delete'; layout: Layout }

export default function Layouts() {
  const [filters, setFilters] = useFilters<'query'>()
  const [opened, setOpened] = useState<Opened | null>(null)
  const { data, error, isPending, refetch } = useQuery(layoutsQuery)
  const rows = matching(data ?? [], filters.query ?? '')
  const close = () => setOpened(null)
  const add = (
    <IfUnprotected>
      <Button kind="primary" icon="plus" onClick={() => setOpened({ kind: 'new' })}>
        New layout
      </Button>
    </IfUnprotected>
  )
  return (
    <Page
      title="Layouts"
      description="What stands around the bodies of e-mails: your logo above, your address below."
      actions={add}
    >
      <Protected>
        {(data?.length ?? 0) > 0 && (
          <Toolbar>
            <SearchInput
              label="Part of a name or id"
              value={filters.query ?? ''}
              onSearch={(query) => setFilters({ query })}
            />
          </Toolbar>
        )}
        <Card flush>
          <DataTable
            label="Layouts"
            columns={layoutColumns((kind, layout) => setOpened({ kind, layout }))}
            list={{
              ...fixedList(rows),
              isPending,
              fault: error ? toFault(error) : null,
              refresh: async () => void (await refetch()),
            }}
            rowKey={({ _id }) => _id}
            href={({ layoutId }) => paths.layout(layoutId)}
            rowHeight={56}
            empty={
              filters.query ? <NoneFound onReset={() => setFilters({ query: undefined })} /> : <NoneYet add={add} />
            }
          />
        </Card>
      </Protected>
      {opened?.kind === 'new' && <NewLayout formerDefault={data?.find(({ isDefault }) => isDefault)} onClose={close} />}
      {opened?.kind === 'duplicate' && <DuplicateLayout layout={opened.layout} onClose={close} />}
      {opened?.kind === 'delete' && <DeleteLayout layout={opened.layout} onClose={close} />}
    </Page>
  )
}

function NoneFound({ onReset }: { onReset(): void }) {
  return (
    <Empty icon="search" title="No such layout" action={<Button onClick={onReset}>Show all</Button>}>
      No name and no id has these letters.
    </Empty>
  )
}

function NoneYet({ add }: { add: React.ReactNode }) {
  return (
    <Empty icon="layout" title="No layouts yet" action={add}>
      Without one, an e-mail is sent as its step is written. With one, what all your e-mails have in common is written
      once.
    </Empty>
  )
}
