import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isOver, whenOver } from '../../chaos/lib/clean-up.ts'
import { cleanEnv, run } from '../../src/lib/files-of-user.ts'
import { admin } from '../../test/find-postgres.ts'
import type { Cluster } from './cluster.ts'
import { startDelay } from './delay-thread.ts'
import { changeSettings } from './settings.ts'

const name = 'standby'
const startWithinMs = 60_000

/** A copy of the cluster that every commit waits for, over a line that takes so long each way. It writes to disk as well. */
export async function startStandby(cluster: Cluster, delayMs: number): Promise<{ stop(): Promise<void> }> {
  const { bin, user, home, port } = cluster
  const data = join(home, name)
  await run(user, join(bin, 'pg_basebackup'), [
    ...['-D', data, '-h', home, '-p', String(port), '-U', 'bench'],
    ...['--checkpoint=fast', '--wal-method=stream', '--no-sync'],
  ])
  const line = await startDelay({ target: join(home, `.s.PGSQL.${port}`), delayMs })
  await run(user, 'touch', [join(data, 'standby.signal')])
  const server = launch(cluster, data, [
    'listen_addresses=',
    // A server must listen somewhere.
    `unix_socket_directories=${data}`,
    `primary_conninfo=host=127.0.0.1 port=${line.port} user=bench application_name=${name}`,
    'fsync=on',
    'shared_buffers=128MB',
    // Nobody reads from it, and what it must share with the cluster for readers it need not then.
    'hot_standby=off',
    'wal_receiver_status_interval=1s',
  ])
  const remove = async () => {
    await server.stop()
    await line.stop()
    await run(user, 'rm', ['-rf', data])
  }
  try {
    await untilStreaming(cluster, server.log)
    const undo = await changeSettings(cluster, { synchronous_standby_names: name })
    const stop = whenOver(async () => {
      // First: without it every commit that is under way would wait for ever.
      await undo().catch(() => {})
      await remove()
    })
    return { stop }
  } catch (error) {
    await remove()
    throw error
  }
}

type Server = { stop(): Promise<void>; log(): string }

function launch({ bin, user }: Cluster, data: string, settings: readonly string[]): Server {
  if (isOver()) throw new Error('the run is over')
  const given = settings.flatMap((it) => ['-c', it])
  const child = spawn(join(bin, 'postgres'), ['-D', data, ...given], {
    ...user,
    cwd: '/',
    env: cleanEnv,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  child.stderr.on('data', (chunk) => {
    log = (log + chunk).slice(-2_000)
  })
  const over = new Promise((resolve) => child.on('exit', resolve))
  const end = () => child.kill('SIGQUIT')
  process.on('exit', end)
  const stop = whenOver(async () => {
    end()
    await over
    process.off('exit', end)
  })
  return { stop, log: () => log }
}

async function untilStreaming({ adminUrl }: Cluster, log: () => string): Promise<void> {
  for (const deadline = Date.now() + startWithinMs; Date.now() < deadline; await sleep(100)) {
    const { rows } = await admin(adminUrl, (client) =>
      client.query<{ state: string }>('select state from pg_stat_replication where application_name = $1', [name]),
    )
    if (rows[0]?.state === 'streaming') return
  }
  throw new Error(`the standby did not come up:\n${log()}`)
}
