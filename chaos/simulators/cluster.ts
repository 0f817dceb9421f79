import pg from 'pg'
import { admin, makeTemplate, withDatabase } from '../../test/find-postgres.ts'
import { startPrivateServer } from '../../test/postgres/private-server.ts'
import { whenOver } from '../lib/clean-up.ts'

/** A PostgreSQL of its own that may replicate, with one migrated database. */
export type Cluster = {
  url: string
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  stop(): Promise<void>
}

const settings = [
  'wal_level = logical',
  // A move that nobody finishes must not fill the disk of whoever runs this.
  "max_slot_wal_keep_size = '8GB'",
  "max_wal_size = '4GB'",
  'log_min_messages = fatal',
]

export async function startCluster(database: string): Promise<Cluster> {
  const server = await startPrivateServer(settings)
  const stop = whenOver(server.stop)
  await admin(server.url, (client) => client.query("create role guarded login password 'x'"))
  await makeTemplate(server.url, database, 'guarded')
  const url = withDatabase(server.url, database)
  const pool = new pg.Pool({ connectionString: url, max: 4, application_name: 'chaos' })
  pool.on('error', () => {})
  const endPool = whenOver(() => pool.end())
  return {
    url,
    async sql<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
      return (await pool.query<Row>(text, values)).rows
    },
    async stop() {
      await endPool()
      await stop()
    },
  }
}
