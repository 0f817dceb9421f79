import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '../../../api/client.ts'
import type { Subscriber } from '../../../api/types.ts'
import { usePause } from '../../../lib/use-pause.ts'
import { Field, Input } from '../../../ui/form/form.tsx'
import { type Listbox, useListbox } from '../../../ui/form/use-listbox.ts'
import { exactFirst } from '../../subscribers/search.ts'

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
  const [typed, setTyped] = useState<string | null>(null)
  const people = usePeople(typed ?? '', typed !== null)
  const listbox = useListbox({
    label: 'People',
    items: people,
    open: typed !== null,
    onChoose: (person) => take(person?.subscriberId ?? typed?.trim() ?? ''),
    onOpen: () => setTyped(''),
    onClose: () => setTyped(null),
  })
  const take = (subscriberId: string) => {
    onChange(subscriberId)
    setTyped(null)
    listbox.reset()
  }
  return (
    <div className="relative">
      <Field label={label} hint={hint} error={error}>
        <Input
          {...listbox.combobox}
          placeholder={placeholder ?? 'Id, name or e-mail'}
          value={typed ?? value}
          onText={(text) => {
            setTyped(text)
            listbox.reset()
          }}
          onClick={() => setTyped(typed ?? '')}
          onBlur={() => (typed?.trim() ? take(typed.trim()) : setTyped(null))}
        />
      </Field>
      <PeopleList people={people} listbox={listbox} />
    </div>
  )
}

function PeopleList({ people, listbox }: { people: readonly Subscriber[]; listbox: Listbox }) {
  return (
    <div
      {...listbox.list}
      hidden={!listbox.isShown}
      className="absolute inset-x-0 z-30 mt-1 max-h-72 overflow-y-auto rounded-md border border-line bg-raised p-1 shadow-pop"
    >
      {people.map((person, index) => (
        <div
          key={person.subscriberId}
          {...listbox.option(index)}
          className={`flex cursor-pointer items-baseline justify-between gap-3 rounded px-2 py-1.5 ${index === listbox.active ? 'bg-accent-soft' : 'hover:bg-hover'}`}
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

function usePeople(text: string, enabled: boolean): Subscriber[] {
  const search = usePause(text.trim())
  const { data } = useQuery({
    queryKey: ['people', search],
    enabled,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.get('/v2/subscribers', { query: { ...(search && { search }), limit: 8 }, signal }),
  })
  return exactFirst(data?.data ?? [], search)
}
