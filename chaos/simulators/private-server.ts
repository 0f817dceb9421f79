import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPrivatePostgres } from '../../src/private-postgres.ts'
import { openPostgres, type PostgresServer } from '../lib/postgres.ts'

export type PrivateServer = {
  server: PostgresServer
  /** `pg_ctl restart -m immediate`: no checkpoint, so the new one has to recover; same data, same port. */
  restart(): Promise<void>
}

const patienceMs = 30_000

/** A PostgreSQL that only this row uses: restarting it hurts nobody. */
export async function openPrivateServer(): Promise<PrivateServer> {
  const dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'tidings-chaos-postgres-')))
  // Run by root, PostgreSQL is another user, who must be able to enter.
  chmodSync(dataDir, 0o755)
  const server = await openPostgres(async () => {
    const { url, stop } = await startPrivatePostgres({ dataDir, say: () => {} })
    return {
      url,
      async stop() {
        await stop()
        rmSync(dataDir, { recursive: true, force: true })
      },
    }
  })
  return { server, restart: () => restart(join(dataDir, 'postgres')) }
}

async function restart(data: string): Promise<void> {
  const pid = Number(readPidFile(data)[0])
  const [program = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1)
  const { uid, gid } = statSync(data)
  process.kill(pid, 'SIGQUIT')
  await until(() => !isAlive(pid), 'PostgreSQL does not end')
  const user = process.getuid?.() === 0 ? { uid, gid } : {}
  const env = { PATH: process.env.PATH ?? '', LC_ALL: 'C' }
  spawn(program, args, { ...user, cwd: '/', env, detached: true, stdio: 'ignore' }).unref()
  await until(() => {
    const lines = readPidFile(data)
    return Number(lines[0]) !== pid && lines[7]?.trim() === 'ready'
  }, 'PostgreSQL does not start again')
}

function readPidFile(data: string): string[] {
  try {
    return readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return []
  }
}

function isAlive(pid: number): boolean {
  try {
    // A child of ours that ended and was not yet collected counts as ended.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

async function until(holds: () => boolean, otherwise: string): Promise<void> {
  for (const deadline = Date.now() + patienceMs; !holds(); await sleep(20)) {
    if (Date.now() > deadline) throw new Error(otherwise)
  }
}
