import { sql } from 'kysely'
import type pg from 'pg'
import type { Query } from '../connect/wrap-clients.ts'

const mark = '/* begins */'

/**
 * At the very start of a transaction's first statement, one without parameters: it goes to the database together with
 * `begin`, so that it costs no way there and back.
 */
export const begins = sql.raw(mark)

/** The query function of a connection that keeps `begin` back until the next statement. */
export function beginWith(query: Query): Query {
  let isKept = false
  return async (text, values) => {
    if (text === 'begin') {
      isKept = true
      return nothing('BEGIN')
    }
    const isFirst = isKept
    isKept = false
    if (!isFirst) return query(text, values)
    if (text === 'commit' || text === 'rollback') return nothing(text.toUpperCase())
    if (text.startsWith(mark)) return last(await query(`begin; ${text}`, []))
    await query('begin', [])
    return query(text, values)
  }
}

/** Of several statements in one text there are several results, which the types do not know. */
function last(results: pg.QueryResult): pg.QueryResult {
  return Array.isArray(results) ? results.at(-1) : results
}

function nothing(command: string): pg.QueryResult {
  return { command, rowCount: null, oid: 0, fields: [], rows: [] }
}
