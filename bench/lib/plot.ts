import { format } from './numbers.ts'

export type Line = { name: string; points: readonly (readonly [x: number, y: number])[] }
/** `tone`: bars that are one kind of thing share a colour. */
export type Bar = { name: string; value: number; tone?: number }

export type Plot =
  | { kind: 'lines'; title: string; x: string; y: string; lines: readonly Line[]; logX?: boolean; dots?: boolean }
  | { kind: 'bars'; title: string; y: string; bars: readonly Bar[]; limit?: { name: string; value: number } }

const [width, height] = [720, 360]
const area = { left: 72, right: 24, top: 48, bottom: 64 }
const inner = { width: width - area.left - area.right, height: height - area.top - area.bottom }
// Told apart on white and on black, and by people who do not see all colours.
const colours = ['#4477aa', '#ee6677', '#228833', '#aa3377', '#bb8800', '#33aacc']

/** A picture that is read in a README, on white or on black. */
export function toSvg(plot: Plot): string {
  const body = plot.kind === 'bars' ? drawBars(plot) : drawLines(plot)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(plot.title)}">
<style>
  text { font: 12px system-ui, sans-serif; fill: #444 }
  .title { font-size: 15px; font-weight: 600 }
  .grid { stroke: #8885; stroke-width: 1 }
  .limit { stroke: #c44; stroke-width: 1.5; stroke-dasharray: 6 4 }
  @media (prefers-color-scheme: dark) { text { fill: #ccc } }
</style>
<text class="title" x="${area.left}" y="24">${escapeXml(plot.title)}</text>
${body}
</svg>
`
}

function drawBars({ bars, y, limit }: Extract<Plot, { kind: 'bars' }>): string {
  const scale = scaleOf([0, ...bars.map((bar) => bar.value), ...(limit ? [limit.value] : [])])
  const step = inner.width / Math.max(bars.length, 1)
  const drawn = bars.map(({ name, value, tone = 0 }, n) => {
    const barHeight = Math.max(1, scale.at(0) - scale.at(value))
    const x = area.left + n * step + step * 0.18
    const middle = area.left + (n + 0.5) * step
    return `<rect x="${round(x)}" y="${round(scale.at(value))}" width="${round(step * 0.64)}" height="${round(barHeight)}" rx="2" fill="${colourOf(tone)}"/>
<text x="${round(middle)}" y="${round(scale.at(value) - 6)}" text-anchor="middle">${format(value)}</text>
${label(name, middle, step)}`
  })
  const line = limit
    ? `<line class="limit" x1="${area.left}" x2="${width - area.right}" y1="${round(scale.at(limit.value))}" y2="${round(scale.at(limit.value))}"/>
<text x="${width - area.right}" y="${round(scale.at(limit.value) - 5)}" text-anchor="end">${escapeXml(limit.name)}</text>`
    : ''
  return [gridY(scale, y), ...drawn, line].join('\n')
}

/** Long names break over two lines. */
function label(name: string, x: number, room: number): string {
  const words = name.split(' ')
  const fits = Math.floor(room / 7)
  let first = ''
  while (words[0] !== undefined && (first === '' || `${first} ${words[0]}`.length <= fits)) {
    first = `${first} ${words.shift()}`.trim()
  }
  const line = (text: string, y: number) =>
    `<text x="${round(x)}" y="${y}" text-anchor="middle">${escapeXml(text)}</text>`
  const y = height - area.bottom + 18
  return words.length > 0 ? `${line(first, y)}\n${line(words.join(' '), y + 15)}` : line(first, y)
}

function drawLines({ lines, x, y, logX = false, dots = false }: Extract<Plot, { kind: 'lines' }>): string {
  const points = lines.flatMap((line) => line.points)
  const scale = scaleOf([0, ...points.map((point) => point[1])])
  const warp = (value: number) => (logX ? Math.log10(Math.max(value, 1e-9)) : value)
  const xs = points.map((point) => warp(point[0]))
  const [from, to] = [Math.min(...xs), Math.max(...xs)]
  const atX = (value: number) => area.left + 12 + ((warp(value) - from) / (to - from || 1)) * (inner.width - 24)
  const drawn = lines.map((line, n) => {
    const path = line.points.map((point) => `${round(atX(point[0]))},${round(scale.at(point[1]))}`)
    const marks = path.map(
      (at) => `<circle cx="${at.split(',')[0]}" cy="${at.split(',')[1]}" r="3.5" fill="${colourOf(n)}"/>`,
    )
    return `<polyline points="${path.join(' ')}" fill="none" stroke="${colourOf(n)}" stroke-width="2"/>${dots ? marks.join('') : ''}`
  })
  const ticks = dots ? [...new Set(points.map((point) => point[0]))] : ticksOf(from, to).map((tick) => tick)
  const below = ticks.map(
    (tick) =>
      `<text x="${round(atX(tick))}" y="${height - area.bottom + 18}" text-anchor="middle">${format(tick)}</text>`,
  )
  const caption = `<text x="${area.left + inner.width / 2}" y="${height - area.bottom + 36}" text-anchor="middle">${escapeXml(x)}</text>`
  return [gridY(scale, y), ...drawn, ...below, caption, legend(lines.map((line) => line.name))].join('\n')
}

function legend(names: readonly string[]): string {
  const step = inner.width / Math.max(names.length, 1)
  const entries = names.map((name, n) => {
    const x = area.left + n * step
    return `<rect x="${round(x)}" y="${height - 19}" width="12" height="12" rx="2" fill="${colourOf(n)}"/>
<text x="${round(x + 18)}" y="${height - 9}">${escapeXml(name)}</text>`
  })
  return entries.join('\n')
}

type Scale = { ticks: number[]; at(value: number): number }

function scaleOf(values: readonly number[]): Scale {
  const ticks = ticksOf(0, Math.max(...values))
  const top = Math.max(ticks.at(-1) ?? 1, ...values)
  return { ticks, at: (value) => area.top + inner.height * (1 - value / (top || 1)) }
}

/** Round numbers: 1, 2 or 5 times a power of ten apart. */
function ticksOf(from: number, to: number): number[] {
  const rough = (to - from || 1) / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power
  const first = Math.ceil(from / step)
  return Array.from({ length: Math.ceil((to - first * step) / step) + 1 }, (_, n) => (first + n) * step)
}

function gridY(scale: Scale, name: string): string {
  const lines = scale.ticks.map(
    (
      tick,
    ) => `<line class="grid" x1="${area.left}" x2="${width - area.right}" y1="${round(scale.at(tick))}" y2="${round(scale.at(tick))}"/>
<text x="${area.left - 8}" y="${round(scale.at(tick) + 4)}" text-anchor="end">${format(tick)}</text>`,
  )
  return [`<text x="${area.left}" y="40">${escapeXml(name)}</text>`, ...lines].join('\n')
}

const colourOf = (n: number) => colours[n % colours.length]
const round = (value: number) => Math.round(value * 10) / 10
const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
