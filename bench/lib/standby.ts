import { join } from 'node:path'
import { whenOver } from '../../chaos/lib/clean-up.ts'
import { run } from '../../src/lib/files-of-user.ts'
import * as standbys from '../../test/postgres/standby.ts'
import type { Cluster } from './cluster.ts'
import { startDelay } from './delay-thread.ts'

const settings = [
  'fsync=on',
  'shared_buffers=128MB',
  // Nobody reads from it, and what it must share with the cluster for readers it need not then.
  'hot_standby=off',
]

/** A copy of the cluster that every commit waits for, over a line that takes so long each way. It writes to disk as well. */
export async function startStandby(cluster: Cluster, delayMs: number): Promise<{ stop(): Promise<void> }> {
  const { server, home, port, user } = cluster
  const line = await startDelay({ target: join(home, `.s.PGSQL.${port}`), delayMs })
  const standby = await standbys.startStandby(server, { through: line.port, settings, answers: false })
  const undo = await standbys.waitForStandby(server)
  const stop = whenOver(async () => {
    // First: without it every commit that is under way would wait for ever.
    await undo().catch(() => {})
    await standby.stop()
    await line.stop()
    await run(user, 'rm', ['-rf', standby.data])
  })
  return { stop }
}
