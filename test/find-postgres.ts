import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { startEngine } from '../src/engine/engine.ts'
import { loadTasks } from '../src/engine/load-tasks.ts'
import { openDatabase } from '../src/store/database.ts'
import { migrate } from '../src/store/migrate.ts'
import { startPrivateServer } from './postgres/private-server.ts'

/** TEST_DATABASE_URL or DATABASE_URL, else one on this machine, else (or with TEST_POSTGRES=private) a private one. */
export async function findPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL ?? process.env.DATABASE_URL
  const isPrivate = process.env.TEST_POSTGRES === 'private'
  const local = isPrivate ? [] : ['postgres', 'root'].map((user) => `postgres://${user}@127.0.0.1:5432/postgres`)
  for (const url of given ? [given] : local) {
    const found = await admin(url, async () => url).catch((error: unknown) => {
      if (given) throw new Error(`no PostgreSQL answers at ${new URL(url).host}`, { cause: error })
      return null
    })
    if (found) return { url: found, stop: async () => {} }
  }
  return startPrivateServer()
}

/** Runs `work` on one connection, without a pool. */
export async function admin<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export function withDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}

export function withRole(url: string, role: string, password: string): string {
  return Object.assign(new URL(url), { username: role, password }).href
}

/**
 * Makes the database that others are cloned from: migrated, with its queues, and usable by a role that owns nothing.
 */
export async function makeTemplate(serverUrl: string, name: string, guardedRole: string): Promise<void> {
  const url = withDatabase(serverUrl, name)
  await admin(serverUrl, (client) => client.query(`create database ${name}`))
  const database = openDatabase({ url, poolSize: 1, rowLevelSecurity: false, onError() {} })
  await migrate(database.db)
  // Tests have no worker of their own, or one that they drive: that is no trouble to them.
  await sql`update worker_alive set at = 'infinity'`.execute(database.db)
  await database.close()
  const tasks = (await loadTasks()).tasks.map((task) => task.name)
  const log = pino({ level: 'silent' })
  const engine = await startEngine({ target: { connectionString: url }, log, tasks, worker: false, ownsQueues: true })
  await engine.stop()
  await admin(url, async (client) => {
    for (const schema of ['public', 'pgboss']) {
      await client.query(`grant usage on schema ${schema} to ${guardedRole}`)
      await client.query(`grant select, insert, update, delete on all tables in schema ${schema} to ${guardedRole}`)
    }
  })
}

/** Whether that process still runs, and so may use the databases named after it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
