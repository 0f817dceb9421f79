import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { patient } from '../../chaos/lib/patience.ts'
import { run } from '../../src/lib/files-of-user.ts'
import { admin } from '../find-postgres.ts'
import { until } from './children.ts'
import { type Server, startServer } from './server.ts'

/** Its folder, and what the primary calls it. */
export const name = 'standby'
const streamWithinMs = 60_000

type Options = {
  /** A port of 127.0.0.1 that leads to the primary. */
  through: number
  settings: readonly string[]
  answers?: boolean
}

/** A copy of a server that follows it, by pg_basebackup unless its files are there. It is synchronous once the primary is told its name, see `waitForStandby`. */
export async function startStandby(primary: Server, { through, settings, answers = true }: Options): Promise<Server> {
  const { place, bin, superuser = 'postgres', bySocket = false } = primary.given
  const data = join(place.home, name)
  if (!existsSync(data)) {
    const from = ['-h', bySocket ? place.home : '127.0.0.1', '-p', String(primary.port), '-U', superuser]
    const how = ['--checkpoint=fast', '--wal-method=stream', '--no-sync']
    await run(place.user, join(bin, 'pg_basebackup'), ['-D', data, ...from, ...how])
  }
  await run(place.user, 'touch', [join(data, 'standby.signal')])
  const conninfo = `primary_conninfo=host=127.0.0.1 port=${through} user=${superuser} application_name=${name}`
  const standby = await startServer({
    ...primary.given,
    name,
    answers,
    settings: [...settings, conninfo, 'wal_receiver_status_interval=1s'],
  })
  await untilReplicating(primary, "state = 'streaming'").catch(async (error: unknown) => {
    await standby.stop()
    throw new Error(`${error}\n${standby.log()}`)
  })
  return standby
}

/** From now on every commit waits for it. Answers what takes that back. */
export async function waitForStandby(primary: Server): Promise<() => Promise<void>> {
  await reload(primary, `alter system set synchronous_standby_names = '${name}'`)
  await untilReplicating(primary, "sync_state = 'sync'")
  return () => reload(primary, 'alter system reset synchronous_standby_names')
}

async function reload({ url }: Server, change: string): Promise<void> {
  await admin(url, async (client) => {
    await client.query(change)
    await client.query('select pg_reload_conf()')
  })
}

async function untilReplicating({ url }: Server, condition: string): Promise<void> {
  const query = `select 1 from pg_stat_replication where application_name = '${name}' and ${condition}`
  await until(`the standby, ${condition}`, patient(streamWithinMs), () =>
    admin(url, async (client) => (await client.query(query)).rowCount === 1),
  )
}
