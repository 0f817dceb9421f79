import { useNavigate, useSearch } from '@tanstack/react-router'

/**
 * The filters of a page live in its address, as plain text: they can be sent to a colleague, and Back undoes them.
 * `const [filters, setFilters] = useFilters<'search' | 'channel'>()`
 */
export function useFilters<Name extends string>(): [
  Partial<Record<Name, string>>,
  (changes: Partial<Record<Name, string | undefined>>) => void,
] {
  const all: Record<string, string> = useSearch({ strict: false })
  const search = all as Partial<Record<Name, string>>
  const navigate = useNavigate()
  const change = (changes: Partial<Record<Name, string | undefined>>) => {
    void navigate({ to: '.', search: withChanges(search, changes), replace: true })
  }
  return [search, change]
}

type Search = Record<string, string | undefined>

/** What is empty goes out of the address. */
export function withChanges(search: Search, changes: Search): Record<string, string> {
  const merged = Object.entries({ ...search, ...changes })
  return Object.fromEntries(merged.flatMap(([name, value]) => (value ? [[name, value]] : [])))
}
