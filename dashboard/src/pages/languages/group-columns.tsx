import { useQuery } from '@tanstack/react-query'
import { Badge } from '../../ui/badge.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { missingQuery, type Resource } from './queries.ts'
import { missingIn } from './rows.ts'

type Group = { name: string; resource: Resource }

export const groupColumns = <Row,>(groupOf: (row: Row) => Group): Column<Row>[] => [
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(0, 2fr)',
    cell: (row) => {
      const { name, resource } = groupOf(row)
      return (
        <span className="block">
          <span className="block truncate font-medium">{name}</span>
          <span className="block truncate font-mono text-xs text-muted">{resource.resourceId}</span>
        </span>
      )
    },
  },
  {
    id: 'languages',
    header: 'Languages',
    from: 'sm',
    width: 'minmax(0, 2fr)',
    cell: (row) => <Locales resource={groupOf(row).resource} />,
  },
  {
    id: 'missing',
    header: 'Missing',
    width: '7rem',
    align: 'right',
    cell: (row) => <Missing resource={groupOf(row).resource} />,
  },
]

function Locales({ resource }: { resource: Resource }) {
  const { data } = useQuery(missingQuery(resource))
  if (!data) return <span className="text-muted">…</span>
  if (data.locales.length === 0) {
    return <span className="text-muted">{data.keys.length > 0 ? 'none yet' : 'not translated'}</span>
  }
  return (
    <span className="flex flex-wrap gap-1">
      {data.locales.map(({ locale, missingKeys }) => (
        <Badge
          key={locale}
          tone={missingKeys.length > 0 ? 'warn' : 'neutral'}
          title={missingKeys.length > 0 ? `${missingKeys.length} missing` : 'Nothing is missing'}
        >
          {locale}
        </Badge>
      ))}
    </span>
  )
}

function Missing({ resource }: { resource: Resource }) {
  const { data } = useQuery(missingQuery(resource))
  const count = data ? missingIn(data) : 0
  if (count === 0) return <span className="text-faint">–</span>
  return <Badge tone="warn">{count} missing</Badge>
}
