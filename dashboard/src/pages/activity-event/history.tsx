import type { ExecutionDetail } from '../../api/types.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Time } from '../../ui/time.tsx'
import { withLocalTimes } from '../activity/steps.ts'

const tones: Record<ExecutionDetail['status'], Tone> = {
  Success: 'ok',
  Warning: 'warn',
  Failed: 'bad',
  Pending: 'info',
  Queued: 'info',
  ReadConfirmation: 'ok',
}
const words: Partial<Record<ExecutionDetail['status'], string>> = { ReadConfirmation: 'read' }

/** The execution details as the server wrote them, the oldest first. */
export function History({ details }: { details: readonly ExecutionDetail[] }) {
  if (details.length === 0) return <p className="text-muted">Nothing has happened to this step yet.</p>
  return (
    <ol className="divide-y divide-line">
      {details.map((line) => (
        <li key={line._id} className="flex flex-wrap items-baseline gap-x-3 gap-y-1 py-2 first:pt-0 last:pb-0">
          <span className="w-18 shrink-0">
            <Badge tone={tones[line.status]}>{words[line.status] ?? line.status.toLowerCase()}</Badge>
          </span>
          <span className="min-w-0 flex-1 basis-56">
            <span className="block break-words">
              {withLocalTimes(line.detail)}
              {line.isRetry && <span className="text-muted"> (retry)</span>}
            </span>
            {line.raw && !line.detail.includes(line.raw) && (
              <span className="block font-mono text-xs leading-5 break-words text-muted">{line.raw}</span>
            )}
          </span>
          <span className="shrink-0 text-sm text-muted">
            {line.providerId && <span className="mr-3">{line.providerId}</span>}
            <Time at={line.createdAt} full />
          </span>
        </li>
      ))}
    </ol>
  )
}
