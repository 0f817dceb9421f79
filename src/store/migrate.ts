import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Database, type Db, inTransaction, lockNotAvailable, sqlState } from './database.ts'

export type Migration = { version: number; name: string; text: string; hash: string }

// Any unused number. One node migrates; the others wait and then find nothing to do.
const migrationLock = 7_264_001

export function readMigrations(dir = join(import.meta.dirname, '../../migrations')): Migration[] {
  return readdirSync(dir)
    .filter((file) => /^\d{4}_.+\.sql$/.test(file))
    .sort()
    .map((file, index, files) => {
      const version = Number(file.slice(0, 4))
      // Gaps are harmless: a change takes its number when work on it begins, and runs when it arrives.
      if (files[index - 1]?.startsWith(file.slice(0, 4))) throw new Error(`two migrations have one number: ${file}`)
      const text = readFileSync(join(dir, file), 'utf8')
      return { version, name: file, text, hash: createHash('sha256').update(text).digest('hex') }
    })
}

// Whoever comes after us queues behind a lock that we wait for, so we ask only this long, and come again.
const lockTimeoutMs = 500
const againAfterMs = 2_000
// A backup may take this long; after it somebody should look.
const patienceMs = 30 * 60_000

/**
 * Runs what is missing, each migration in a transaction of its own. Returns the names of those it ran. `waits` is told
 * when one waits for somebody's lock.
 */
export async function migrate(
  db: Db,
  migrations = readMigrations(),
  waits: (name: string) => void = () => {},
  patience = patienceMs,
): Promise<string[]> {
  return db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`select pg_advisory_lock(${sql.lit(migrationLock)})`.execute(connection)
    try {
      await sql`create table if not exists schema_migration
        (version int primary key, name text not null, hash text not null, applied_at timestamptz not null default now())`.execute(
        connection,
      )
      const missing = pending(migrations, await applied(connection))
      for (const migration of missing) await runWhenFree(connection, migration, waits, patience)
      return missing.map((migration) => migration.name)
    } finally {
      await sql`select pg_advisory_unlock(${sql.lit(migrationLock)})`.execute(connection)
      await sql`reset statement_timeout`.execute(connection)
    }
  })
}

/** True when the database takes writes and has all this program needs (a newer schema is fine), else why not. */
export async function checkDatabase(
  { db, connections }: Database,
  migrations = readMigrations(),
): Promise<true | string> {
  const { rows } = await sql<{ readOnly: boolean; versions: number[] }>`
    select current_setting('transaction_read_only')::bool as "readOnly",
      array(select version from schema_migration) as versions`.execute(db)
  const [found] = rows
  if (found?.readOnly !== false) {
    // The others may be of the same time.
    connections.renew()
    return 'the database only reads (a standby, or default_transaction_read_only)'
  }
  const missing = migrations.filter(({ version }) => !found.versions.includes(version))
  return missing.length === 0 || `the schema lacks ${missing.map(({ name }) => name).join(', ')} (npm start -- migrate)`
}

async function applied(db: Db): Promise<Map<number, string>> {
  const { rows } = await sql<{ version: number; hash: string }>`select version, hash from schema_migration`.execute(db)
  return new Map(rows.map((row) => [row.version, row.hash]))
}

function pending(migrations: Migration[], done: Map<number, string>): Migration[] {
  for (const { version, name, hash } of migrations) {
    const known = done.get(version)
    if (known !== undefined && known !== hash)
      throw new Error(`${name} was edited after it had run; add a new migration`)
  }
  return migrations.filter((migration) => !done.has(migration.version))
}

async function runWhenFree(
  db: Db,
  migration: Migration,
  waits: (name: string) => void,
  patience: number,
): Promise<void> {
  for (const began = performance.now(); ; await sleep(againAfterMs)) {
    try {
      return await run(db, migration)
    } catch (error) {
      if (sqlState(error) !== lockNotAvailable) throw error
      waits(migration.name)
      if (performance.now() - began < patience) continue
      throw new Error(`${migration.name} waits for a lock that a long transaction holds; end that and start again`)
    }
  }
}

function run(db: Db, { version, name, text, hash }: Migration): Promise<void> {
  return inTransaction(db, async (trx) => {
    await sql`set local lock_timeout = ${sql.lit(lockTimeoutMs)}`.execute(trx)
    await sql.raw(text).execute(trx)
    await sql`insert into schema_migration (version, name, hash) values (${version}, ${name}, ${hash})`.execute(trx)
  })
}
