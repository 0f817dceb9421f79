import { admin } from '../../test/find-postgres.ts'
import { startReplicas } from '../../test/postgres/replicas.ts'
import type { Server } from '../../test/postgres/server.ts'
import { openPostgres, type PostgresServer } from '../lib/postgres.ts'
import { type Line, openLine } from './tcp-line.ts'

/** A primary and its standby, and lines to them that can be held and cut. */
export type StandbyPair = {
  /** By a port that leads to the primary, and after `promote` to the standby. */
  server: PostgresServer
  /** Both, in the words of DATABASE_URL: who is given this finds the primary by himself. */
  hosts: string
  /** The line between the two. */
  line: Line
  standby: Server
  /** How many COMMITs wait for the standby. */
  waiting(): Promise<number>
  /** Asked of the primary itself. */
  atPrimary<Row extends object>(query: string): Promise<Row[]>
  killPrimary(): Promise<void>
  /** New connections lead there. */
  promote(): Promise<void>
  stop(): Promise<void>
}

const settings = ['max_connections=200', 'shared_buffers=64MB', 'timezone=UTC', 'log_min_messages=fatal']

/** `synchronous: false`: nobody waits for the standby, which is what must never be. */
export async function openPair({ synchronous }: { synchronous: boolean }): Promise<StandbyPair> {
  const lines: Line[] = []
  const lead = async (port: number) => {
    const line = await openLine(port)
    lines.push(line)
    return line.port
  }
  const replicas = await startReplicas({ settings, synchronous, lead })
  const { primary, standby } = replicas
  const wayPort = await lead(primary.port)
  const [line, way] = lines as [Line, Line]
  const atPrimary = <Row extends object>(query: string) =>
    admin(primary.url, async (client) => (await client.query<Row>(query)).rows)
  const stop = async () => {
    await replicas.stop()
    for (const it of lines) await it.close()
  }
  const url = primary.url.replace(`:${primary.port}/`, `:${wayPort}/`)
  const server = await openPostgres(async () => ({ url, stop, thrownAway: true }))
  return {
    server,
    hosts: `127.0.0.1:${primary.port},127.0.0.1:${standby.port}`,
    line,
    standby,
    waiting: async () => (await atPrimary("select 1 from pg_stat_activity where wait_event = 'SyncRep'")).length,
    atPrimary,
    async killPrimary() {
      await primary.kill()
      line.cut()
      way.cut()
    },
    async promote() {
      standby.thaw()
      way.point(standby.port)
      await replicas.promote()
    },
    stop,
  }
}
