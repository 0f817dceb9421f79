import { useQuery } from '@tanstack/react-query'
import { toFault } from '../../../api/fault.ts'
import type { ListedEnvironment } from '../../../api/types.ts'
import { useFilters } from '../../../lib/filters.ts'
import { useSession } from '../../../lib/session.ts'
import { environmentsQuery, sourceOf } from '../environments/queries.ts'

export type Sides = { source: ListedEnvironment; target: ListedEnvironment }
type Named = { from?: string | undefined; into?: string | undefined }

/**
 * From where to where: what the address names; else into this environment, if it is published to, or from it into one that
 * is published from it.
 */
export function pickSides(all: readonly ListedEnvironment[], hereId: string, named: Named): Partial<Sides> {
  const find = (slug: string | undefined) => all.find((it) => slug !== undefined && it.slug === slug)
  const here = all.find(({ _id }) => _id === hereId)
  const child = all.find(({ _parentId }) => _parentId === hereId)
  const target = find(named.into) ?? (here && sourceOf(all, hereId) ? here : child)
  if (!target) return {}
  const wanted = [find(named.from), sourceOf(all, target._id), here]
  const source = wanted.find((it) => it && it._id !== target._id)
  return { target, ...(source && { source }) }
}

/** Those that can be published from and to: not deleted, and not in another cell. */
export function useSides() {
  const { environment } = useSession()
  const { data, error, refetch } = useQuery(environmentsQuery)
  const [filters, setFilters] = useFilters<'from' | 'into'>()
  const all = (data ?? []).filter(({ deletedAt, isElsewhere }) => !deletedAt && !isElsewhere)
  return {
    all,
    ...pickSides(all, environment.id, filters),
    isPending: !data && !error,
    fault: error && toFault(error),
    refetch,
    choose: (sides: Named) => setFilters(sides),
  }
}
