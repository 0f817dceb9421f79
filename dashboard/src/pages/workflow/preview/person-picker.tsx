import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useDeferredValue, useId, useState } from 'react'
import { api } from '../../../api.ts'
import type { Subscriber } from '../../../api-types.ts'
import { Field, Input } from '../../../ui/form/form.tsx'

type PersonPickerProps = {
  label: string
  /** A subscriberId, or nothing. */
  value: string
  onChange(subscriberId: string): void
  hint?: ReactNode
  error?: string | undefined
  placeholder?: string
}

/** Somebody by id, name or e-mail. What is typed and not chosen is taken as an id. */
export function PersonPicker({ label, value, onChange, hint, error, placeholder }: PersonPickerProps) {
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const [at, setAt] = useState(-1)
  const people = usePeople(typed ?? '', typed !== null)
  const open = typed !== null && people.length > 0
  const take = (subscriberId: string) => {
    onChange(subscriberId)
    setTyped(null)
    setAt(-1)
  }
  const keys = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && open) setAt((at + step + people.length) % people.length)
    else if (step) setTyped(typed ?? '')
    else if (event.key === 'Enter' && typed !== null) take(people[at]?.subscriberId ?? typed.trim())
    else if (event.key === 'Escape' && typed !== null) setTyped(null)
    else return
    event.preventDefault()
  }
  return (
    <div className="relative">
      <Field label={label} hint={hint} error={error}>
        <Input
          role="combobox"
          aria-expanded={open}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          {...(open && at >= 0 && { 'aria-activedescendant': `${id}-${at}` })}
          placeholder={placeholder ?? 'Id, name or e-mail'}
          value={typed ?? value}
          onText={(text) => {
            setTyped(text)
            setAt(-1)
          }}
          onClick={() => setTyped(typed ?? '')}
          onKeyDown={keys}
          onBlur={() => (typed?.trim() ? take(typed.trim()) : setTyped(null))}
        />
      </Field>
      <PeopleList id={id} open={open} people={people} at={at} onTake={take} />
    </div>
  )
}

type PeopleListProps = {
  id: string
  open: boolean
  people: readonly Subscriber[]
  at: number
  onTake(subscriberId: string): void
}

function PeopleList({ id, open, people, at, onTake }: PeopleListProps) {
  return (
    <div
      id={`${id}-list`}
      role="listbox"
      aria-label="People"
      hidden={!open}
      className="absolute inset-x-0 z-30 mt-1 max-h-72 overflow-y-auto rounded-md border border-line bg-raised p-1 shadow-pop"
    >
      {people.map((person, index) => (
        <div
          key={person.subscriberId}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === at}
          // Before the field loses the focus, and with it the list.
          onMouseDown={(event) => {
            event.preventDefault()
            onTake(person.subscriberId)
          }}
          className={`flex cursor-pointer items-baseline justify-between gap-3 rounded px-2 py-1.5 ${index === at ? 'bg-accent-soft' : 'hover:bg-hover'}`}
        >
          <span className="min-w-0 truncate">{nameOf(person)}</span>
          <span className="min-w-0 truncate text-xs text-muted">{person.email ?? person.subscriberId}</span>
        </div>
      ))}
    </div>
  )
}

const nameOf = ({ firstName, lastName, subscriberId }: Subscriber) =>
  [firstName, lastName].filter(Boolean).join(' ') || subscriberId

type Found = { data: Subscriber[] }

/** The API looks by one field at a time: an e-mail has an @, anything else is a name or a whole id. */
function usePeople(text: string, enabled: boolean): Subscriber[] {
  const search = useDeferredValue(text.trim())
  const { data } = useQuery({
    queryKey: ['people', search],
    enabled,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const ask = (query: Record<string, string>) =>
        api.get<Found>('/v2/subscribers', { ...query, limit: 8 }, signal).then(({ data: found }) => found)
      if (!search) return ask({})
      if (search.includes('@')) return ask({ email: search })
      const [byId, byName] = await Promise.all([ask({ subscriberId: search }), ask({ name: search })])
      const others = byName.filter(({ _id }) => !byId.some((one) => one._id === _id))
      return [...byId, ...others].slice(0, 8)
    },
  })
  return data ?? []
}
