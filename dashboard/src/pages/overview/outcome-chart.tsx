import { useMemo } from 'react'
import type { Numbers, NumbersSeries } from '../../api/types.ts'
import { Chart, type ChartColour } from '../../ui/chart.tsx'
import { bucketsOf, totalOf, valuesOf } from './numbers.ts'

const shown = [
  { outcome: 'sent', label: 'Sent', colour: 'ok' },
  { outcome: 'unknown', label: 'Unclear', colour: 'warn' },
  { outcome: 'failed', label: 'Failed', colour: 'bad' },
  { outcome: 'skipped', label: 'Skipped', colour: 'neutral' },
] as const satisfies readonly { outcome: string; label: string; colour: ChartColour }[]

type OutcomeChartProps = { label: string; numbers: Numbers; series: readonly NumbersSeries[]; height?: number }

/** What became of messages over time. What did not happen at all is left out, but for "Sent". */
export function OutcomeChart({ label, numbers, series, height }: OutcomeChartProps) {
  const { times, lines } = useMemo(() => {
    const buckets = bucketsOf(numbers)
    const present = shown.filter(({ outcome }) => outcome === 'sent' || totalOf(series, outcome) > 0)
    return {
      times: buckets,
      lines: present.map(({ outcome, label, colour }) => ({
        label,
        colour,
        values: valuesOf(buckets, series, outcome),
      })),
    }
  }, [numbers, series])
  return <Chart label={label} times={times} series={lines} {...(height && { height })} />
}
