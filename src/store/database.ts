import { Kysely, PostgresDialect, type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { EnvironmentHeld, type HeldEnvironment } from '../errors.ts'
import { EncryptionKeyUnavailable } from '../lib/seal.ts'
import type { Actor, Grants } from './access/grants.ts'
import { type HeldEnvironments, rememberHeld, toEnvironmentHeld } from './access/held-environments.ts'
import { DatabaseAway, OutcomeUnknown } from './connect/database-away.ts'
import { forgetPrimary, targetOf } from './connect/hosts.ts'
import { watchCommits } from './connect/watch-commits.ts'
import { type Query, wrapClients } from './connect/wrap-clients.ts'
import { createRenewal, isAwayState, type Renewal } from './connections.ts'
import { longestStatementMs, startParameters } from './pooler/role-settings.ts'
import { asSystem } from './pooler/system-statements.ts'
import { begins, beginWith } from './rows/begin-with.ts'
import { createNames, isNameFault, nameStatements } from './rows/named-statements.ts'
import type { Tables } from './schema.ts'
import { noteWanted } from './webhooks/wanted.ts'

/** A pool or a transaction. Store functions take either, so they stay inside the caller's transaction. */
export type Db = Kysely<Tables>

/**
 * Slow work that is found necessary only while a request's transaction is open. The transaction is rolled back, the work
 * is done, and the transaction begins again; then this gives the result. `key` names all that the result depends on,
 * `workflows` those for which it is done. `waits`: for somebody else, so that other requests go on meanwhile.
 */
export type Outside = <T>(
  key: string,
  work: () => Promise<T>,
  about?: { workflows?: readonly string[]; waits?: true },
) => Promise<T>

/** The tenant. It comes from the API key or session and from nowhere else; every store function asks for it. */
export type Env = {
  environmentId: string
  organizationId: string
  /** Who acts: a key, a person, or a session that a link opened. */
  keyId: string
  /** What who acts may do, here and in other environments of the organization; none: background work, which asks nobody. */
  grants?: Grants
  /** The environment of the key or link, where who acts has gone to another one. */
  cameFrom?: string
  /** For the record of changes; none: background work. */
  actor?: Actor
}

export type Database = {
  /** Past the pooler, if there is one: for what needs a connection of its own. */
  directUrl: string
  /** For what belongs to no environment: keys, environments, housekeeping. Sees all of them, also under row-level security. */
  db: Db
  /** A read of one environment. Throws `EnvironmentHeld` when it is not to be read here now. */
  read<T>(env: Env, work: (db: Db) => Promise<T>): Promise<T>
  /**
   * One transaction of one environment, repeated as a whole when PostgreSQL asks for it. Whoever freezes the environment
   * waits for its end. Throws `EnvironmentHeld` when nothing is to be written here now.
   */
  write<T>(env: Env, work: (db: Db) => Promise<T>): Promise<T>
  /** Environments that are not active, as of a quarter of a second ago at most. */
  held: HeldEnvironments
  /** Shared by all pools of this process: what one of them learns about the database, all of them heed. */
  connections: Renewal
  /** How busy the pool is. */
  use(): { size: number; total: number; idle: number; waiting: number }
  close(): Promise<void>
}

/** For background work and signed links, which know only the environment. */
export function envOf(environmentId: string): Env {
  return { environmentId, organizationId: '', keyId: '' }
}

type Options = {
  url: string
  /** Past the pooler that `url` leads to; without it `url` leads to PostgreSQL itself. */
  directUrl?: string | undefined
  poolSize: number
  rowLevelSecurity: boolean
  onError: (error: Error) => void
  /** A statement of ours takes milliseconds; one that takes this long is a fault. 0: for migrations, which may. */
  statementTimeoutMs?: number
}

// PostgreSQL ends a statement that takes too long, and says so within this.
const graceMs = 5_000

const deadlock = '40P01'
const serializationFailure = '40001'
export const uniqueViolation = '23505'
export const lockNotAvailable = '55P03'

// More deadlocks in a row than this are a fault, not bad luck.
const transactionTries = 5

export function openDatabase(options: Options): Database {
  const { statementTimeoutMs = longestStatementMs } = options
  const isPooled = options.directUrl !== undefined
  const pool = new pg.Pool({
    ...targetOf(options.url),
    max: options.poolSize,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: 'tidings',
    // Through a pooler the role has them.
    ...(!isPooled && startParameters(statementTimeoutMs)),
  })
  // The pool replaces an idle connection that breaks (database restarted). Without a listener it would end the process.
  pool.on('error', options.onError)
  // The same for a connection in use: its user gets the error from the next statement.
  pool.on('connect', (client) => client.on('error', () => {}))
  // Before anybody can use it: the statements of a connection keep their order.
  if (options.rowLevelSecurity && !isPooled)
    pool.on('connect', (client) => void client.query('set tidings.system = on').catch(() => {}))
  const connections = createRenewal(() => {
    for (const url of [options.url, options.directUrl ?? '']) forgetPrimary(url)
  })
  connections.watch(pool, statementTimeoutMs && statementTimeoutMs + graceMs)
  const names = createNames()
  const wrapped = wrapClients(pool, (client) => {
    const plain: Query = (text, values) => client.query(text, values)
    const asked = isPooled && options.rowLevelSecurity ? asSystem(client, plain) : plain
    const named = isPooled ? asked : nameStatements(names, client, asked)
    return beginWith(watchCommits(client, named, connections.renew))
  })
  const db: Db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: wrapped }) })

  const after = <T>(first: RawBuilder<Entered>, work: (db: Db) => Promise<T>) =>
    inTransaction(db, async (trx) => {
      const { rows } = await first.execute(trx)
      noteWanted(trx, rows[0]?.wanted ?? [])
      return work(trx)
    })

  const held = rememberHeld(() => lookAtHeld(db))
  const { rowLevelSecurity } = options

  return {
    directUrl: options.directUrl ?? options.url,
    db,
    read: (env, work) =>
      held.reading(env.environmentId, () =>
        rowLevelSecurity ? after(sql<Entered>`${begins}select ${confine(env)}`, work) : work(db),
      ),
    async write(env, work) {
      const enter = sql`enter_and_hear(${sql.lit(env.environmentId)}) as wanted`
      const first = rowLevelSecurity
        ? sql<Entered>`${begins}select ${confine(env)}, ${enter}`
        : sql<Entered>`${begins}select ${enter}`
      try {
        return await after(first, work)
      } catch (error) {
        throw toEnvironmentHeld(env.environmentId, error)
      }
    },
    held,
    connections,
    use: () => ({
      size: options.poolSize,
      total: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    close: () => db.destroy(),
  }
}

/** `wanted`: what is told to webhook endpoints. */
type Entered = { wanted?: string[] | null }

/** For the rest of the transaction, a role that row-level security holds sees this environment alone. */
function confine({ environmentId }: Env): RawBuilder<unknown> {
  const id = sql.lit(environmentId)
  return sql`set_config('tidings.environment_id', ${id}, true), set_config('tidings.system', 'off', true)`
}

async function lookAtHeld(db: Db): Promise<Map<string, HeldEnvironment>> {
  const { rows } = await sql<HeldEnvironment & { id: string }>`
    select e.id, effective_state(e.state, e.frozen_until) as state, coalesce(e.cell, e.source_cell) as cell, e.generation
    from environment e
    where e.state <> 'active' and effective_state(e.state, e.frozen_until) <> 'active'`.execute(db)
  return new Map(rows.map(({ id, ...held }) => [id, held]))
}

const afterCommits = new WeakMap<object, (() => void)[]>()

/**
 * Calls `report` once the transaction is committed (for counters, spans), not when it is repeated or rolled back. Use it
 * as the last step: only `withSavepoint` takes it back.
 */
export function afterCommit(db: object, report: () => void): void {
  const waiting = afterCommits.get(db)
  if (waiting) waiting.push(report)
  else report()
}

/** What fails in it is undone alone; the transaction goes on. */
export async function withSavepoint<T>(db: Db, work: () => Promise<T>): Promise<T> {
  const waiting = afterCommits.get(db) ?? []
  const before = waiting.length
  await sql`savepoint part`.execute(db)
  try {
    const result = await work()
    await sql`release savepoint part`.execute(db)
    return result
  } catch (error) {
    if (asksForRepeat(error) || isDatabaseUnavailable(error)) throw error
    await sql`rollback to savepoint part`.execute(db)
    waiting.length = before
    throw error
  }
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
    for (const report of waiting) report()
    return result
  }
}

/** The whole transaction is to be repeated, not only the statement that failed. */
export function asksForRepeat(error: unknown): boolean {
  const code = sqlState(error)
  return code === deadlock || code === serializationFailure || isNameFault(error)
}

export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}

const statementTimeout = '57014'
const networkFaults = new Set(
  'ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN EADDRNOTAVAIL ENOTFOUND EAI_AGAIN'.split(
    ' ',
  ),
)

/**
 * PostgreSQL is away, restarting, read-only or has no connection left, the environment is being moved, or this process
 * lacks an encryption key. The request may be sent again.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof DatabaseAway || error instanceof OutcomeUnknown) return true
  if (error instanceof EnvironmentHeld || error instanceof EncryptionKeyUnavailable) return true
  if (error instanceof pg.DatabaseError) return isAwayState(error.code) || error.code === statementTimeout
  // One for each address of the host.
  if (error instanceof AggregateError && error.errors.some(isDatabaseUnavailable)) return true
  // A TLS connection that breaks off has a code and no syscall.
  if ('code' in error && networkFaults.has(String(error.code))) return true
  if ('syscall' in error && /^(connect|getaddrinfo|read|write)$/.test(String(error.syscall))) return true
  return driverFaults.test(error.message)
}

const driverFaults =
  /^(timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|Client (has encountered a connection error|was closed)|Postgres connection has been discarded|There was an error establishing an SSL connection|The server does not support SSL connections)/
