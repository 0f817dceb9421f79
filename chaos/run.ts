/**
 * `npm run chaos -- [area | area/row]…`, all areas unless some are named. Real server processes on a database of their
 * own, abused as RELIABILITY says; then the same again with the program broken on purpose, which must turn red.
 * CHAOS_SEED repeats a run. `--quick`: every row as small as for its mutations, and an eighth of these, another one
 * with each seed, for machines that must answer in minutes.
 */
import { parseArgs } from 'node:util'
import { api } from './areas/api.ts'
import { cells } from './areas/cells.ts'
import { crash } from './areas/crash.ts'
import { database } from './areas/database.ts'
import { egress } from './areas/egress.ts'
import { failover } from './areas/failover.ts'
import { input } from './areas/input.ts'
import { load } from './areas/load.ts'
import { provider } from './areas/provider.ts'
import { rotation } from './areas/rotation.ts'
import { secrets } from './areas/secrets.ts'
import { sends } from './areas/sends.ts'
import { tenancy } from './areas/tenancy.ts'
import { webhooks } from './areas/webhooks.ts'
import { type Area, type RowResult, runArea, runMutation } from './lib/area.ts'
import { cleanUp, isOver, runToEnd } from './lib/clean-up.ts'
import { openPostgres, type PostgresServer } from './lib/postgres.ts'
import { shorten } from './lib/red.ts'

const areas = [
  api,
  input,
  tenancy,
  secrets,
  rotation,
  crash,
  database,
  load,
  provider,
  sends,
  webhooks,
  egress,
  failover,
  cells,
]
// Far above what a run takes; a run that hangs must still end by itself.
const runLimitMs = 4 * 3_600_000

const seed = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 2 ** 31))
const started = performance.now()

setTimeout(() => {
  console.error('the whole run is not over after four hours')
  cleanUp().finally(() => process.exit(1))
}, runLimitMs).unref()

await runToEnd(async () => {
  const { values, positionals } = parseArgs({ options: { quick: { type: 'boolean' } }, allowPositionals: true })
  const [chosen, small] = [choose(positionals), values.quick ?? false]
  const server = await openPostgres()
  console.log(`seed ${seed} · node ${process.version} · ${new URL(server.adminUrl).host}`)
  let faults = 0
  for (const { area, rows } of chosen) faults += await prove(server, area, rows, small)
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  console.log(`\n${faults === 0 ? 'all as promised' : `${faults} FAULTS`} · seed ${seed} · ${seconds} s`)
  process.exitCode = faults === 0 ? 0 : 1
})

function choose(args: string[]): { area: Area; rows: readonly string[] }[] {
  if (args.length === 0) {
    for (const area of areas) if (area.missing()) console.log(`${area.name} is left out: ${area.missing()}`)
    return areas.filter((area) => area.missing() === null).map((area) => ({ area, rows: area.rows }))
  }
  return args.map((arg) => {
    const [name = '', wanted] = arg.split('/')
    const area = areas.find((it) => it.name === name)
    if (!area) throw new Error(`There is no area "${name}"; there are: ${areas.map((it) => it.name).join(', ')}.`)
    if (area.missing()) throw new Error(`${name}: ${area.missing()}`)
    const rows = area.rows.filter((row) => wanted === undefined || row.includes(wanted))
    if (rows.length === 0) throw new Error(`${name} has no row "${wanted}"; there are: ${area.rows.join(', ')}.`)
    return { area, rows }
  })
}

/** Returns how many faults there were. */
async function prove(server: PostgresServer, area: Area, rows: readonly string[], small: boolean): Promise<number> {
  console.log(`\n${area.name}`)
  const green = await runArea(area, { server, seed, rows, small }, printRow)
  let faults = green ? 0 : 1
  const mutations = area.mutations.filter((it) => rows.includes(it.turnsRed))
  for (const mutation of small ? mutations.filter((_, n) => (n + seed) % 8 === 0) : mutations) {
    const { turnedRed, why, seconds } = await runMutation(area, mutation, { server, seed })
    const verdict = turnedRed ? `red as it must be: ${shorten(why.replaceAll(/\s+/g, ' '), 110)}` : `NOT SEEN: ${why}`
    console.log(`  mutation: ${mutation.name} → ${verdict} (${seconds.toFixed(1)} s)`)
    if (!turnedRed) faults++
  }
  return faults
}

function printRow({ row, done, red, seconds }: RowResult): void {
  // What turns red because we are ending it tells nothing.
  if (isOver()) return
  const verdict = red === null ? 'ok ' : 'RED'
  console.log(`  ${row.padEnd(24)} ${verdict} ${seconds.toFixed(1).padStart(6)} s  ${red ?? done}`)
}
