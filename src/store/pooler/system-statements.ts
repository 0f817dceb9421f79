import type pg from 'pg'
import type { Query } from '../connect/wrap-clients.ts'

const begin = 'begin; set local tidings.system = on'

/**
 * The query function of a connection whose statements see all environments unless their transaction names one. Behind a
 * pooler a connection keeps nothing from one transaction to the next, so every transaction says it, and a statement
 * alone gets one: three round trips instead of one.
 */
export function asSystem(client: pg.PoolClient, query: Query): Query {
  return async (text, values) => {
    if (client.getTransactionStatus() !== 'I') return query(text, values)
    // At once: what comes with it may say otherwise.
    if (/^begin\b/.test(text)) return query(text.replace('begin', begin), values)
    // Its transaction is over already: the server ended it.
    if (text === 'rollback' || text === 'commit') return query(text, values)
    await client.query(begin)
    try {
      const result = await query(text, values)
      await client.query('commit')
      return result
    } catch (error) {
      // A connection that is gone has rolled back by itself.
      await client.query('rollback').catch(() => {})
      throw error
    }
  }
}
