import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../src/lib/files-of-user.ts'
import { admin } from '../find-postgres.ts'
import { makePlace } from './place.ts'
import { findPrograms } from './programs.ts'
import { makeData, type Server, startServer } from './server.ts'
import * as standbys from './standby.ts'

/** A primary and its standby, both reached by TCP, without anything that watches over them. */
export type Replicas = {
  primary: Server
  standby: Server
  /** The standby becomes a primary. */
  promote(): Promise<void>
  stop(): Promise<void>
}

type Options = {
  settings: readonly string[]
  /** False: nobody waits for the standby. */
  synchronous?: boolean
  /** A port that leads to the primary's, by which the standby reaches it. */
  lead?: (port: number) => Promise<number>
}

export async function startReplicas({ settings, synchronous = true, lead }: Options): Promise<Replicas> {
  const place = await makePlace('replicas')
  const bin = await findPrograms(place.home)
  const given = { place, bin, name: 'primary', settings }
  // The packaged PostgreSQL lacks it. As long as nothing has run, a plain copy is a base backup.
  if (!existsSync(join(bin, 'pg_basebackup')))
    await run(place.user, 'cp', ['-a', await makeData(given), join(place.home, standbys.name)])
  const primary = await startServer(given)
  const through = lead ? await lead(primary.port) : primary.port
  const standby = await standbys.startStandby(primary, { through, settings })
  if (synchronous) await standbys.waitForStandby(primary)
  return {
    primary,
    standby,
    promote: () => admin(standby.url, async (client) => void (await client.query('select pg_promote()'))),
    async stop() {
      await Promise.all([standby.stop(), primary.stop()])
      await place.remove()
    },
  }
}
