import { existsSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import type { User } from '../../src/lib/files-of-user.ts'
import { admin } from '../../test/find-postgres.ts'
import { makePlace } from '../../test/postgres/place.ts'
import { findPrograms } from '../../test/postgres/programs.ts'
import { type Server, startServer } from '../../test/postgres/server.ts'

export type Cluster = {
  adminUrl: string
  version: string
  settings: readonly string[]
  /** Of the postmaster; its children are the cluster's processes. */
  pid: number
  hasStatements: boolean
  server: Server
  /** The folder of PostgreSQL's programs, and whom they run as. */
  bin: string
  user: User
  /** The folder of all that this run writes; its socket is there. */
  home: string
  port: number
}

/** What an operator would set first. What makes a commit durable stays on; the same server carries bare and product. */
function chooseSettings(hasStatements: boolean): string[] {
  const megabytes = Math.floor(totalmem() / 1024 ** 2)
  return [
    `shared_buffers=${Math.min(2048, Math.floor(megabytes / 4))}MB`,
    `effective_cache_size=${Math.floor(megabytes / 2)}MB`,
    'fsync=on',
    'synchronous_commit=on',
    'full_page_writes=on',
    'wal_buffers=64MB',
    'max_wal_size=8GB',
    'checkpoint_timeout=15min',
    'random_page_cost=1.1',
    'autovacuum=on',
    'max_connections=200',
    'timezone=UTC',
    'track_commit_timestamp=on', // tells when a message became visible
    ...(hasStatements ? ['shared_preload_libraries=pg_stat_statements'] : []),
  ]
}

/**
 * A PostgreSQL of the bench's own; it is gone when the bench is. Reached by a socket in its folder: on one machine that is
 * what an operator chooses, and both sides are.
 */
export async function startCluster(): Promise<Cluster> {
  const place = await makePlace('bench')
  const { home, user } = place
  const bin = await findPrograms(home)
  const library = `pg_stat_statements.${process.platform === 'darwin' ? 'dylib' : 'so'}`
  const hasStatements = ['lib', 'lib/postgresql'].some((folder) => existsSync(join(bin, '..', folder, library)))
  const settings = chooseSettings(hasStatements)
  const server = await startServer({ place, bin, superuser: 'bench', bySocket: true, settings })
  const adminUrl = server.url
  // Who looks on is somebody else than whom he looks at: see `usage.ts`.
  await admin(adminUrl, (client) => client.query('create role observer superuser login'))
  const version = await admin(adminUrl, async (client) => {
    const { rows } = await client.query<{ server_version: string }>('show server_version')
    return rows[0]?.server_version ?? ''
  })
  return { adminUrl, version, settings, pid: server.pid(), server, hasStatements, bin, user, home, port: server.port }
}
