import { useQuery } from '@tanstack/react-query'
import type { Layout } from '../../api/types.ts'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { IfEditable } from '../../ui/form/read-only.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { Time } from '../../ui/time.tsx'
import { usageQuery } from './queries.ts'

export const layoutColumns = (onAct: (kind: 'duplicate' | 'delete', layout: Layout) => void): Column<Layout>[] => [
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(0, 2fr)',
    cell: ({ name, layoutId, isDefault }) => (
      <span className="block">
        <span className="flex items-center gap-2">
          <span className="truncate font-medium">{name}</span>
          {isDefault && <Badge tone="info">default</Badge>}
        </span>
        <span className="block truncate font-mono text-xs text-muted">{layoutId}</span>
      </span>
    ),
  },
  {
    id: 'usage',
    header: 'Used by',
    from: 'sm',
    width: '9rem',
    cell: ({ layoutId }) => <Usage layoutId={layoutId} />,
  },
  {
    id: 'updated',
    header: 'Changed',
    from: 'sm',
    width: '7rem',
    align: 'right',
    cell: ({ updatedAt }) => <Time at={updatedAt} />,
  },
  {
    id: 'actions',
    header: 'Actions',
    width: '4.5rem',
    align: 'right',
    cell: (layout) => (
      <span className="relative z-10">
        <IfEditable>
          <IconButton icon="copy" label={`Duplicate ${layout.name}`} onClick={() => onAct('duplicate', layout)} />
          <IconButton icon="trash" label={`Delete ${layout.name}`} onClick={() => onAct('delete', layout)} />
        </IfEditable>
      </span>
    ),
  },
]

function Usage({ layoutId }: { layoutId: string }) {
  const { data } = useQuery(usageQuery(layoutId))
  if (!data || data.length === 0) return <span className="text-muted">{data ? 'none' : '…'}</span>
  return data.length === 1 ? 'one workflow' : `${data.length} workflows`
}
