import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useTheme } from '../lib/theme.ts'

export type ChartColour = 'ok' | 'bad' | 'warn' | 'neutral' | '1' | '2' | '3' | '4' | '5' | '6'
export type ChartSeries = { label: string; colour: ChartColour; values: readonly number[] }
type ChartProps = {
  /** What is shown, for those who cannot see it. */
  label: string
  /** Seconds since 1970, ascending; every series has a value for each. */
  times: readonly number[]
  series: readonly ChartSeries[]
  /** Bars lie on one another; lines each stand for themselves. */
  kind?: 'bars' | 'lines'
  height?: number
}

const number = new Intl.NumberFormat('en')
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const colourOf = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

/** Time series. Redrawn when the theme changes, resized with its place. */
export function Chart({ label, times, series, kind = 'bars', height = 200 }: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const theme = useTheme()
  useEffect(() => {
    const element = place.current
    if (!element) return
    // `theme` is what the colours below depend on.
    const colours = { theme, text: colourOf('--faint'), grid: colourOf('--line') }
    const plot = new uPlot(
      optionsOf({ half: halfStep(times, kind), series, kind, height, width: element.clientWidth, ...colours }),
      dataOf(times, series, kind),
      element,
    )
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [times, series, kind, height, theme])
  return (
    <div className="min-w-0">
      <div
        ref={place}
        role="img"
        aria-label={`${label}. ${summary(series)}`}
        style={{ height }}
        className="relative min-w-0"
      />
      <Legend series={series} />
    </div>
  )
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const summary = (series: readonly ChartSeries[]) =>
  series.map(({ label, values }) => `${label}: ${number.format(sum(values))} in all`).join(', ')

function Legend({ series }: { series: readonly ChartSeries[] }) {
  return (
    <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {series.map(({ label, colour, values }) => (
        <li key={label} className="inline-flex items-center gap-1.5">
          <span className="size-2 rounded-[2px]" style={{ background: `var(--chart-${colour})` }} />
          <span className="text-muted">{label}</span>
          <span className="font-medium">{number.format(sum(values))}</span>
        </li>
      ))}
    </ul>
  )
}

/** Bars are drawn from the highest sum down, so that each covers what is not its own. */
function dataOf(times: readonly number[], series: readonly ChartSeries[], kind: 'bars' | 'lines'): uPlot.AlignedData {
  if (kind === 'lines') return [[...times], ...series.map(({ values }) => [...values])]
  const sums: number[][] = []
  for (const { values } of series) {
    const below = sums.at(-1)
    sums.push(values.map((value, index) => value + (below?.[index] ?? 0)))
  }
  return [[...times], ...sums.reverse()]
}

type Drawing = {
  half: number
  series: readonly ChartSeries[]
  kind: 'bars' | 'lines'
  height: number
  width: number
  text: string
  grid: string
}

function optionsOf({ half, series, kind, height, width, text, grid }: Drawing): uPlot.Options {
  const drawn = kind === 'bars' ? [...series].reverse() : series
  const bars = uPlot.paths.bars?.({ size: [0.72, 28], radius: 0.12 })
  const axis = { stroke: text, font: '11px "Geist Variable", system-ui', ticks: { show: false }, grid: { show: false } }
  return {
    width,
    height,
    padding: [8, 18, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: kind === 'lines' }, drag: { x: false, y: false } },
    scales: {
      x: { time: true, range: (_plot, low, high) => [low - half, high + half] },
      y: { range: (_plot, _low, high) => [0, Math.max(4, high * 1.08)] },
    },
    axes: [
      {
        ...axis,
        size: 26,
        space: 64,
        values: (_plot, ticks, _axis, _space, step) => ticks.map((at) => tickText(at, step)),
      },
      {
        ...axis,
        size: 40,
        grid: { stroke: grid, width: 1 },
        splits: wholeSplits,
        values: (_plot, ticks) => ticks.map((n) => compact.format(n)),
      },
    ],
    series: [
      {},
      ...drawn.map(({ label, colour }) => {
        const stroke = colourOf(`--chart-${colour}`)
        return kind === 'bars'
          ? { label, fill: stroke, stroke, width: 0, points: { show: false }, ...(bars && { paths: bars }) }
          : { label, stroke, width: 1.75, points: { show: false } }
      }),
    ],
    plugins: [tooltip(series)],
  }
}

/** Bars stand astride their time: the first and last need room. */
const halfStep = (times: readonly number[], kind: 'bars' | 'lines') =>
  kind === 'bars' ? ((times[1] ?? 0) - (times[0] ?? 0)) / 2 || 1800 : 0

const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' })

/** One line: the day where a day begins or days are all there is, else the time. */
function tickText(at: number, step: number): string {
  const date = new Date(at * 1000)
  const isMidnight = date.getHours() === 0 && date.getMinutes() === 0
  return step >= 86_400 || isMidnight ? day.format(date) : clock.format(date)
}

/** Counts are whole: never a line at 0.5. */
function wholeSplits(_plot: uPlot, _axis: number, low: number, high: number): number[] {
  const rough = (high - low) / 4
  const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)))
  const step = Math.max(1, [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough) ?? rough)
  return Array.from({ length: Math.floor(high / step) + 1 }, (_, index) => index * step)
}

const moment = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hour12: false,
})

function tooltip(series: readonly ChartSeries[]): uPlot.Plugin {
  const box = document.createElement('div')
  box.className =
    'pointer-events-none absolute z-20 hidden rounded-md border border-line bg-raised px-2.5 py-1.5 text-xs shadow-pop whitespace-nowrap'
  const line = (text: string, className: string) => {
    const element = document.createElement('div')
    element.textContent = text
    element.className = className
    return element
  }
  return {
    hooks: {
      init: (plot) => plot.over.append(box),
      setCursor: (plot) => {
        const { idx, left = -1 } = plot.cursor
        const at = idx == null ? undefined : plot.data[0][idx]
        box.classList.toggle('hidden', left < 0 || at === undefined)
        if (idx == null || at === undefined) return
        const lines = series.map(({ label, values }) => line(`${label}  ${number.format(values[idx] ?? 0)}`, ''))
        box.replaceChildren(line(moment.format(at * 1000), 'text-muted'), ...lines)
        const before = left > plot.over.clientWidth / 2
        box.style.left = before ? '' : `${left + 12}px`
        box.style.right = before ? `${plot.over.clientWidth - left + 12}px` : ''
        box.style.top = '4px'
      },
    },
  }
}
