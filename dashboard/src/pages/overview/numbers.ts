import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import type { Numbers, NumbersSeries } from '../../api/types.ts'

export const ranges = [
  { id: '1h', label: '1 h', ms: 3_600_000 },
  { id: '24h', label: '24 h', ms: 86_400_000 },
  { id: '7d', label: '7 days', ms: 7 * 86_400_000 },
  { id: '30d', label: '30 days', ms: 30 * 86_400_000 },
] as const
export type RangeId = (typeof ranges)[number]['id']
export type By = 'channel' | 'workflow' | 'provider'
type Outcome = NumbersSeries['key']['outcome']

// Asked again when the server says that something changed, and at least this often: time passes without changes too.
const everyMs = 30_000

export const numbersQuery = (range: RangeId, by: By) =>
  queryOptions({
    queryKey: ['live', 'numbers', range, by],
    queryFn: ({ signal }) => {
      const ms = ranges.find(({ id }) => id === range)?.ms ?? 0
      return api.get('/v1/numbers', { query: { from: new Date(Date.now() - ms).toISOString(), by: [by] }, signal })
    },
    refetchInterval: everyMs,
    placeholderData: (previous) => previous,
  })

export const nowQuery = queryOptions({
  queryKey: ['live', 'now'],
  queryFn: ({ signal }) => api.get('/v1/numbers/now', { signal }),
  refetchInterval: 5_000,
})

const stepMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }

/** The beginnings of all buckets, in seconds: the server sends only those in which something happened. */
export function bucketsOf({ from, to, step }: Numbers): number[] {
  const [start, end] = [Date.parse(from), Date.parse(to)]
  const count = Math.max(1, Math.ceil((end - start) / stepMs[step]))
  return Array.from({ length: count }, (_, index) => (start + index * stepMs[step]) / 1000)
}

/** The sum of the series that fit, in every bucket. */
export function valuesOf(buckets: readonly number[], series: readonly NumbersSeries[], outcome: Outcome): number[] {
  const byTime = new Map<number, number>()
  for (const { key, points } of series) {
    if (key.outcome !== outcome) continue
    for (const { at, n } of points) {
      const seconds = Date.parse(at) / 1000
      byTime.set(seconds, (byTime.get(seconds) ?? 0) + n)
    }
  }
  return buckets.map((seconds) => byTime.get(seconds) ?? 0)
}

export const totalOf = (series: readonly NumbersSeries[], outcome: Outcome) =>
  series.filter(({ key }) => key.outcome === outcome).reduce((sum, { total }) => sum + total, 0)
