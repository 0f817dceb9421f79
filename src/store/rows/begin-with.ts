import { sql } from 'kysely'
import type pg from 'pg'

const mark = '/* begins */'

/**
 * At the very start of a transaction's first statement, one without parameters: it goes to the database together with
 * `begin`, so that it costs no way there and back.
 */
export const begins = sql.raw(mark)

type Send = {
  (text: string, values: unknown[]): Promise<pg.QueryResult>
  /** Sends a `begin` that was kept back. */
  begin(): Promise<void>
}

/** Keeps `begin` back until the next statement. */
export function beginWith(client: pg.PoolClient): Send {
  let isKept = false
  const begin = async () => {
    if (isKept) await client.query('begin')
    isKept = false
  }
  const send = async (text: string, values: unknown[]) => {
    if (text === 'begin') {
      isKept = true
      return nothing('BEGIN')
    }
    if (isKept && (text === 'commit' || text === 'rollback')) {
      isKept = false
      return nothing(text.toUpperCase())
    }
    if (!isKept || !text.startsWith(mark)) {
      await begin()
      return client.query(text, values)
    }
    isKept = false
    // Of several statements in one text there are several results.
    const results: unknown = await client.query(`begin; ${text}`)
    return Array.isArray(results) ? results.at(-1) : results
  }
  return Object.assign(send, { begin })
}

function nothing(command: string): pg.QueryResult {
  return { command, rowCount: null, oid: 0, fields: [], rows: [] }
}
