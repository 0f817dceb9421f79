import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cleanEnv, type User } from '../../src/lib/files-of-user.ts'
import { admin } from '../../test/find-postgres.ts'
import { isOver, whenOver } from '../lib/clean-up.ts'
import { patient } from '../lib/patience.ts'

export type Postmaster = {
  port: number
  data: string
  log(): string
  /** kill -9 of the server and of every process of it: none of them can send or say anything any more. */
  kill(): Promise<void>
  /** Every process of it stands still, or goes on. */
  freeze(): void
  thaw(): void
}

type Given = { bin: string; user: User; data: string; port: number; settings: readonly string[] }

const startWithinMs = 60_000

export async function startPostmaster({ bin, user, data, port, settings }: Given): Promise<Postmaster> {
  if (isOver()) throw new Error('the run is over')
  const given = [`unix_socket_directories=${data}`, 'listen_addresses=127.0.0.1', ...settings]
  const child = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...given.flatMap((it) => ['-c', it])], {
    ...user,
    cwd: '/',
    env: cleanEnv,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  child.stderr.on('data', (chunk) => {
    log = (log + chunk).slice(-10_000)
  })
  const over = new Promise((resolve) => child.on('exit', resolve))
  const pid = child.pid ?? 0
  const strike = () => signalAll(pid, 'SIGKILL')
  // The last word, whatever way we end.
  process.on('exit', strike)
  const kill = whenOver(async () => {
    strike()
    await over
    process.off('exit', strike)
  })
  const url = `postgres://tidings@127.0.0.1:${port}/postgres`
  for (const began = performance.now(); !(await admin(url, async () => true).catch(() => false)); await sleep(50)) {
    if (child.exitCode !== null || performance.now() - began > patient(startWithinMs))
      throw new Error(`PostgreSQL did not start:\n${log}`)
  }
  return {
    port,
    data,
    log: () => log,
    kill,
    freeze: () => signalAll(pid, 'SIGSTOP'),
    thaw: () => signalAll(pid, 'SIGCONT'),
  }
}

/** The process first, so that it starts no other ones meanwhile, then its children. */
export function signalAll(pid: number, signal: NodeJS.Signals): void {
  if (pid <= 1) return
  const children = childrenOf(pid)
  for (const it of [pid, ...children]) {
    try {
      process.kill(it, signal)
    } catch {
      // It has ended.
    }
  }
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      // The name of a program stands in brackets and may hold anything; the parent is the second word after it.
      const words = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')
      return Number(words[1]) === pid ? [Number(name)] : []
    } catch {
      return []
    }
  })
}
