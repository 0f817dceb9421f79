/**
 * npm run measure-import -- --subscribers 200000 --topics 2000 --workflows 300
 *
 * A service of ours in the dialect of the other one is filled by `npm run seed`, and imported into a second one: ended by
 * a kill in the middle, resumed, verified, repeated. Both, PostgreSQL and the import share this machine. Ends with 1 when
 * anything is missing, different, or written a second time, or when an import takes more memory than `--most` MB.
 * `--without preferences`: saves the one call per person.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runToEnd, whenOver } from '../../chaos/lib/clean-up.ts'
import { type Program, startProgram } from '../with-program.ts'

const { values } = parseArgs({
  options: {
    subscribers: { type: 'string', default: '200000' },
    topics: { type: 'string', default: '2000' },
    workflows: { type: 'string', default: '300' },
    without: { type: 'string' },
    /** Of the import, in MB. */
    most: { type: 'string', default: '500' },
  },
})
const folder = mkdtempSync(join(tmpdir(), 'tidings-measure-import-'))
const everyMs = 200
// Two services and the seed share one PostgreSQL with whatever else runs here.
const connections = { DATABASE_POOL_SIZE: '8' }

type Ended = { code: number | null; output: string; seconds: number; mostMb: number }

await runToEnd(async () => {
  whenOver(async () => rmSync(folder, { recursive: true }))
  const from = await startProgram('import_from', [], { VENDOR_NAMES: 'novu', ...connections })
  const to = await startProgram('import_to', [], connections)
  await fill(from)
  const killed = await runImport(from, to, [], (state) => (state?.there ?? 0) > Number(values.subscribers) * 0.4)
  console.log(`killed after ${killed.seconds.toFixed(1)} s`)
  const resumed = await runImport(from, to)
  tell('resumed', resumed)
  const whole = killed.seconds + resumed.seconds
  console.log(`${Math.round(Number(values.subscribers) / whole)} people a second, all in all`)
  const verified = await runImport(from, to, ['--verify'])
  tell('verified', verified)
  const repeated = await runImport(from, to)
  tell('repeated', repeated)
  const isGood =
    /Continuing where the last run ended/.test(resumed.output) &&
    resumed.code === 0 &&
    verified.code === 0 &&
    /Imported: 0 created, 0 changed\./.test(repeated.output) &&
    [killed, resumed, verified, repeated].every(({ mostMb }) => mostMb < Number(values.most))
  console.log(isGood ? 'All of it is there, once.' : 'NOT as it should be.')
  if (!isGood) process.exitCode = 1
})

async function fill(from: Program): Promise<void> {
  const { subscribers, topics, workflows } = values
  const env = { ...process.env, NODE_ENV: 'development', DATABASE_URL: from.databaseUrl, ...connections }
  const args = ['--subscribers', subscribers, '--topics', topics, '--workflows', workflows]
  execFileSync(process.execPath, [join(import.meta.dirname, '../seed.ts'), ...args], { env, stdio: 'inherit' })
  // One in fifty has a phone, and one in twenty has chosen something.
  const total = Math.min(Number(subscribers), 50_000)
  for (let at = 0; at < total; at += 500) {
    const people = Array.from({ length: Math.min(500, total - at) }, (_, n) => at + n).flatMap((n) =>
      n % 20 === 0 ? [toPerson(n)] : [],
    )
    const response = await fetch(`${from.url}/v1/import/subscribers`, {
      method: 'POST',
      headers: { authorization: `ApiKey ${from.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ subscribers: people }),
    })
    if (!response.ok) throw new Error(await response.text())
  }
}

function toPerson(n: number): object {
  const credentials = { deviceTokens: [`token-${n}`] }
  return {
    subscriberId: `user-${n.toString(36).padStart(6, '0')}`,
    preferences: [{ channels: { sms: false } }, { workflowId: 'workflow-0', channels: { email: false } }],
    ...(n % 100 === 0 && { channels: [{ providerId: 'fcm', credentials }] }),
  }
}

async function runImport(
  from: Program,
  to: Program,
  more: readonly string[] = [],
  endWhen?: (state: { there: number } | null) => boolean,
): Promise<Ended> {
  const places = ['--url', from.url, '--to', to.url, '--state', folder]
  const left = values.without === undefined ? [] : ['--without', values.without]
  const startedAt = performance.now()
  const main = join(import.meta.dirname, '../../src/main.ts')
  const child = spawn(process.execPath, [main, 'import', '--from-novu', ...places, ...left, ...more], {
    env: { ...process.env, IMPORT_KEY: from.key, TIDINGS_API_KEY: to.key },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let [output, mostMb] = ['', 0]
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
    process.stdout.write(text)
  })
  const timer = setInterval(() => {
    mostMb = Math.max(mostMb, residentMb(child.pid))
    if (endWhen?.(readState())) child.kill('SIGKILL')
  }, everyMs)
  const [code] = await once(child, 'exit')
  clearInterval(timer)
  return { code, output, seconds: (performance.now() - startedAt) / 1000, mostMb }
}

function readState(): { there: number } | null {
  const file = readdirSync(folder).find((name) => name.endsWith('.json'))
  if (file === undefined) return null
  const { kinds } = Object(JSON.parse(readFileSync(join(folder, file), 'utf8')))
  return { there: Number(kinds?.subscribers?.counts?.there ?? 0) }
}

function residentMb(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024
  } catch {
    // It has ended; or this is no Linux, and memory is not judged.
    return 0
  }
}

function tell(what: string, { code, seconds, mostMb }: Ended): void {
  console.log(`${what} in ${seconds.toFixed(1)} s, ended with ${code}, at most ${Math.round(mostMb)} MB`)
}
