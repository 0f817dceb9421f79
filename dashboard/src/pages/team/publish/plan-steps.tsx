import { Badge } from '../../../ui/badge.tsx'
import { kindWord, type Left, type Step } from './words.ts'

/** What happens to each, and what stays though it differs. */
export function PlanSteps({ done, left }: { done: readonly Step[]; left: readonly Left[] }) {
  return (
    <div className="flex flex-col gap-3">
      {done.length > 0 && (
        <ul
          aria-label="Changes"
          className="max-h-[40vh] divide-y divide-line overflow-y-auto rounded-md border border-line"
        >
          {done.map(({ kind, id, name, word, tone }) => (
            <li key={`${kind} ${id}`} className="flex items-center gap-2.5 px-3 py-1.5">
              <span className="shrink-0 text-muted">{kindWord(kind)}</span>
              <span className="min-w-0 flex-1 truncate" title={id}>
                {name}
              </span>
              <Badge tone={tone}>{word}</Badge>
            </li>
          ))}
        </ul>
      )}
      {left.length > 0 && (
        <ul aria-label="Stays as it is" className="flex flex-col gap-1 text-sm text-muted">
          {left.map(({ kind, id, name, reason }) => (
            <li key={`${kind} ${id}`}>
              {kindWord(kind)} {name} stays: {reason}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
