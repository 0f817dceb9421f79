/**
 * npm run try-cells: two cells and a gateway on this machine, as docs/cells.md wants them, until Ctrl-C. One private
 * PostgreSQL holds the databases of both and the control database. It takes the port of `PORT` for the gateway (0: any),
 * and writes `.data/try-cells`, which a second terminal reads. Afterwards nothing is left.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isOver, runToEnd, whenOver } from '../chaos/lib/clean-up.ts'
import { holdPort } from '../src/commands/hold-port.ts'
import { startPrivatePostgres } from '../src/private-postgres.ts'
import { openDatabase } from '../src/store/database.ts'
import { migrate } from '../src/store/migrate.ts'
import { admin, withDatabase } from '../test/find-postgres.ts'

type Settings = Record<string, string>
type Started = { url: string; said: string }

const host = '127.0.0.1'
const port = Number(process.env.PORT ?? 3000)
const shellFile = join('.data', 'try-cells')
const main = join(import.meta.dirname, '..', 'src', 'main.ts')

await runToEnd(async () => {
  const held = await holdPort({ host, port }).catch((error: Error) => {
    throw new Error(error.message.replace('npm start', 'npm run try-cells'))
  })
  whenOver(held.release)
  const folder = mkdtempSync(join(tmpdir(), 'tidings-try-cells-'))
  whenOver(() => rmSync(folder, { recursive: true, force: true }))
  // As root, PostgreSQL runs as another user that must be able to enter.
  chmodSync(folder, 0o755)
  console.log('Starting PostgreSQL, two cells and a gateway …')
  const { ca, cb, control } = await makeDatabases(folder)
  const common = {
    NODE_ENV: 'development',
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    CELL_TOKEN: randomBytes(12).toString('hex'),
    CONTROL_DATABASE_URL: control,
    DATA_DIR: join(folder, 'data'),
  }
  const startCell = (CELL: string, DATABASE_URL: string) => {
    const settings = { ...common, CELL, DATABASE_URL, DATABASE_POOL_SIZE: '10', TRUST_PROXY: host }
    const address = port === 0 ? {} : { PUBLIC_URL: `http://localhost:${port}` }
    return startNode(CELL, 'start', { ...settings, ...address, PORT: '0', DASHBOARD: 'false' })
  }
  const [a, b] = await Promise.all([startCell('ca', ca), startCell('cb', cb)])
  const CELLS = `ca=${a.url},cb=${b.url}`.replaceAll('localhost', host)
  await held.release()
  const gateway = await startNode('gateway', 'gateway', { ...common, CELLS, PORT: String(port) })
  const key = /td_ca_\w+/.exec(a.said)?.[0] ?? ''
  const environment = await findEnvironment(gateway.url, key)
  writeShellFile({
    ...common,
    CELLS,
    CELL: 'ca',
    CELL_DATABASES: `ca=${ca},cb=${cb}`,
    DATABASE_URL: ca,
    DATA_DIR: join(folder, 'terminal'),
    GATEWAY: gateway.url,
    KEY: key,
    ENVIRONMENT: environment,
  })
  greet(gateway, a, b, { key, environment })
  await new Promise(() => {})
})

/** In one server: between its databases replication works as between servers. */
async function makeDatabases(dataDir: string): Promise<{ ca: string; cb: string; control: string }> {
  const first = await startServer(dataDir)
  await admin(first.url, async (client) => {
    await client.query('alter system set wal_level = logical')
    await client.query("alter system set max_slot_wal_keep_size = '1GB'")
    await client.query('create database control')
  })
  // The level of the log is read at a start.
  await first.stop()
  const { url } = await startServer(dataDir)
  const control = withDatabase(url, 'control')
  const database = openDatabase({ url: control, poolSize: 1, rowLevelSecurity: false, onError() {} })
  await migrate(database.db)
  await database.close()
  await admin(url, async (client) => {
    for (const cell of ['ca', 'cb']) await client.query(`create database ${cell} template control`)
  })
  return { ca: withDatabase(url, 'ca'), cb: withDatabase(url, 'cb'), control }
}

/** One that is just starting when the end comes is awaited, and stopped. */
async function startServer(dataDir: string): Promise<{ url: string; stop(): Promise<void> }> {
  if (isOver()) throw new Error('it is over')
  const starting = startPrivatePostgres({ dataDir, print: () => {} })
  const stop = whenOver(() =>
    starting.then(
      (server) => server.stop(),
      () => {},
    ),
  )
  return { url: (await starting).url, stop }
}

/** The program as a process that is ready. What it says later is shown. */
async function startNode(name: string, role: 'start' | 'gateway', settings: Settings): Promise<Started> {
  if (isOver()) throw new Error('it is over')
  const child = spawn(process.execPath, [main, role], {
    // Nothing of whoever tries it: a DATABASE_URL of theirs must not be touched.
    env: { PATH: process.env.PATH, HOME: process.env.HOME, HOST: host, LOG_LEVEL: 'warn', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  whenOver(async () => {
    child.kill('SIGTERM')
    await ended
  })
  let said = ''
  let isReady = false
  return new Promise((resolve, reject) => {
    const read = (text: string) => {
      if (isReady) return void process.stdout.write(text.replaceAll(/^(?=.)/gm, `${name}: `))
      said += text
      const url = /ready at (\S+) after/.exec(said)?.[1]
      if (!url || (role === 'start' && !/td_\w+/.test(said))) return
      isReady = true
      resolve({ url, said })
    }
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', read)
    ended.then(([code, signal]) => {
      if (isReady && !isOver()) console.log(`${name} has ended (${signal ?? code})`)
      reject(new Error(`${name} ended (${signal ?? code}):\n${said}`))
    }, reject)
  })
}

async function findEnvironment(url: string, key: string): Promise<string> {
  const response = await fetch(`${url}/v1/environment`, { headers: { authorization: `ApiKey ${key}` } })
  const { data } = (await response.json()) as { data: { _id: string } }
  return data._id
}

function writeShellFile(settings: Settings): void {
  const isNew = !existsSync(dirname(shellFile))
  mkdirSync(dirname(shellFile), { recursive: true })
  whenOver(() => {
    rmSync(shellFile, { force: true })
    if (isNew && readdirSync(dirname(shellFile)).length === 0) rmdirSync(dirname(shellFile))
  })
  const api = `api() { curl -s "$GATEWAY$1" -H "Authorization: ApiKey $KEY" -H 'content-type: application/json' "\${@:2}"; echo; }`
  const lines = Object.entries(settings).map(([name, value]) => `export ${name}='${value}'`)
  writeFileSync(shellFile, `${[...lines, api].join('\n')}\n`, { mode: 0o600 })
}

function greet(gateway: Started, a: Started, b: Started, first: { key: string; environment: string }): void {
  const trigger = (message: string) =>
    `api /v1/events/trigger -d '{"name":"hello","to":{"subscriberId":"ada","firstName":"Ada"},"payload":{"message":"${message}"}}'`
  console.log(`
Two cells and a gateway are ready. Ctrl-C ends them, and nothing of them stays.

  gateway      ${gateway.url}   call this one
  cell ca      ${a.url}
  cell cb      ${b.url}

  environment  ${first.environment}   it lives in ca
  its key      ${first.key}

In another terminal, in this folder:

  . ${shellFile}
  ${trigger('before')}
  npm start -- environments move $ENVIRONMENT --to cb
  ${trigger('between')}
  npm start -- environments move $ENVIRONMENT --to ca
  ${trigger('after')}
  sleep 1
  api /v1/subscribers/ada/notifications/feed
`)
}
