import { spawn } from 'node:child_process'
import { appendFileSync, chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cleanEnv } from '../../src/lib/files-of-user.ts'
import { startPrivatePostgres } from '../../src/private-postgres.ts'
import { isRunning, readOr } from './processes.ts'

export type PrivateServer = {
  url: string
  /** `pg_ctl restart -m immediate`: no checkpoint, so the new one has to recover; same data, same port. */
  restart(): Promise<void>
  stop(): Promise<void>
}

const patienceMs = 30_000

/** The packaged PostgreSQL as the program itself starts it, in a folder of its own. `settings` come on top of its own. */
export async function startPrivateServer(settings: readonly string[] = []): Promise<PrivateServer> {
  const dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'tidings-private-')))
  // As root, PostgreSQL runs as another user that must be able to enter; otherwise its data would be left elsewhere.
  chmodSync(dataDir, 0o755)
  const data = join(dataDir, 'postgres')
  let server = await startPrivatePostgres({ dataDir, print: () => {} })
  if (settings.length > 0) {
    await server.stop()
    appendFileSync(join(data, 'postgresql.auto.conf'), settings.map((it) => `${it}\n`).join(''))
    server = await startPrivatePostgres({ dataDir, print: () => {} })
  }
  return {
    url: server.url,
    restart: () => restart(data),
    async stop() {
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function restart(data: string): Promise<void> {
  const pid = Number(readPidFile(data)[0])
  const [program = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1)
  const { uid, gid } = statSync(data)
  process.kill(pid, 'SIGQUIT')
  await until(() => !isRunning(pid), 'PostgreSQL does not end')
  const user = process.getuid?.() === 0 ? { uid, gid } : {}
  spawn(program, args, { ...user, cwd: '/', env: cleanEnv, detached: true, stdio: 'ignore' }).unref()
  await until(() => {
    const lines = readPidFile(data)
    return Number(lines[0]) !== pid && lines[7]?.trim() === 'ready'
  }, 'PostgreSQL does not start again')
}

const readPidFile = (data: string) => readOr(join(data, 'postmaster.pid')).split('\n')

async function until(holds: () => boolean, otherwise: string): Promise<void> {
  for (const deadline = Date.now() + patienceMs; !holds(); await sleep(20)) {
    if (Date.now() > deadline) throw new Error(otherwise)
  }
}
