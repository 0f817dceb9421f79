import { useQuery } from '@tanstack/react-query'
import { toFault } from '../../api/fault.ts'
import type { NumbersNow } from '../../api/types.ts'
import { paths } from '../../lib/paths.ts'
import { toSearch } from '../../lib/to-search.ts'
import { Anchor } from '../../ui/anchor.tsx'
import { Card } from '../../ui/card.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { SkeletonLines } from '../../ui/spinner.tsx'
import { reasonWords } from '../webhooks/states.ts'
import { nowQuery } from './numbers.ts'

type Trouble = NumbersNow['items'][number]

/** What is wrong right now, each with the way to it. */
export function Problems() {
  const { data, error, refetch } = useQuery(nowQuery)
  return (
    <Card title="Right now" flush actions={data && <Waiting waiting={data.waiting} />}>
      {error && (
        <div className="p-4">
          <FaultNote fault={toFault(error)} onRetry={() => void refetch()} />
        </div>
      )}
      {!data && !error && (
        <div className="px-4">
          <SkeletonLines lines={3} />
        </div>
      )}
      {data && (data.items.length === 0 ? <AllWell /> : <Troubles items={data.items} />)}
    </Card>
  )
}

function Waiting({ waiting }: { waiting: NumbersNow['waiting'] }) {
  const count = `${waiting.events.toLocaleString('en')}${waiting.capped ? '+' : ''}`
  const text =
    waiting.events === 0 ? 'No event is waiting' : `${count} events waiting, the oldest for ${waiting.oldestSeconds} s`
  return <span className="text-sm text-muted">{text}</span>
}

function AllWell() {
  return (
    <p className="flex items-center gap-3 px-4 py-4">
      <span className="flex size-6 items-center justify-center rounded-full bg-ok-soft text-ok">
        <Icon name="check" size={14} />
      </span>
      <span>
        Nothing is wrong. <span className="text-muted">No dead letters, no failing provider, nothing late.</span>
      </span>
    </p>
  )
}

function Troubles({ items }: { items: readonly Trouble[] }) {
  return (
    <ul>
      {items.map((item) => (
        <li key={item.code + JSON.stringify(item.target)} className="border-b border-line last:border-0">
          <Anchor
            href={hrefOf(item.target)}
            className="group flex items-start gap-3 px-4 py-3 hover:bg-hover focus-visible:-outline-offset-2"
          >
            <span
              className={`mt-px flex size-6 shrink-0 items-center justify-center rounded-full ${item.severity === 'error' ? 'bg-bad-soft text-bad' : 'bg-warn-soft text-warn'}`}
            >
              <Icon name="warn" size={14} />
            </span>
            <span className="min-w-0 flex-1">
              <span className="block font-medium break-words">
                <span className="sr-only">{item.severity === 'error' ? 'Error: ' : 'Warning: '}</span>
                {item.text}
              </span>
              <span className="block text-muted break-words">{reasonWords(item.advice)}</span>
            </span>
            <Icon name="chevron" size={12} className="mt-1.5 text-faint group-hover:text-ink" />
          </Anchor>
        </li>
      ))}
    </ul>
  )
}

function hrefOf({ page, workflowId, endpointId, ...filter }: Trouble['target']): string {
  if (page === 'webhooks') return endpointId ? paths.webhook(endpointId) : paths.webhooks
  if (page === 'workflows') return workflowId ? paths.workflow(workflowId) : paths.workflows
  const pages: Record<string, string> = {
    'dead-letters': paths.deadLetters,
    integrations: paths.integrations,
    suppressions: paths.suppressions,
  }
  return (pages[page] ?? paths.activity) + toSearch(filter)
}
