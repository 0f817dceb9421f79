/**
 * npm run bench                 every series, for the record: docs/benchmarks/<date>.md and a picture per series
 * npm run bench -- --quick      a, b and h in under three minutes, with wide floors; CI runs b
 * npm run bench -- --only b,d   those alone; --sizes small makes each as small as it can be, to try it
 *
 * A PostgreSQL cluster of its own, an API process and a worker process; the load comes from this one. Exits 1 when a
 * floor is missed. BENCH_NODE_OPTIONS is handed to both processes (--cpu-prof).
 */
import { availableParallelism, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { isOver, runToEnd } from '../chaos/lib/clean-up.ts'
import { stolenMs } from '../chaos/lib/stolen-time.ts'
import { startCluster } from './lib/cluster.ts'
import { loadText, type Measured, printResult, writeReport } from './lib/report.ts'
import { type Bench, judge, type Result, readSize, type Series, type Size } from './lib/series.ts'
import { endNodes, printComplaints } from './lib/stage.ts'
import { accept } from './series/a-accept.ts'
import { inApp } from './series/b-in-app.ts'
import { toProvider } from './series/c-provider.ts'
import { toTopic } from './series/d-topic.ts'
import { reads } from './series/e-reads.ts'
import { timers } from './series/f-timers.ts'
import { cost } from './series/g-cost.ts'
import { fairness } from './series/h-fairness.ts'
import { connected } from './series/i-connected.ts'
import { standby } from './series/j-standby.ts'
import { openTransaction } from './series/k-open-transaction.ts'
import { told } from './series/l-told.ts'

const all: Series[] = [
  accept,
  inApp,
  toProvider,
  toTopic,
  reads,
  timers,
  cost,
  fairness,
  connected,
  standby,
  openTransaction,
  told,
]
const ofQuick = ['a', 'b', 'h']

// A virtual machine that gets no core for a second says nothing about a limit in milliseconds.
const mostTaken = 0.05

const started = performance.now()
await runToEnd(async () => {
  const { chosen, size, out } = readArguments()
  const loadAtStart = loadavg()
  const cluster = await startCluster()
  console.log(`PostgreSQL ${cluster.version} · node ${process.version} · ${cluster.settings.join(' ')}`)
  console.log(`load average (1, 5, 15 minutes) before: ${loadText(loadAtStart)}`)
  const results: Measured[] = []
  const failed: Series[] = []
  for (const series of chosen) {
    console.log(`\n${series.id}. ${series.title}`)
    const result = await measure(series, { cluster, size, say: (line) => console.log(`   ${line}`) })
    if (result) results.push({ series, result })
    else failed.push(series)
  }
  const load = { atStart: loadAtStart, atEnd: loadavg() }
  if (out) console.log(`\nwritten: ${writeReport(out, { cluster, size, load, results, failed })}`)
  const missed = results.flatMap(({ result }) => result.figures).filter((figure) => judge(figure) === 'MISSED')
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  if (failed.length > 0) console.log(`\nFAILED: ${failed.map((it) => it.id).join(', ')}`)
  console.log(`\nload average (1, 5, 15 minutes) after: ${loadText(load.atEnd)}`)
  console.log(`${missed.length === 0 ? 'no floor was missed' : `${missed.length} FLOORS MISSED`} · ${seconds} s`)
  process.exitCode = missed.length + failed.length === 0 ? 0 : 1
})

/** Ratios to the bare engine of the same run are judged all the same. */
function withoutTimeFloors(result: Result, taken: number): Result {
  const note = `The host took ${Math.round(taken * 100)} % of the processor: floors in milliseconds were not judged.`
  const figures = result.figures.map(({ floor, ...figure }) => ({
    ...figure,
    ...(figure.unit !== 'ms' && floor && { floor }),
  }))
  return { ...result, figures, notes: [...result.notes, note] }
}

/** Null: it failed. The others are measured all the same. */
async function measure(series: Series, bench: Bench): Promise<Result | null> {
  const began = performance.now()
  try {
    const stolenBefore = stolenMs()
    const measured = await series.run(bench)
    const taken = (stolenMs() - stolenBefore) / (availableParallelism() * (performance.now() - began))
    const result = taken > mostTaken ? withoutTimeFloors(measured, taken) : measured
    printResult(result)
    console.log(`   ${((performance.now() - began) / 1000).toFixed(0)} s`)
    return result
  } catch (error) {
    // What ends because the whole run is being ended is no news.
    if (isOver()) throw error
    console.error(error)
    printComplaints()
    await endNodes()
    return null
  }
}

function readArguments(): { chosen: Series[]; size: Size; out: string | null } {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      sizes: { type: 'string' },
      out: { type: 'string' },
    },
  })
  const size = readSize(values.quick ? 'quick' : (values.sizes ?? 'full'))
  const ids = values.only?.split(',') ?? (values.quick ? ofQuick : all.map((it) => it.id))
  const unknown = ids.filter((id) => !all.some((it) => it.id === id))
  if (unknown.length > 0)
    throw new Error(`There is no series ${unknown.join(', ')}; there are: ${all.map((it) => it.id).join(', ')}.`)
  // Only a whole run is for the record, unless somebody says where to write.
  const isWhole = size === 'full' && values.only === undefined
  return {
    chosen: all.filter((it) => ids.includes(it.id)),
    size,
    out: values.out ?? (isWhole ? 'docs/benchmarks' : null),
  }
}
