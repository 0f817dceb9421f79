import pg from 'pg'
import { newClient } from '../connect/hosts.ts'

/** A statement of ours takes milliseconds; one that takes this long is a fault. */
export const longestStatementMs = 30_000
const longestIdleMs = 60_000

/** For the start of a connection that is ours alone. */
export function startParameters(statementTimeoutMs: number) {
  return {
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: longestIdleMs,
    // The planner overrates the cost of statements over many weeks: compiling one takes ten times as long as running
    // it.
    options: '-c jit=off',
  }
}

/**
 * The same, for a pooler that gives each transaction another connection: it takes no start-up parameters, and what one
 * transaction sets another one finds. So PostgreSQL sets them whenever the role comes to the database.
 */
const roleSettings = {
  jit: 'off',
  statement_timeout: `${longestStatementMs / 1000}s`,
  idle_in_transaction_session_timeout: `${longestIdleMs / 1000}s`,
}

// Any unused number.
const settingsLock = 7_264_003

type Say = (line: string) => void
/** `url`: leads to the pooler. `directUrl`: past it. */
type Way = { url: string; directUrl: string }

/** Made for the role that comes through the pooler, unless they are there. A role may make its own. */
export async function makeRoleSettings({ url, directUrl }: Way, say: Say): Promise<void> {
  await withClient(directUrl, async (client) => {
    // Processes that start together would refuse each other. It is released with the connection.
    await client.query('select pg_advisory_lock($1)', [settingsLock])
    const { rows } = await client.query<{ me: string; database: string }>(
      'select current_user as me, current_database() as database',
    )
    const { me = '', database = '' } = rows[0] ?? {}
    const role = roleIn(url) ?? me
    const { rows: kept } = await client.query<{ kept: string[] }>(settingsOfRole, [role, database])
    if (isComplete(kept[0]?.kept ?? [])) return
    const statements = alterRole(role, database)
    try {
      // All or none.
      await client.query(statements.join('; '))
    } catch (error) {
      if (!(error instanceof pg.DatabaseError && error.code === '42501')) throw error
      throw new Error(
        `The role "${role}", which comes through the pooler, lacks its settings, and "${me}" may not make them. Say as "${role}" or as a superuser, past the pooler:\n  ${statements.join(';\n  ')};`,
        { cause: error },
      )
    }
    const names = Object.keys(roleSettings).join(', ')
    say(`set for the role "${role}" in the database "${database}": ${names}`)
  })
}

/** Throws, and says what to do, when what comes through the pooler is not what this program relies on. */
export async function checkPooler({ url, directUrl }: Way): Promise<void> {
  const found = await withClient(url, look)
  const direct = await withClient(directUrl, look)
  if (found.place !== direct.place)
    throw new Error(
      'DATABASE_URL and DATABASE_DIRECT_URL lead to different databases. The second is the same database, past the pooler.',
    )
  const faults = faultsOf(found)
  if (faults.length === 0) return
  const what = `Through the pooler the role "${found.role}" has ${faults.join(' and ')}.`
  if (isComplete(found.kept))
    throw new Error(
      `${what} Its settings are made, but the pooler has connections from before. Let it open new ones: say RECONNECT on PgBouncer's console, or restart it.`,
    )
  throw new Error(
    `${what} Run with the settings of this process: npm start -- migrate. Or say as "${found.role}", past the pooler:\n  ${alterRole(found.role, found.database).join(';\n  ')};\nThen say RECONNECT on PgBouncer's console, or restart it.`,
  )
}

type Found = {
  role: string
  database: string
  /** Of one server and one database, and of no other. */
  place: string
  jit: string
  statementMs: number
  idleMs: number
  kept: string[]
}

async function look(client: pg.Client): Promise<Found> {
  const { rows } = await client.query<Found>(`
    select current_user as role, current_database() as database,
      extract(epoch from pg_postmaster_start_time()) || ' ' ||
        (select oid from pg_database where datname = current_database()) as place,
      current_setting('jit') as jit,
      (select setting::int from pg_settings where name = 'statement_timeout') as "statementMs",
      (select setting::int from pg_settings where name = 'idle_in_transaction_session_timeout') as "idleMs",
      coalesce((${settingsOfRole.replace('$1', 'current_user').replace('$2', 'current_database()')}), '{}') as kept`)
  const [found] = rows
  if (!found) throw new Error('the database does not answer')
  return found
}

/** A shorter time, set by whoever runs the server, is as good. */
function faultsOf({ jit, statementMs, idleMs }: Found): string[] {
  const isWithin = (ms: number, mostMs: number) => ms > 0 && ms <= mostMs
  return [
    ...(jit === 'off' ? [] : ['jit on']),
    ...(isWithin(statementMs, longestStatementMs) ? [] : [`statement_timeout ${statementMs} ms`]),
    ...(isWithin(idleMs, longestIdleMs) ? [] : [`idle_in_transaction_session_timeout ${idleMs} ms`]),
  ]
}

const settingsOfRole = `select setconfig as kept from pg_db_role_setting s
  join pg_roles r on r.oid = s.setrole join pg_database d on d.oid = s.setdatabase
  where r.rolname = $1 and d.datname = $2`

function isComplete(kept: readonly string[]): boolean {
  return Object.entries(roleSettings).every(([name, value]) => kept.includes(`${name}=${value}`))
}

function alterRole(role: string, database: string): string[] {
  const who = `alter role ${pg.escapeIdentifier(role)} in database ${pg.escapeIdentifier(database)}`
  return Object.entries(roleSettings).map(([name, value]) => `${who} set ${name} = ${pg.escapeLiteral(value)}`)
}

/** Not by `new URL`, which does not take several hosts. */
function roleIn(url: string): string | undefined {
  const name = /^\w+:\/\/([^:@/?]+)(:[^@/]*)?@/.exec(url)?.[1]
  return name && decodeURIComponent(name)
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = newClient(url, { application_name: 'tidings', connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}
