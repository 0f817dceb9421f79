import type { Send } from '../../api/types.ts'
import { count } from './words.ts'

/** How many of its people were reached, small. */
export function PeopleBar({ people: { total, written } }: { people: Send['people'] }) {
  const share = total ? Math.min(100, (written / total) * 100) : 0
  return (
    <span className="block min-w-0">
      <span className="mb-1 block truncate text-xs">
        {count(written)} <span className="text-muted">of {total === null ? 'those being counted' : count(total)}</span>
      </span>
      <span aria-hidden="true" className="block h-1 overflow-hidden rounded-full bg-neutral-soft">
        <span className="block h-full rounded-full bg-accent" style={{ width: `${share}%` }} />
      </span>
    </span>
  )
}
