import type { Sample } from './watch.ts'

/** What may not grow with time, and by how much the last quarter may exceed the first one. */
type Rule = {
  of: RegExp
  times: number
  plus: number
  unit: string
  /** Before that it grows as it must. */
  fromSeconds?: number
}

// Done tasks leave their queue after an hour.
const doneTasksLeaveSeconds = 3_900

// V8 gives memory back late, and a pool opens all its connections only once it has needed them.
const rules: readonly Rule[] = [
  { of: /^(api|worker)-kept MB$/, times: 1.2, plus: 32, unit: 'MB' },
  { of: /^driver MB$/, times: 1.25, plus: 64, unit: 'MB' },
  { of: /^connections$/, times: 1.2, plus: 4, unit: '' },
  { of: /^queue MB$/, times: 1.25, plus: 8, unit: 'MB', fromSeconds: doneTasksLeaveSeconds },
  { of: /^queue rows$/, times: 1.25, plus: 5_000, unit: '', fromSeconds: doneTasksLeaveSeconds },
  { of: /^queue dead$/, times: 1.5, plus: 5_000, unit: '', fromSeconds: doneTasksLeaveSeconds },
  { of: /^(queue open|waiting|open)$/, times: 2, plus: 500, unit: '' },
]

export type Flat = {
  what: string
  first: number
  last: number
  most: number
  /** Of the line that fits best: what an hour adds. */
  perHour: number
  unit: string
  isFlat: boolean
}

// Fewer say nothing of quarters.
const leastPoints = 8
const warmUpShare = 0.15
const mostWarmUpSeconds = 600

/** The medians of the first and of the last quarter after warming up: a fault in a minute of either is not yet growth. */
export function judgeFlatness(samples: readonly Sample[]): Flat[] {
  const all = samples.at(-1)?.seconds ?? 0
  const warm = samples.filter(({ seconds }) => seconds > Math.min(all * warmUpShare, mostWarmUpSeconds))
  const names = Object.keys(samples[0] ?? {})
  return names.flatMap((what) => {
    const rule = rules.find(({ of }) => of.test(what))
    const points = warm.flatMap((sample) => {
      const value = sample[what]
      const isSettled = sample.seconds >= (rule?.fromSeconds ?? 0)
      return typeof value === 'number' && isSettled ? { x: sample.seconds, y: value } : []
    })
    if (!rule || points.length < leastPoints) return []
    const quarter = Math.ceil(points.length / 4)
    const [first, last] = [points.slice(0, quarter), points.slice(-quarter)].map((some) =>
      median(some.map(({ y }) => y)),
    )
    const limit = (first ?? 0) * rule.times + rule.plus
    return {
      ...{ what, first: first ?? 0, last: last ?? 0, unit: rule.unit, isFlat: (last ?? 0) <= limit },
      most: Math.max(...points.map(({ y }) => y)),
      perHour: slope(points) * 3_600,
    }
  })
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** Least squares. */
function slope(points: readonly { x: number; y: number }[]): number {
  const mean = (of: 'x' | 'y') => points.reduce((sum, point) => sum + point[of], 0) / points.length
  const [x, y] = [mean('x'), mean('y')]
  const spread = points.reduce((sum, point) => sum + (point.x - x) ** 2, 0)
  return spread === 0 ? 0 : points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0) / spread
}
