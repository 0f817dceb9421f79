import type { Activity, Job } from '../../api/types.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { Time } from '../../ui/time.tsx'
import { overallOf, personName, stepIcon, stepTypeName, toneOfJob } from './steps.ts'

/** Workflow and person share the first column, so that a phone shows both. */
export const activityColumns: readonly Column<Activity>[] = [
  {
    id: 'event',
    header: 'Event',
    width: 'minmax(0, 2fr)',
    cell: (row) => (
      <span className="block min-w-0">
        <span className="block truncate font-medium">{row.template?.name ?? 'Deleted workflow'}</span>
        <span className="block truncate text-sm text-muted">
          {personName(row.subscriber)}
          <span className="sm:hidden">
            {' · '}
            <Time at={row.createdAt} />
          </span>
          <span className="hidden sm:inline">{secondName(row)}</span>
        </span>
      </span>
    ),
  },
  { id: 'steps', header: 'Steps', from: 'md', width: 'minmax(0, 1fr)', cell: ({ jobs }) => <StepMarks jobs={jobs} /> },
  {
    id: 'outcome',
    header: 'Outcome',
    width: '6.5rem',
    cell: ({ jobs }) => {
      const { word, tone } = overallOf(jobs)
      return <Badge tone={tone}>{word}</Badge>
    },
  },
  {
    id: 'at',
    header: 'When',
    from: 'sm',
    width: '6.5rem',
    align: 'right',
    cell: ({ createdAt }) => (
      <span className="text-muted">
        <Time at={createdAt} />
      </span>
    ),
  },
]

/** The id, where the first line already says the name. */
function secondName({ subscriber }: Activity): string {
  return subscriber && personName(subscriber) !== subscriber.subscriberId ? ` · ${subscriber.subscriberId}` : ''
}

const marks: Record<Tone, string> = {
  ok: 'bg-ok-soft text-ok',
  bad: 'bg-bad-soft text-bad',
  warn: 'bg-warn-soft text-warn',
  info: 'bg-accent-soft text-accent',
  neutral: 'bg-neutral-soft text-muted',
}

/** One mark per step, in the order in which they run. */
function StepMarks({ jobs }: { jobs: readonly Job[] }) {
  return (
    <span className="flex gap-1 overflow-hidden">
      {jobs.map(({ _id, type, status }) => {
        const text = `${stepTypeName(type)}: ${status}`
        return (
          <span
            key={_id}
            role="img"
            aria-label={text}
            title={text}
            className={`inline-flex size-6 shrink-0 items-center justify-center rounded ${marks[toneOfJob(status)]}`}
          >
            <Icon name={stepIcon(type)} size={13} />
          </span>
        )
      })}
    </span>
  )
}
