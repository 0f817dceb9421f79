import type { Cluster } from './cluster.ts'
import type { Plot } from './plot.ts'

/** `least`: more is better. `most`: less is better. */
type Bound = { least: number } | { most: number }

export type Figure = {
  what: string
  value: number
  unit: string
  /** Missed: the run fails. */
  floor?: Bound
  goal?: Bound
}

export type Result = { figures: Figure[]; plot: Plot; notes: string[] }

const sizes = ['quick', 'small', 'medium', 'full'] as const
/** `quick` for CI, `small` and `medium` to try a series, `full` for the record. */
export type Size = (typeof sizes)[number]

export function readSize(text: string): Size {
  const size = sizes.find((it) => it === text)
  if (!size) throw new Error(`--sizes is one of: ${sizes.join(', ')}`)
  return size
}

export type Bench = { cluster: Cluster; size: Size; say(line: string): void }

export type Series = { id: string; title: string; run(bench: Bench): Promise<Result> }

export type Verdict = 'goal' | 'floor' | 'short of goal' | 'MISSED' | ''

export function judge({ value, floor, goal }: Figure): Verdict {
  if (floor && !holds(value, floor)) return 'MISSED'
  if (goal && holds(value, goal)) return 'goal'
  if (floor) return 'floor'
  return goal ? 'short of goal' : ''
}

function holds(value: number, bound: Bound): boolean {
  return 'least' in bound ? value >= bound.least : value <= bound.most
}

/** For each size its own. */
export function bySize<T>(size: Size, values: Record<Size, T>): T {
  return values[size]
}
