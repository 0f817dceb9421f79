import { useMemo } from 'react'
import type { GetGiven } from '../../../api/calls.ts'
import { useFilters } from '../../../lib/filters.ts'

export type FilterName = 'who' | 'what' | 'environment' | 'range' | 'since' | 'until' | 'subjectType' | 'subjectId'
export type Filters = Partial<Record<FilterName, string>>
export type ChangeFilters = (changes: Partial<Record<FilterName, string | undefined>>) => void

/** In place of one environment: all of them, and what belongs to none. */
export const everywhere = 'all'

export const ranges = [
  { value: '', label: 'Any time' },
  { value: 'day', label: 'Last 24 hours' },
  { value: 'week', label: 'Last 7 days' },
  { value: 'month', label: 'Last 30 days' },
  { value: 'days', label: 'From … to …' },
] as const
const dayMs = 86_400_000
const rangeMs: Record<string, number> = { day: dayMs, week: 7 * dayMs, month: 30 * dayMs }

export type RecordQuery = NonNullable<GetGiven<'/v1/changes/export'>['query']>

export function useRecordFilters(): { filters: Filters; change: ChangeFilters; query: RecordQuery } {
  const [filters, change] = useFilters<FilterName>()
  const { range } = filters
  // The range begins when it was chosen, so that pages fit together.
  const since = useMemo(() => {
    const ms = rangeMs[range ?? '']
    return ms ? new Date(Date.now() - ms).toISOString() : undefined
  }, [range])
  return { filters, change, query: queryOf(filters, since) }
}

export function queryOf(filters: Filters, since: string | undefined): RecordQuery {
  const isDays = filters.range === 'days'
  return {
    of: filters.environment === everywhere ? 'organization' : undefined,
    actorId: filters.who,
    action: filters.what,
    subjectType: filters.subjectType,
    subjectId: filters.subjectId,
    since: since ?? (isDays ? dayOf(filters.since) : undefined),
    // The last day is in it wholly.
    until: isDays ? dayOf(filters.until, 1) : undefined,
  }
}

/** A day as a person means it, in their own zone. What is no day goes to the server as it is: it says what is wrong. */
function dayOf(text: string | undefined, later = 0): string | undefined {
  if (!text) return undefined
  const [year, month, day] = text.split('-').map(Number)
  const date = new Date(year ?? Number.NaN, (month ?? Number.NaN) - 1, (day ?? Number.NaN) + later)
  return Number.isNaN(date.getTime()) ? text : date.toISOString()
}
