import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ChangeRecord } from '../../api/types.ts'
import { useCursorPages } from '../../lib/pages.ts'
import { useSession } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Page } from '../../ui/page.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { apiIn } from './elsewhere.ts'
import { environmentsQuery } from './environments/queries.ts'
import { ChangeDrawer } from './record/change-drawer.tsx'
import { changeColumns } from './record/columns.tsx'
import { ExportLink } from './record/export-link.tsx'
import { everywhere, type Filters, useRecordFilters } from './record/filter.ts'
import { FilterBar } from './record/filter-bar.tsx'
import { sentenceOf } from './record/words.ts'

/** Who changed what, where and when, the newest first. */
export default function RecordPage() {
  const { environment: here } = useSession()
  const { filters, change, query } = useRecordFilters()
  const [opened, setOpened] = useState<ChangeRecord | null>(null)
  const { data: environments = [] } = useQuery(environmentsQuery)
  const isAll = filters.environment === everywhere
  const slug = isAll || !filters.environment ? here.slug : filters.environment
  const from = apiIn(slug)
  const list = useCursorPages('/v1/changes', { queryKey: ['record', slug], query, from })
  const [first] = list.rows
  return (
    <Page
      title="Record"
      description="Every change: who made it, what was before and after, when and from where. It can be read, and not changed."
      actions={<ExportLink query={query} slug={slug} />}
    >
      <FilterBar
        filters={filters}
        query={query}
        environments={environments.filter(({ deletedAt, isElsewhere }) => !deletedAt && !isElsewhere)}
        from={from}
        subject={first && sentenceOf(first).what}
        onChange={change}
      />
      <Card flush>
        <DataTable
          label="Changes"
          columns={changeColumns(environments, isAll)}
          list={list}
          rowKey={({ _id }) => _id}
          rowHeight={56}
          onOpen={(row) => setOpened(row)}
          empty={<Nothing filters={filters} onClear={() => change(clearOf(filters))} />}
        />
      </Card>
      {opened && (
        <ChangeDrawer
          change={opened}
          environments={environments}
          onFilter={(filter) => {
            change(filter)
            setOpened(null)
          }}
          onClose={() => setOpened(null)}
        />
      )}
    </Page>
  )
}

const clearOf = (filters: Filters) => Object.fromEntries(Object.keys(filters).map((name) => [name, undefined]))

function Nothing({ filters, onClear }: { filters: Filters; onClear(): void }) {
  const isFiltered = Object.values(filters).some(Boolean)
  if (isFiltered) {
    return (
      <Empty
        icon="filter"
        title="No change fits these filters"
        action={<Button onClick={onClear}>Clear filters</Button>}
      >
        Each environment has a record of its own. People and sign-in are in that of the whole organization.
      </Empty>
    )
  }
  return (
    <Empty icon="record" title="Nothing was changed here yet">
      Changes of workflows, layouts, languages, integrations, keys and settings stand here from the moment they are
      made.
    </Empty>
  )
}
