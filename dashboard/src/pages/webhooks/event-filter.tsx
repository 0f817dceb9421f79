import { useId, useRef } from 'react'
import { Checkbox } from '../../ui/form/form.tsx'
import { Segments } from '../../ui/tabs.tsx'
import { meaningOf, type Subject, shareOf, subjects, verbOf, type Wanted, withTypes } from './event-types.ts'

type EventFilterProps = { wanted: Wanted; onChange(wanted: Wanted): void; error?: string | undefined }

const choices = [
  { id: 'all', label: 'All events' },
  { id: 'some', label: 'Only some' },
] as const

/** What the endpoint is told of, by subject. */
export function EventFilter({ wanted, onChange, error }: EventFilterProps) {
  // Whoever looks at "all" and comes back finds what they had chosen.
  const last = useRef<readonly string[]>(wanted ?? [])
  if (wanted) last.current = wanted
  const choose = (id: 'all' | 'some') => onChange(id === 'all' ? null : last.current)
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <span aria-hidden className="text-sm font-medium">
        Events
      </span>
      <div>
        <Segments label="Events" items={choices} value={wanted ? 'some' : 'all'} onChange={choose} />
      </div>
      {wanted ? (
        <div className="mt-1 divide-y divide-line rounded-md border border-line">
          {subjects.map((subject) => (
            <Group key={subject.id} subject={subject} chosen={wanted} onChange={onChange} />
          ))}
        </div>
      ) : (
        <p className="text-sm text-muted">Also those that later versions add.</p>
      )}
      {error && (
        <p role="alert" className="text-sm text-bad">
          {error}
        </p>
      )}
    </div>
  )
}

type GroupProps = { subject: Subject; chosen: readonly string[]; onChange(chosen: string[]): void }

function Group({ subject, chosen, onChange }: GroupProps) {
  const id = useId()
  const share = shareOf(chosen, subject)
  const { types, label } = subject
  return (
    <div role="group" aria-labelledby={id} className="grid gap-x-4 gap-y-2 px-3 py-2.5 sm:grid-cols-[8.5rem_1fr]">
      <span id={id} className="font-medium">
        <Checkbox
          label={label}
          checked={share === 'all'}
          partly={share === 'some'}
          onChange={(event) => onChange(withTypes(chosen, types, event.target.checked))}
        />
      </span>
      <div className="flex flex-wrap gap-x-4 gap-y-1.5 max-sm:pl-6">
        {types.map((type) => (
          <span key={type} title={meaningOf(type)}>
            <Checkbox
              label={verbOf(type)}
              checked={chosen.includes(type)}
              onChange={(event) => onChange(withTypes(chosen, [type], event.target.checked))}
            />
          </span>
        ))}
      </div>
    </div>
  )
}
