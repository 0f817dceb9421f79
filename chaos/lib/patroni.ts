import { type PatroniCluster, startPatroni } from '../../test/postgres/patroni.ts'
import { openPostgres, type PostgresServer } from './postgres.ts'

/** `server`: through HAProxy. */
export type OpenCluster = PatroniCluster & { server: PostgresServer }

// Three of them on one disk, for hours.
const sizes = { max_wal_size: '1GB', wal_keep_size: '128MB' }

/** The cluster of deploy/patroni, whose members can be cut off from each other. */
export async function openPatroni({ synchronous }: { synchronous: boolean }): Promise<OpenCluster> {
  const cluster = await startPatroni({ synchronous, cuttable: true, sizes })
  const { adminUrl: url, stop } = cluster
  return { ...cluster, server: await openPostgres(async () => ({ url, stop, thrownAway: true })) }
}
