import type { ListedEnvironment, Publication } from '../../../api/types.ts'
import { useFilters } from '../../../lib/filters.ts'
import { useCursorPages } from '../../../lib/pages.ts'
import { Card } from '../../../ui/card.tsx'
import { Empty } from '../../../ui/empty.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { Time } from '../../../ui/time.tsx'
import { apiIn } from '../elsewhere.ts'
import { PublicationDrawer } from './publication-drawer.tsx'
import { PublishedBy } from './published-by.tsx'
import { countsOf, originOf } from './words.ts'

/** Everything that was published to an environment, the newest first. The opened one stands in the address. */
export function History({ target }: { target: ListedEnvironment }) {
  const [{ publication }, setFilters] = useFilters<'publication'>()
  const list = useCursorPages('/v1/publications', {
    queryKey: ['publications', target._id],
    from: apiIn(target.slug),
  })
  return (
    <>
      <Card flush>
        <DataTable
          label="Publications"
          columns={columns}
          list={list}
          rowKey={({ _id }) => _id}
          rowHeight={56}
          onOpen={({ _id }) => setFilters({ publication: _id })}
          empty={
            <Empty icon="upload" title={`Nothing was published to ${target.name} yet`}>
              Each publication stands here: who, when, what and why. Any of them can be put back.
            </Empty>
          }
        />
      </Card>
      {publication && (
        <PublicationDrawer
          key={publication}
          id={publication}
          target={target}
          isNewest={list.rows[0]?._id === publication}
          onClose={() => setFilters({ publication: undefined })}
        />
      )}
    </>
  )
}

const columns: Column<Publication>[] = [
  {
    id: 'what',
    header: 'What',
    width: 'minmax(0, 2fr)',
    cell: (it) => (
      <span className="min-w-0">
        <span className="block truncate font-medium">{it.note ?? originOf(it)}</span>
        <span className="block truncate text-xs text-muted">
          {it.note ? `${originOf(it)}: ` : ''}
          {countsOf(it.summary)}
        </span>
      </span>
    ),
  },
  { id: 'who', header: 'Who', from: 'sm', cell: ({ createdBy }) => <PublishedBy by={createdBy} /> },
  { id: 'when', header: 'When', width: '7rem', cell: ({ createdAt }) => <Time at={createdAt} /> },
]
