import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'

export type Query = (text: string, values: unknown[]) => Promise<pg.QueryResult>

/** The same pool, whose connections ask their queries in another way. */
export function wrapClients(pool: pg.Pool, queryOf: (client: pg.PoolClient) => Query): PostgresPool {
  // Kysely knows a connection by its client.
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect()
      // Everything else is the client's own.
      const wrapped = clients.get(client) ?? Object.create(client, { query: { value: queryOf(client) } })
      clients.set(client, wrapped)
      return wrapped
    },
  }
}
