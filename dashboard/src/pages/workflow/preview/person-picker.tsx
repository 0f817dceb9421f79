import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { api } from '../../../api/client.ts'
import type { Subscriber } from '../../../api/types.ts'
import { Field, Input } from '../../../ui/form/form.tsx'
import { type Listbox, useListbox } from '../../../ui/form/use-listbox.ts'

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

/** The API looks by one field at a time: an e-mail has an @, anything else is a name or a whole id. */
function usePeople(text: string, enabled: boolean): Subscriber[] {
  const search = useDeferredValue(text.trim())
  const { data } = useQuery({
    queryKey: ['people', search],
    enabled,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const ask = (by: { email?: string; subscriberId?: string; name?: string }) =>
        api.get('/v2/subscribers', { query: { ...by, limit: 8 }, signal }).then(({ data: found }) => found)
      if (!search) return ask({})
      if (search.includes('@')) return ask({ email: search })
      const [byId, byName] = await Promise.all([ask({ subscriberId: search }), ask({ name: search })])
      const others = byName.filter(({ _id }) => !byId.some((one) => one._id === _id))
      return [...byId, ...others].slice(0, 8)
    },
  })
  return data ?? []
}
