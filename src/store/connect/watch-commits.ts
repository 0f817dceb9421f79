import pg from 'pg'
import { OutcomeUnknown } from './database-away.ts'
import type { Query } from './wrap-clients.ts'

// With a synchronous standby a COMMIT waits for that standby, for ever if it is gone: `statement_timeout` does not end it.
const commitWithinMs = 10_000
// Told to give up, a server that is there answers at once.
const giveUpWithinMs = 2_000
// Somebody ended the wait: the COMMIT succeeds with this warning, and is on no standby.
const warning = '01000'

/**
 * A transaction that wrote nothing waits for nobody. So it could tell of rows whose own COMMIT still waits for the standby
 * ("this transactionId is known already"), and they are lost with the primary. It writes a few bytes, and waits as well.
 * Not on a standby, which can only be read from.
 */
export const commit = `select case when current_setting('synchronous_standby_names') <> ''
  and pg_current_xact_id_if_assigned() is null and not pg_is_in_recovery()
  then pg_logical_emit_message(true, 'tidings', '') end; commit`

/** The query function of a connection, on which a COMMIT succeeds only if what it commits is on the standby too. */
export function watchCommits(
  client: pg.PoolClient,
  query: Query,
  onSilence: () => void,
  withinMs = commitWithinMs,
): Query {
  let [warned, isLost] = [false, false]
  client.on('notice', ({ code }) => {
    if (code === warning) warned = true
  })

  const commitWatched = async () => {
    warned = false
    // Only cut off, PostgreSQL would go on waiting, with the connection and its locks.
    let timer = setTimeout(() => {
      cancel(client)
      onSilence()
      timer = setTimeout(
        () => client.connection.stream.destroy(new OutcomeUnknown('the database does not confirm a commit')),
        giveUpWithinMs,
      )
    }, withinMs)
    try {
      // One result for each of its statements, which the types do not know.
      const [, committed] = (await query(commit, [])) as unknown as [pg.QueryResult, pg.QueryResult]
      if (!warned) return committed
    } catch (error) {
      // PostgreSQL itself says why it did not commit. Whoever lost the connection cannot know.
      if (error instanceof pg.DatabaseError && !isLoss(error)) throw error
      isLost = true
      throw error instanceof OutcomeUnknown
        ? error
        : new OutcomeUnknown('the connection was lost during a commit', { cause: error })
    } finally {
      clearTimeout(timer)
    }
    throw new OutcomeUnknown('the wait for the standby was cancelled, or it took too long')
  }

  return async (text, values) => {
    if (text === 'commit') return commitWatched()
    // After a commit that failed Kysely rolls back. What that says of a lost connection would hide what happened.
    if (text === 'rollback' && isLost) return nothing
    return query(text, values)
  }
}

/** Asks the server, on a line of its own, to end what this connection does. */
function cancel(client: pg.PoolClient): void {
  const { host, port, processID, secretKey } = client as unknown as Session
  const line = new pg.Connection() as pg.Connection & Line
  line.on('error', () => {})
  line.on('connect', () => line.cancel(processID, secretKey))
  setTimeout(() => line.stream.destroy(), giveUpWithinMs).unref()
  if (host.startsWith('/')) line.connect(`${host}/.s.PGSQL.${port}`)
  else line.connect(port, host)
}

// What pg has, and its types do not know.
type Session = { host: string; port: number; processID: number; secretKey: number }
type Line = { connect(place: number | string, host?: string): void; cancel(processID: number, secretKey: number): void }

/** A pooler says that it lost its connection (08), or PostgreSQL that it crashed, whatever it was doing. */
function isLoss({ code }: pg.DatabaseError): boolean {
  return /^(08|57P02)/.test(code ?? '')
}

const nothing: pg.QueryResult = { command: 'ROLLBACK', rowCount: 0, oid: 0, fields: [], rows: [] }
