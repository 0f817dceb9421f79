import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { changeOwner } from '../../src/lib/files-of-user.ts'
import { admin } from '../find-postgres.ts'
import { chooseUser } from '../postgres/programs.ts'

type Options = {
  /** The server behind it, with a role that may say things on PgBouncer's console. */
  url: string
  /** Passwords of other roles that come through it. */
  roles?: Record<string, string>
  poolSize: number
}

export type PgBouncer = {
  host: string
  /** The same database and role, through it. */
  through(url: string): string
  /** Says this on its console. */
  say(command: string): Promise<void>
  /** How many came through it. */
  transactions(): Promise<number>
  log(): string
  stop(): Promise<void>
}

const example = join(import.meta.dirname, '../../deploy/pgbouncer.ini')

/** PgBouncer with the settings of deploy/pgbouncer.ini before any database of this server. PGBOUNCER names the program. */
export async function startPgBouncer({ url, roles = {}, poolSize }: Options): Promise<PgBouncer> {
  const server = new URL(url)
  const [name, password] = [server.username, decodeURIComponent(server.password)]
  const folder = mkdtempSync(join(tmpdir(), 'tidings-pgbouncer-'))
  chmodSync(folder, 0o755)
  const [file, users, log] = ['pgbouncer.ini', 'userlist.txt', 'log'].map((it) => join(folder, it)) as [
    string,
    string,
    string,
  ]
  const port = randomInt(20_000, 32_768)
  const changed = substitute(readFileSync(example, 'utf8'), {
    tidings: null,
    '*': `host=${server.hostname} port=${server.port}`,
    listen_port: `${port}`,
    auth_file: users,
    admin_users: name,
    default_pool_size: `${poolSize}`,
  })
  writeFileSync(file, changed)
  writeFileSync(users, toUserList({ [name]: password, ...roles }), { mode: 0o600 })
  // It refuses to run as root, like PostgreSQL.
  const user = await chooseUser()
  await changeOwner(user, folder)
  const output = openSync(log, 'a', 0o644)
  const child = spawn(process.env.PGBOUNCER ?? 'pgbouncer', [file], {
    ...user,
    cwd: '/',
    // A Ctrl-C is for us: it ends when we have ended.
    detached: true,
    env: { PATH: `${process.env.PATH}:/usr/sbin` },
    stdio: ['ignore', output, output],
  })
  const failed = new Promise<never>((_resolve, reject) => {
    child.once('error', (cause) =>
      reject(new Error('PgBouncer is not installed (apt-get install pgbouncer)', { cause })),
    )
    child.once('exit', (code) => reject(new Error(`PgBouncer ended with ${code}:\n${readFileSync(log, 'utf8')}`)))
  })
  failed.catch(() => {})
  const consoleUrl = `postgres://${name}:${encodeURIComponent(password)}@127.0.0.1:${port}/pgbouncer`
  await Promise.race([untilUp(consoleUrl), failed])
  return {
    host: `127.0.0.1:${port}`,
    through: (direct) => Object.assign(new URL(direct), { host: `127.0.0.1:${port}` }).href,
    say: (command) => admin(consoleUrl, async (client) => void (await client.query(command))),
    transactions: () =>
      admin(consoleUrl, async (client) => {
        const { rows } = await client.query<{ database: string; total_xact_count: string }>('SHOW STATS')
        return rows.reduce((sum, row) => sum + Number(row.total_xact_count), 0)
      }),
    log: () => readFileSync(log, 'utf8'),
    async stop() {
      const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null
      // At once, whoever is connected.
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Lines of the file, by their names; null: without it. A name that is not there stands where the first one goes. */
function substitute(text: string, values: Record<string, string | null>): string {
  let changed = text
  for (const [name, value] of Object.entries(values)) {
    const line = new RegExp(`^${name.replace('*', '\\*')} = .*\n`, 'm')
    if (name === '*') changed = changed.replace('[databases]\n', `[databases]\n* = ${value}\n`)
    else if (!line.test(changed)) throw new Error(`deploy/pgbouncer.ini has no line for ${name}`)
    else changed = changed.replace(line, value === null ? '' : `${name} = ${value}\n`)
  }
  return changed
}

function toUserList(roles: Record<string, string>): string {
  return Object.entries(roles)
    .map(([name, password]) => `"${name}" "${password}"\n`)
    .join('')
}

async function untilUp(url: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    const isUp = await admin(url, async () => true).catch(() => false)
    if (isUp) return
    if (tries > 100) throw new Error('PgBouncer did not start')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
