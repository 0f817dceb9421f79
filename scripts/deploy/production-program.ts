import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../browser/free-port.ts'
import { whenOver } from '../../chaos/lib/clean-up.ts'
import { admin, findPostgres, withDatabase } from '../../test/find-postgres.ts'

export type Settings = Record<string, string>
/** Starts one process of an installation: a folder, or a container. Both of its output streams must be pipes. */
export type Launch = (args: string[], settings: Settings) => ChildProcess
export type RunningRole = {
  url: string
  /** Sends SIGTERM, and throws unless the process ends with 0. */
  stop(): Promise<void>
}

const readyWithinMs = 60_000
const endsWithinMs = 60_000
const began = performance.now()

export function report(line: string): void {
  console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${line}`)
}

/** Creates a database that is dropped at the end, and returns the settings of a production service on it. */
export async function productionSettings(name: string): Promise<Settings> {
  const postgres = await findPostgres()
  whenOver(postgres.stop)
  const database = `tidings_te_${name}_${process.pid}`
  whenOver(() => admin(postgres.url, (client) => client.query(`drop database if exists ${database} with (force)`)))
  await admin(postgres.url, (client) => client.query(`create database ${database}`))
  return {
    NODE_ENV: 'production',
    DATABASE_URL: withDatabase(postgres.url, database),
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    BOOTSTRAP_API_KEY: randomBytes(24).toString('hex'),
  }
}

/** Runs a command to its end, and throws unless it ends with 0. Returns what it printed. */
export async function runCommand(
  launch: Launch,
  args: string[],
  settings: Settings,
  title = args.join(' '),
): Promise<string> {
  const { ended, output } = follow(launch(args, settings))
  const how = await ended
  if (how !== 'exit 0') throw new Error(`\`${title}\` ended with ${how}:\n${output()}`)
  report(`${title}: exit 0. ${output().trim().split('\n')[0]}`)
  return output()
}

/** Starts `api` or `worker` and returns once it is ready. */
export async function startRole(launch: Launch, role: 'api' | 'worker', settings: Settings): Promise<RunningRole> {
  const port = await freePort()
  const startedAt = performance.now()
  const { child, ended, output, kill } = follow(launch([role], { ...settings, PORT: String(port) }))
  const url = `http://127.0.0.1:${port}`
  while (!(await isReady(url))) {
    const how = await Promise.race([ended, sleep(20, null)])
    if (how !== null) throw new Error(`\`${role}\` ended with ${how} before it was ready:\n${output()}`)
    if (performance.now() - startedAt > readyWithinMs) throw new Error(`\`${role}\` is not ready:\n${output()}`)
  }
  const secondsToReady = (performance.now() - startedAt) / 1000
  report(`${role}: /health/ready answers 200 after ${secondsToReady.toFixed(2)} s`)
  const stop = async () => {
    const stoppedAt = performance.now()
    process.kill(innermost(child.pid ?? 0), 'SIGTERM')
    const how = await Promise.race([ended, sleep(endsWithinMs, 'still running', { ref: false })])
    await kill()
    if (how !== 'exit 0') throw new Error(`\`${role}\` ended with ${how} after SIGTERM:\n${output()}`)
    report(`${role}: SIGTERM, exit 0 after ${((performance.now() - stoppedAt) / 1000).toFixed(2)} s`)
  }
  return { url, stop }
}

/** Returns the program itself: buildah starts it through processes of its own, which would kill it on a SIGTERM. */
function innermost(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const [child] = threads.flatMap((id) => readFileSync(`/proc/${pid}/task/${id}/children`, 'utf8').match(/\d+/g) ?? [])
  return child ? innermost(Number(child)) : pid
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/health/ready`).then(
    ({ status }) => status === 200,
    () => false,
  )
}

function follow(child: ChildProcess) {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (chunk) => (text += chunk))
  const ended = once(child, 'close').then(([code, signal]) => (signal ? String(signal) : `exit ${code}`))
  const kill = whenOver(async () => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    // Only the program gets the signal: a killed buildah would leave it running, and buildah ends when the program ends.
    process.kill(innermost(child.pid), 'SIGKILL')
    await ended
  })
  return { child, ended, kill, output: () => text }
}
