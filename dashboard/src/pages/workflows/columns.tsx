import type { WorkflowSummary } from '../../api/types.ts'
import { Badge } from '../../ui/badge.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { Time } from '../../ui/time.tsx'
import { stepIcon, stepName } from '../workflow/steps/step-types.ts'

export type DayCounts = Map<string, { sent: number; failed: number }>

const number = new Intl.NumberFormat('en')

export const columnsOf = (counts: DayCounts, onTag: (tag: string) => void): Column<WorkflowSummary>[] => [
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(0, 2fr)',
    cell: ({ name, workflowId }) => (
      <span className="block">
        <span className="block truncate font-medium">{name}</span>
        <span className="block truncate font-mono text-xs text-muted">{workflowId}</span>
      </span>
    ),
  },
  {
    id: 'steps',
    header: 'Steps',
    from: 'sm',
    width: 'minmax(0, 1fr)',
    cell: ({ steps }) => <StepIcons steps={steps} />,
  },
  {
    id: 'tags',
    header: 'Tags',
    from: 'lg',
    width: 'minmax(0, 1fr)',
    cell: ({ tags }) => (
      <span className="flex gap-1">
        {tags.map((tag) => (
          <button key={tag} type="button" onClick={() => onTag(tag)} className="relative z-10" title={`Only ${tag}`}>
            <Badge>{tag}</Badge>
          </button>
        ))}
      </span>
    ),
  },
  {
    id: 'day',
    header: 'Last 24 hours',
    from: 'md',
    width: '10rem',
    align: 'right',
    cell: ({ workflowId }) => <Counts count={counts.get(workflowId)} />,
  },
  {
    id: 'state',
    header: 'State',
    width: '3.5rem',
    cell: ({ active }) => (active ? <Badge tone="ok">on</Badge> : <Badge>off</Badge>),
  },
  {
    id: 'updated',
    header: 'Changed',
    from: 'sm',
    width: '7rem',
    align: 'right',
    cell: ({ updatedAt }) => <Time at={updatedAt} />,
  },
]

const most = 7

function StepIcons({ steps }: { steps: WorkflowSummary['steps'] }) {
  if (steps.length === 0) return <span className="text-muted">none</span>
  return (
    <span className="flex items-center gap-2 text-muted">
      <span className="sr-only">{steps.map(({ type }) => stepName(type)).join(', ')}</span>
      {steps.slice(0, most).map(({ slug, type }) => (
        <span key={slug} title={stepName(type)}>
          <Icon name={stepIcon(type)} size={15} />
        </span>
      ))}
      {steps.length > most && <span className="text-sm">+{steps.length - most}</span>}
    </span>
  )
}

function Counts({ count }: { count: { sent: number; failed: number } | undefined }) {
  if (!count || count.sent + count.failed === 0) return <span className="text-faint">–</span>
  return (
    <span className="text-muted">
      {number.format(count.sent)} sent
      {count.failed > 0 && <span className="text-bad"> · {number.format(count.failed)} failed</span>}
    </span>
  )
}
