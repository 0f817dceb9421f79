import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Tables } from './schema.ts'

/** A pool or a transaction; store functions do not care which, so a transaction cannot be bypassed. */
export type Db = Kysely<Tables>

/** The tenant. It comes from the API key and from nowhere else; every store function asks for it. */
export type Env = { environmentId: string; organizationId: string; keyId: string }

export type Database = {
  url: string
  /** For what belongs to no environment: keys, environments, housekeeping. */
  db: Db
  /** A read of one environment. */
  read<T>(env: Env, work: (db: Db) => Promise<T>): Promise<T>
  /** One transaction of one environment, repeated as a whole when PostgreSQL asks for it. */
  write<T>(env: Env, work: (db: Db) => Promise<T>): Promise<T>
  /** How busy the pool is. */
  use(): { size: number; total: number; idle: number; waiting: number }
  close(): Promise<void>
}

/** Of background work and signed links, which know the environment alone. */
export function envOf(environmentId: string): Env {
  return { environmentId, organizationId: '', keyId: '' }
}

type Options = { url: string; poolSize: number; rowLevelSecurity: boolean; onError: (error: Error) => void }

const deadlock = '40P01'
const serializationFailure = '40001'
export const uniqueViolation = '23505'
export const lockNotAvailable = '55P03'

// A transaction that meets a deadlock this often in a row meets something else than bad luck.
const transactionTries = 5

export function openDatabase(options: Options): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    // A statement of ours takes milliseconds; one that takes this long is a fault and must not hold its connection.
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 60_000,
    application_name: 'tidings',
    // Statements over many weeks look dear to the planner and are not: compiling one takes ten times as long as running it.
    options: '-c jit=off',
  })
  // An idle connection that breaks (database restarted) is replaced by the pool; without a listener it would end us.
  pool.on('error', options.onError)
  // And one that breaks in our hands, between two statements: whoever holds it learns of it by the next statement.
  pool.on('connect', (client) => client.on('error', () => {}))
  const db: Db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })

  const scoped = <T>(env: Env, work: (db: Db) => Promise<T>) =>
    inTransaction(db, async (trx) => {
      if (options.rowLevelSecurity) {
        await sql`select set_config('tidings.environment_id', ${env.environmentId}, true)`.execute(trx)
      }
      return work(trx)
    })

  return {
    url: options.url,
    db,
    read: (env, work) => (options.rowLevelSecurity ? scoped(env, work) : work(db)),
    write: scoped,
    use: () => ({
      size: options.poolSize,
      total: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    close: () => db.destroy(),
  }
}

const afterCommits = new WeakMap<Db, (() => void)[]>()

/**
 * For what may be told only of what is so (counters, spans): done when the transaction is committed, never when it is
 * repeated or undone. The last thing a piece of work says, since a savepoint it may run under is not looked at.
 */
export function afterCommit(db: Db, tell: () => void): void {
  const waiting = afterCommits.get(db)
  if (waiting) waiting.push(tell)
  else tell()
}

export async function inTransaction<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const waiting: (() => void)[] = []
    let result: T
    try {
      result = await db.transaction().execute((trx) => {
        afterCommits.set(trx, waiting)
        return work(trx)
      })
    } catch (error) {
      if (attempt >= transactionTries || !asksForRepeat(error)) throw error
      continue
    }
    for (const tell of waiting) tell()
    return result
  }
}

/** A part of a transaction may fail by itself; this is about the whole of it. */
export function asksForRepeat(error: unknown): boolean {
  const code = sqlState(error)
  return code === deadlock || code === serializationFailure
}

export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}

/** PostgreSQL is away, restarting, or has no connection left: the request may be sent again. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof pg.DatabaseError) return /^(08|57P0|53|58)|^57014$/.test(error.code ?? '')
  if ('syscall' in error && /^(connect|getaddrinfo|read|write)$/.test(String(error.syscall))) return true
  return /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error)/.test(
    error.message,
  )
}
