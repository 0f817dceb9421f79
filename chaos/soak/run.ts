/**
 * `npm run soak -- [--minutes 120] [--events-per-second 160] [--fault-every 180] [--faults a,b] [--seed n]
 * [--before commit] [--out dir]`:
 * a mixed load for hours on three PostgreSQL under Patroni, this version beside the one released before it, and a fault
 * every few minutes. At the end every acknowledged event is looked for, and nothing may have grown. `--mutation name`
 * breaks this version on purpose: then it must end red.
 */
import { execFileSync } from 'node:child_process'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runToEnd } from '../lib/clean-up.ts'
import { allowing } from '../lib/outside-stage.ts'
import { openPatroni } from '../lib/patroni.ts'
import { seededRandom } from '../lib/random.ts'
import { openWorld } from '../lib/world.ts'
import { makeBook } from './book.ts'
import { type Struck as Stricken, shuffledDeck } from './faults.ts'
import { judgeFlatness } from './flatness.ts'
import { startFleet } from './fleet.ts'
import { startLoad } from './load.ts'
import { mutations } from './mutations.ts'
import { type Options, readOptions } from './options.ts'
import { openProgramBefore } from './program-before.ts'
import { startProviders } from './providers.ts'
import { type Result, redsOf, type Struck, writeReport } from './report.ts'
import { makeTenants } from './setup.ts'
import { judge } from './verdict.ts'
import { startWatch } from './watch.ts'

// Shorter, what is only warming up would count as growth.
const flatnessFromMinutes = 30
const longestFaultMs = 60_000

await runToEnd(async () => {
  const options = readOptions(process.argv.slice(2))
  const result = await soak(options)
  const reds = redsOf(result)
  const report = writeReport(result)
  writeFileSync(join(options.out, 'report.md'), `${report}\n\n${reds.map((red) => `- ${red}`).join('\n')}\n`)
  console.log(`\n${report}\n`)
  for (const red of reds) console.log(`RED ${red}`)
  console.log(reds.length === 0 ? 'all as promised' : `${reds.length} kinds of FAULTS`)
  process.exitCode = reds.length === 0 ? 0 : 1
})

async function soak(options: Options): Promise<Result> {
  const { minutes, perSecond, seed, out, mutation } = options
  const random = seededRandom(seed)
  const before = openProgramBefore(options.before)
  const commit = execFileSync('git', ['rev-parse', '--short=7', 'HEAD'], { encoding: 'utf8' }).trim()
  console.log(`seed ${seed} · ${commit} beside ${before.commit} (${before.subject}) · figures in ${out}`)
  const cluster = await openPatroni({ synchronous: true })
  const edits = mutation ? mutations[mutation] : []
  const world = await openWorld({ server: cluster.server, seed, small: false, edits })
  const dice = seededRandom(random.integer(0, 2 ** 31))
  const providers = await startProviders((probability) => dice.chance(probability))
  const book = makeBook()
  const fleet = await startFleet(world, {
    ...{ before, hosts: cluster.hosts, faults: book.faults },
    settings: { ...allowing(Object.values(providers.ports)), STOP_DELAY_SECONDS: '2' },
  })
  const tenants = await makeTenants(world, fleet.ready()[0]?.node?.url ?? '', providers)

  const struck: Struck[] = []
  const load = startLoad({ book, fleet, tenants, random }, perSecond)
  const began = performance.now()
  const watch = startWatch({
    ...{ world, book, fleet, file: join(out, 'figures.csv'), everySeconds: options.sampleEverySeconds },
    fault: () => struck.at(-1)?.name ?? '',
  })
  const until = began + minutes * 60_000
  await strikeUntil(until, options, { world, cluster, fleet, providers, random }, struck, began, book.faults.add)
  await watch.stop()
  await load.stop()
  console.log(`       the last call is over: ${book.acknowledged} acknowledged; waiting for quiet, then the books`)
  const kept = fleet.slots.find(({ role, kept: isKept }) => role === 'api' && isKept)
  const judged = await judge({ world, book, tenants, providers, url: kept?.node?.url ?? '' })
  fleet.stop()
  const flat = judgeFlatness(watch.samples)
  const isFlatnessJudged = minutes >= flatnessFromMinutes || mutation !== null
  const result = { minutes, seed, commit, before: before.commit, book, struck, judged, flat, isFlatnessJudged }
  checkEnough(options, result)
  return result
}

/** One fault after the other, each undone before the next one; the last one leaves time to see what came of it. */
async function strikeUntil(
  until: number,
  { faultEverySeconds, faults, out }: Options,
  stricken: Stricken,
  struck: Struck[],
  began: number,
  addFault: (text: string) => void,
): Promise<void> {
  const everyMs = faultEverySeconds * 1000
  const forMs = Math.min(longestFaultMs, everyMs * 0.5)
  const say = (text: string) => {
    const seconds = Math.round((performance.now() - began) / 1000)
    const line = `${String(Math.floor(seconds / 60)).padStart(3)}:${String(seconds % 60).padStart(2, '0')}  ${text}`
    console.log(line)
    appendFileSync(join(out, 'faults.log'), `${new Date().toISOString()} ${line}\n`)
  }
  await sleep(Math.min(everyMs, 60_000) / 2)
  for (const fault of shuffledDeck(stricken.random, faults)) {
    const next = performance.now() + everyMs
    if (performance.now() + forMs > until) break
    const entry = { at: performance.now() - began, name: fault.name, told: '' }
    struck.push(entry)
    say(`FAULT ${fault.name}`)
    try {
      entry.told = await fault.strike(stricken, forMs)
    } catch (error) {
      addFault(`${fault.name}: ${error instanceof Error ? error.message : error}`)
    }
    say(`over: ${fault.name}: ${entry.told}`)
    await sleep(Math.max(5_000, Math.min(next, until) - performance.now()))
  }
  await sleep(Math.max(0, until - performance.now()))
}

/** What did too little proves nothing. */
function checkEnough({ minutes, perSecond, faultEverySeconds }: Options, { book, struck, judged }: Result): void {
  const wanted = minutes * 60 * perSecond
  const least = wanted >= 1_000_000 ? 1_000_000 : wanted * 0.3
  if (book.acknowledged < least) book.faults.add(`only ${book.acknowledged} events of ${least} were acknowledged`)
  const faults = Math.floor((minutes * 60) / faultEverySeconds / 3)
  if (struck.length < faults) book.faults.add(`only ${struck.length} faults of ${faults} were struck`)
  for (const [kind, { acknowledged }] of Object.entries(judged.kinds))
    if (acknowledged === 0) book.faults.add(`nothing of the kind ${kind} was acknowledged`)
}
