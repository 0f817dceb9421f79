/**
 * npm run measure-idle: what a service costs that nobody uses. The program as `npm start` runs it, on a private PostgreSQL
 * of its own; after a minute to settle, the processor time of both over another minute. Linux only: it reads /proc.
 * Prints shares of one core; exits 1 when they pass 1 % together.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { runToEnd, whenOver } from '../chaos/lib/clean-up.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, most: { type: 'string', default: '1' } },
})
const seconds = Number(values.seconds)
// Everywhere on Linux.
const ticksPerSecond = 100
const data = mkdtempSync(join(tmpdir(), 'tidings-idle-'))
chmodSync(data, 0o755)
const { DATABASE_URL: _, ...settings } = process.env
const child = spawn(process.execPath, [join(import.meta.dirname, '../src/main.ts')], {
  env: { ...settings, DATA_DIR: data, PORT: '0', LOG_LEVEL: 'warn', DASHBOARD: 'false' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const ended = once(child, 'exit')
whenOver(() => rmSync(data, { recursive: true, force: true }))
whenOver(async () => {
  child.kill('SIGTERM')
  await ended
})

await runToEnd(() =>
  Promise.race([measure(), ended.then(([code]) => Promise.reject(new Error(`it ended with ${code}`)))]),
)

async function measure(): Promise<void> {
  await untilReady()
  await sleep(seconds * 1000)
  const before = ticks()
  await sleep(seconds * 1000)
  const after = ticks()
  const share = (of: 'node' | 'postgres') => ((after[of] - before[of]) / ticksPerSecond / seconds) * 100
  const together = share('node') + share('postgres')
  const load = loadavg().map((it) => it.toFixed(2))
  console.log(
    `idle over ${seconds} s: Node ${share('node').toFixed(2)} %, PostgreSQL ${share('postgres').toFixed(2)} %, ` +
      `together ${together.toFixed(2)} % of one core (load average ${load.join(' ')})`,
  )
  if (together > Number(values.most)) process.exitCode = 1
}

async function untilReady(): Promise<void> {
  for await (const chunk of child.stdout.setEncoding('utf8')) if (/ready at/.test(chunk)) break
  child.stdout.resume()
}

/** Processor time, in the kernel's ticks. PostgreSQL is its first process, those that live, and those that have ended. */
function ticks(): { node: number; postgres: number } {
  const all = readdirSync('/proc').flatMap((pid) => (/^\d+$/.test(pid) ? (statOf(pid) ?? []) : []))
  const first = readFileSync(join(postgresFolder(), 'postmaster.pid'), 'utf8').split('\n')[0] ?? ''
  const sum = (numbers: number[]) => numbers.reduce((total, it) => total + it, 0)
  const postmaster = all.find(({ pid }) => pid === first)
  return {
    node: sum(all.filter(({ pid }) => pid === String(child.pid)).map(({ own }) => own)),
    postgres: sum(all.filter(({ parent }) => parent === first).map(({ own }) => own)) + (postmaster?.withEnded ?? 0),
  }
}

function postgresFolder(): string {
  const found = [data, ...readdirSync(data).map((name) => join(data, name))].find((folder) =>
    existsSync(join(folder, 'postmaster.pid')),
  )
  if (!found) throw new Error(`no PostgreSQL runs under ${data}`)
  return found
}

function statOf(pid: string): { pid: string; parent: string; own: number; withEnded: number } | null {
  try {
    // After the name, which may hold anything: state, parent, …, user and system time, and those of ended children.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    const [own, ended] = [Number(fields[11]) + Number(fields[12]), Number(fields[13]) + Number(fields[14])]
    return { pid, parent: fields[1] ?? '', own, withEnded: own + ended }
  } catch {
    return null
  }
}
