import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Cluster } from './cluster.ts'
import { format } from './numbers.ts'
import { toSvg } from './plot.ts'
import { type Figure, judge, type Result, type Series, type Size } from './series.ts'

export function printResult({ figures, notes }: Result): void {
  const wide = Math.max(...figures.map((it) => it.what.length))
  for (const figure of figures) {
    const measured = `${format(figure.value)} ${figure.unit}`
    console.log(
      `   ${figure.what.padEnd(wide)}  ${measured.padStart(24)}  ${boundsOf(figure).padEnd(34)} ${judge(figure)}`,
    )
  }
  for (const note of notes) console.log(`   - ${note}`)
}

function boundsOf({ floor, goal }: Figure): string {
  return [...(floor ? [`floor ${boundText(floor)}`] : []), ...(goal ? [`goal ${boundText(goal)}`] : [])].join(', ')
}

function boundText(bound: NonNullable<Figure['floor']>): string {
  return 'least' in bound ? `≥ ${format(bound.least)}` : `≤ ${format(bound.most)}`
}

export type Measured = { series: Series; result: Result }
/** Load averages of 1, 5 and 15 minutes. */
export type Load = { atStart: readonly number[]; atEnd: readonly number[] }
type Run = {
  cluster: Pick<Cluster, 'version' | 'settings'>
  size: Size
  load: Load
  results: readonly Measured[]
  failed: readonly Series[]
}

/** The page of this day; answers its path. */
export function writeReport(folder: string, { cluster, size, load, results, failed }: Run): string {
  mkdirSync(folder, { recursive: true })
  const date = new Date().toISOString().slice(0, 10)
  const sections = results.map(({ series, result }) => {
    const picture = `${date}-${series.id}.svg`
    writeFileSync(join(folder, picture), toSvg(result.plot))
    return sectionOf(series, result, picture)
  })
  const path = join(folder, `${date}.md`)
  writeFileSync(path, [headOf(date, cluster, size, load), summaryOf(results, failed), ...sections].join('\n'))
  return path
}

/** What else the machine did: a figure of a busy machine says little. */
export function loadText(averages: readonly number[]): string {
  return averages.map((it) => it.toFixed(2)).join(', ')
}

function headOf(date: string, cluster: Run['cluster'], size: Size, load: Load): string {
  const memory = `${(totalmem() / 1024 ** 3).toFixed(0)} GB`
  const how = size === 'full' ? '`npm run bench`' : `\`npm run bench -- --sizes ${size}\``
  return `# Benchmark of ${date}

Made by ${how} at commit \`${commit()}\`. Load generator, API, worker, provider simulator and PostgreSQL share one machine.

| | |
|---|---|
| cores | ${availableParallelism()} (${cpus()[0]?.model.trim() ?? 'unknown'}) |
| memory | ${memory} |
| PostgreSQL | ${cluster.version}: ${cluster.settings.map((it) => `\`${it}\``).join(', ')} |
| Node | ${process.version} |
| load average (1, 5, 15 minutes) | ${loadText(load.atStart)} before the run; ${loadText(load.atEnd)} at its end |
`
}

/** What has a floor or a goal, at a glance. */
function summaryOf(results: readonly Measured[], failed: readonly Series[]): string {
  const rows = results.flatMap(({ series, result }) =>
    result.figures.filter((it) => it.floor || it.goal).map((it) => `| ${series.id} ${rowOf(it)}`),
  )
  const failures = failed.map(({ id, title }) => `\nSeries ${id} (${title}) failed and has no figures.\n`)
  return `| series ${tableHead}
|---|---|---|---|---|---|
${rows.join('\n')}
${failures.join('')}`
}

const tableHead = '| figure | floor | goal | measured | verdict |'

function rowOf(figure: Figure): string {
  const [floor, goal] = [figure.floor ? boundText(figure.floor) : '', figure.goal ? boundText(figure.goal) : '']
  return `| ${figure.what} | ${floor} | ${goal} | ${`${format(figure.value)} ${figure.unit}`.trim()} | ${judge(figure)} |`
}

/** With a plus when the tree has changes of its own. */
function commit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()
  try {
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain', 'src', 'migrations') ? '+' : '')
  } catch {
    return 'unknown'
  }
}

function sectionOf(series: Series, { figures, notes }: Result, picture: string): string {
  return `## ${series.id}. ${series.title}

${tableHead}
|---|---|---|---|---|
${figures.map(rowOf).join('\n')}

![${series.title}](${picture})

${notes.map((note) => `- ${note}`).join('\n')}
`
}
