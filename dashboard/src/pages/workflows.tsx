import { useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { useFilters } from '../lib/filters.ts'
import { useMay } from '../lib/may.ts'
import { useCursorPages } from '../lib/pages.ts'
import { paths } from '../lib/paths.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Empty } from '../ui/empty.tsx'
import { Field, Select } from '../ui/form/form.tsx'
import { SearchInput } from '../ui/form/search-input.tsx'
import { Page, Toolbar } from '../ui/page.tsx'
import { DataTable } from '../ui/table/data-table.tsx'
import { Segments } from '../ui/tabs.tsx'
import { IfUnprotected, ProtectedNotice, useProtected } from './team/environments/protected.tsx'
import { columnsOf, type DayCounts } from './workflows/columns.tsx'

const states = [
  { id: 'all', label: 'All' },
  { id: 'ACTIVE', label: 'On' },
  { id: 'INACTIVE', label: 'Off' },
] as const
const orders = [
  { value: 'createdAt', label: 'Newest first' },
  { value: 'updatedAt', label: 'Last changed first' },
  { value: 'name', label: 'By name' },
] as const
type Order = (typeof orders)[number]['value']

export default function Workflows() {
  const [filters, setFilters] = useFilters<FilterName>()
  const state = states.find(({ id }) => id === filters.status)?.id ?? 'all'
  const order = filters.order ?? 'createdAt'
  const list = useCursorPages('/v2/workflows', {
    queryKey: ['workflows'],
    query: {
      query: filters.query,
      tags: filters.tag ? [filters.tag] : [],
      status: state === 'all' ? [] : [state],
      // An address may name an order that there is not: the server says so.
      orderBy: order as Order,
      orderDirection: order === 'name' ? 'ASC' : 'DESC',
    },
  })
  const counts = useDayCounts()
  const isFiltered = Boolean(filters.query || filters.tag || filters.status)
  return (
    <Page
      title="Workflows"
      description="What happens when an event is triggered: steps, one after the other."
      actions={<NewLink />}
    >
      <ProtectedNotice />
      <Filters state={state} order={order} filters={filters} onChange={setFilters} />
      <Card flush>
        <DataTable
          label="Workflows"
          columns={columnsOf(counts, (tag) => setFilters({ tag }))}
          list={list}
          rowKey={({ _id }) => _id}
          // `new` is the page that makes one: a workflow of that name is opened by its other id.
          href={({ workflowId, _id }) => paths.workflow(workflowId === 'new' ? _id : workflowId)}
          rowHeight={56}
          empty={
            isFiltered ? (
              <NoneFound onReset={() => setFilters({ query: undefined, tag: undefined, status: undefined })} />
            ) : (
              <NoneYet />
            )
          }
        />
      </Card>
    </Page>
  )
}

type FilterName = 'query' | 'status' | 'tag' | 'order'
type FiltersProps = {
  state: (typeof states)[number]['id']
  order: string
  filters: Partial<Record<FilterName, string>>
  onChange(changes: Partial<Record<FilterName, string | undefined>>): void
}

function Filters({ state, order, filters, onChange }: FiltersProps) {
  return (
    <Toolbar>
      <SearchInput label="Part of a name or id" value={filters.query ?? ''} onSearch={(query) => onChange({ query })} />
      <Segments
        label="State"
        items={states}
        value={state}
        onChange={(id) => onChange({ status: id === 'all' ? undefined : id })}
      />
      <Field label="Order" hideLabel className="w-40">
        <Select
          options={orders}
          value={order}
          onText={(value) => onChange({ order: value === 'createdAt' ? undefined : value })}
        />
      </Field>
      {filters.tag && (
        <Button icon="close" onClick={() => onChange({ tag: undefined })} title="Show all tags">
          Tag {filters.tag}
        </Button>
      )}
    </Toolbar>
  )
}

function NoneFound({ onReset }: { onReset(): void }) {
  return (
    <Empty icon="search" title="No such workflow" action={<Button onClick={onReset}>Show all</Button>}>
      The search minds large and small letters.
    </Empty>
  )
}

function NewLink() {
  return (
    <IfUnprotected>
      <ButtonLink kind="primary" icon="plus" href={paths.workflow('new')}>
        New workflow
      </ButtonLink>
    </IfUnprotected>
  )
}

function NoneYet() {
  const isProtected = useProtected()
  const mayChange = useMay('content')
  return (
    <Empty icon="workflow" title="No workflows yet" action={<NewLink />}>
      A workflow says whom to tell what, where and when. {isProtected && 'None was published to this environment yet.'}
      {!isProtected && mayChange && (
        <>
          Make one here, or write it as a file and run <span className="font-mono text-sm">npm start -- apply</span>.
        </>
      )}
    </Empty>
  )
}

/** What each sent and failed to send in the last 24 hours. */
function useDayCounts(): DayCounts {
  const { data } = useQuery({
    queryKey: ['workflows-day'],
    queryFn: ({ signal }) => api.get('/v1/numbers', { query: { by: ['workflow'] }, signal }),
    refetchInterval: 60_000,
  })
  const counts: DayCounts = new Map()
  for (const { key, total } of data?.series ?? []) {
    if (!key.workflowId) continue
    const count = counts.get(key.workflowId) ?? { sent: 0, failed: 0 }
    if (key.outcome === 'sent') count.sent += total
    if (key.outcome === 'failed') count.failed += total
    counts.set(key.workflowId, count)
  }
  return counts
}
