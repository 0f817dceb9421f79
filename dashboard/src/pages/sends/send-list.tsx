import type { Send } from '../../api/types.ts'
import { useFilters } from '../../lib/filters.ts'
import { useNumberedPages } from '../../lib/pages.ts'
import { paths } from '../../lib/paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Toolbar } from '../../ui/page.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { Segments } from '../../ui/tabs.tsx'
import { Time } from '../../ui/time.tsx'
import { PeopleBar } from './people-bar.tsx'
import { StateBadge } from './state-badge.tsx'
import { useAskAgain } from './use-ask-again.ts'
import { count, isOver, kindWords } from './words.ts'

const kinds = [
  { id: 'all', label: 'All' },
  { id: 'open', label: 'Under way' },
] as const

/** The newest first; asked again while something goes on. */
export function SendList() {
  const [filters, setFilters] = useFilters<'state'>()
  const kind = kinds.find(({ id }) => id === filters.state)?.id ?? 'all'
  const list = useNumberedPages('/v1/sends', {
    queryKey: ['sends'],
    query: { state: kind === 'open' ? 'open' : undefined },
    limit: 20,
  })
  useAskAgain(['sends'], list.rows.some((send) => !isOver(send)) ? 2_000 : 10_000)
  return (
    <>
      <Toolbar>
        <Segments
          label="State"
          items={kinds}
          value={kind}
          onChange={(id) => setFilters({ state: id === 'all' ? undefined : id })}
        />
      </Toolbar>
      <Card flush>
        <DataTable
          label="Large sends"
          columns={columns}
          list={list}
          rowKey={({ transactionId }) => transactionId}
          href={({ transactionId }) => paths.send(transactionId)}
          rowHeight={60}
          empty={<Nothing isFiltered={kind === 'open'} />}
        />
      </Card>
    </>
  )
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <Empty icon="check" title="Nothing is under way">
        All large sends are done or canceled.
      </Empty>
    )
  }
  return (
    <Empty icon="send" title="No large sends yet" action={<ButtonLink href={paths.topics}>Topics</ButtonLink>}>
      An event for more than 300 people stands here while it goes out and afterwards: a broadcast, topics, or a long
      list.
    </Empty>
  )
}

const columns: Column<Send>[] = [
  {
    id: 'what',
    header: 'What',
    width: 'minmax(0, 2fr)',
    cell: ({ workflowName, kind, transactionId, people: { written, total } }) => (
      <span className="min-w-0">
        <span className="block truncate font-medium">{workflowName}</span>
        <span className="block truncate text-xs text-muted">
          <span className="sm:hidden">
            {count(written)} of {total === null ? '…' : count(total)}
          </span>
          <span className="max-sm:hidden">
            {kindWords[kind]} <span className="font-mono">{transactionId}</span>
          </span>
        </span>
      </span>
    ),
  },
  { id: 'state', header: 'State', width: '8.5rem', cell: (send) => <StateBadge send={send} /> },
  {
    id: 'people',
    header: 'People reached',
    from: 'sm',
    width: 'minmax(0, 1.5fr)',
    cell: ({ people }) => <PeopleBar people={people} />,
  },
  {
    id: 'failed',
    header: 'Failed',
    from: 'md',
    width: '6rem',
    align: 'right',
    cell: ({ messages: { failed, dead } }) => (
      <span className={failed + dead > 0 ? 'text-bad' : 'text-muted'}>{count(failed + dead)}</span>
    ),
  },
  { id: 'at', header: 'Begun', from: 'sm', width: '7rem', cell: ({ createdAt }) => <Time at={createdAt} /> },
]
