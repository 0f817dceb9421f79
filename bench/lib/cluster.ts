import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { whenOver } from '../../chaos/lib/clean-up.ts'
import { changeOwner, cleanEnv, run, type User } from '../../src/lib/files-of-user.ts'
import { admin, isAlive } from '../../test/find-postgres.ts'
import { chooseUser, findPrograms } from '../../test/postgres/programs.ts'

export type Cluster = {
  adminUrl: string
  version: string
  settings: readonly string[]
  /** Of the postmaster; its children are the cluster's processes. */
  pid: number
  hasStatements: boolean
  /** The folder of PostgreSQL's programs, and whom they run as. */
  bin: string
  user: User
  /** The folder of all that this run writes; its socket is there. */
  home: string
  port: number
}

const startWithinMs = 30_000
const namePrefix = 'tidings-bench-'

/** What an operator would set first. What makes a commit durable stays on; the same server carries bare and product. */
function chooseSettings(hasStatements: boolean): string[] {
  const megabytes = Math.floor(totalmem() / 1024 ** 2)
  return [
    `shared_buffers=${Math.min(2048, Math.floor(megabytes / 4))}MB`,
    `effective_cache_size=${Math.floor(megabytes / 2)}MB`,
    'fsync=on',
    'synchronous_commit=on',
    'full_page_writes=on',
    'wal_buffers=64MB',
    'max_wal_size=8GB',
    'checkpoint_timeout=15min',
    'random_page_cost=1.1',
    'autovacuum=on',
    'max_connections=200',
    'timezone=UTC',
    'track_commit_timestamp=on', // tells when a message became visible
    ...(hasStatements ? ['shared_preload_libraries=pg_stat_statements'] : []),
  ]
}

/** A PostgreSQL of the bench's own, in a temporary folder; it is gone when the bench is. */
export async function startCluster(): Promise<Cluster> {
  await removeLeftovers()
  const home = realpathSync(mkdtempSync(join(tmpdir(), `${namePrefix}${process.pid}-`)))
  whenOver(() => rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))
  chmodSync(home, 0o755) // run by root, PostgreSQL is another user, who must be able to enter
  const user = await chooseUser()
  await changeOwner(user, home)
  const bin = await findPrograms(home)
  const data = join(home, 'data')
  const locale = ['--encoding=UTF8', '--locale=C']
  await run(user, join(bin, 'initdb'), ['-D', data, '--username=bench', '--auth=trust', ...locale])
  const library = `pg_stat_statements.${process.platform === 'darwin' ? 'dylib' : 'so'}`
  const hasStatements = ['lib', 'lib/postgresql'].some((folder) => existsSync(join(bin, '..', folder, library)))
  const settings = chooseSettings(hasStatements)
  const { pid, adminUrl, port } = await launch(bin, { home, data }, user, settings)
  // Who looks on is somebody else than whom he looks at: see `usage.ts`.
  await admin(adminUrl, (client) => client.query('create role observer superuser login'))
  const version = await admin(adminUrl, async (client) => {
    const { rows } = await client.query<{ server_version: string }>('show server_version')
    return rows[0]?.server_version ?? ''
  })
  return { adminUrl, version, settings, pid, hasStatements, bin, user, home, port }
}

/** Reached by a socket in its folder: on one machine that is what an operator chooses, and both sides are. */
async function launch(
  bin: string,
  { home, data }: { home: string; data: string },
  user: User,
  settings: readonly string[],
) {
  const port = randomInt(20_000, 32_768)
  const given = ['listen_addresses=', `unix_socket_directories=${home}`, ...settings].flatMap((it) => ['-c', it])
  const child = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...given], {
    ...user,
    cwd: '/',
    env: cleanEnv,
    detached: true, // Ctrl-C reaches every process of the terminal's group, and the nodes must end first
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  child.stderr.on('data', (chunk) => {
    log = (log + chunk).slice(-10_000)
  })
  const over = new Promise((resolve) => child.on('exit', resolve))
  whenOver(async () => {
    // All of it is thrown away: nothing need be written any more.
    child.kill('SIGQUIT')
    await over
  })
  // The last word, whatever way we end.
  process.on('exit', () => child.kill('SIGQUIT'))
  const adminUrl = `postgres://bench@localhost/postgres?host=${encodeURIComponent(home)}&port=${port}`
  await untilReady(
    adminUrl,
    () => child.exitCode !== null,
    () => log,
  )
  return { pid: child.pid ?? 0, adminUrl, port }
}

/** A run that was killed could not clean up after itself, and its data may be large. */
async function removeLeftovers(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(new RegExp(`^${namePrefix}(\\d+)-`).exec(name)?.[1] ?? 0)
    if (pid === 0 || isAlive(pid)) continue
    const home = join(tmpdir(), name)
    for (const node of nodesOf(home)) process.kill(node, 'SIGKILL')
    const postmaster = Number(readOr(join(home, 'data', 'postmaster.pid')).split('\n')[0])
    // The number may be another program's by now: ours has our folder in its command.
    const isOurs = () => postmaster > 0 && readOr(`/proc/${postmaster}/cmdline`).includes(home)
    if (isOurs()) process.kill(postmaster, 'SIGQUIT')
    // While it ends it still writes.
    for (const deadline = Date.now() + 10_000; isOurs() && Date.now() < deadline; ) await sleep(100)
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

/** Those that were started with this folder of ours, and with no other. */
function nodesOf(dataDir: string): number[] {
  if (process.platform !== 'linux') return []
  const pids = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []))
  return pids.filter((pid) => readOr(`/proc/${pid}/environ`).split('\0').includes(`DATA_DIR=${dataDir}`))
}

function readOr(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

async function untilReady(url: string, hasEnded: () => boolean, log: () => string): Promise<void> {
  for (const deadline = Date.now() + startWithinMs; ; await sleep(50)) {
    const isReady = await admin(url, async () => true).catch(() => false)
    if (isReady) return
    if (hasEnded() || Date.now() > deadline) throw new Error(`the cluster did not start:\n${log()}`)
  }
}
