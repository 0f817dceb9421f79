import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { changeOwner, run, type User } from '../../src/lib/files-of-user.ts'
import { admin } from '../../test/find-postgres.ts'
import { chooseUser, findPrograms } from '../../test/postgres/programs.ts'
import { whenOver } from '../lib/clean-up.ts'
import { patient } from '../lib/patience.ts'
import { openPostgres, type PostgresServer } from '../lib/postgres.ts'
import { type Postmaster, startPostmaster } from './postmaster.ts'
import { freePort, type Line, openLine } from './tcp-line.ts'

/** A primary and its standby, without anything that watches over them. */
export type StandbyPair = {
  /** By a port that leads to the primary, and after `promote` to the standby. */
  server: PostgresServer
  /** Both, in the words of DATABASE_URL: who is given this finds the primary by himself. */
  hosts: string
  /** The line between the two. */
  line: Line
  standby: Postmaster
  /** How many COMMITs wait for the standby. */
  waiting(): Promise<number>
  /** Asked of the primary itself. */
  atPrimary<Row extends object>(query: string): Promise<Row[]>
  killPrimary(): Promise<void>
  /** `pg_ctl promote`; new connections lead there. */
  promote(): Promise<void>
  stop(): Promise<void>
}

const user = 'tidings'
const name = 'standby'
const settings = ['max_connections=200', 'shared_buffers=64MB', 'timezone=UTC', 'log_min_messages=fatal']

/** `synchronous: false`: nobody waits for the standby, which is what must never be. */
export async function openPair({ synchronous }: { synchronous: boolean }): Promise<StandbyPair> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'tidings-chaos-pair-')))
  whenOver(() => rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))
  // Run by root, PostgreSQL is another user, who must be able to enter.
  chmodSync(home, 0o755)
  const owner = await chooseUser()
  await changeOwner(owner, home)
  const bin = await findPrograms(home)
  const data = join(home, 'primary')
  await run(owner, join(bin, 'initdb'), ['-D', data, `--username=${user}`, '--auth=trust', '--locale=C', '-E', 'UTF8'])
  if (!hasBaseBackup(bin)) await run(owner, 'cp', ['-a', data, join(home, name)])
  const port = await freePort()
  const primary = await startPostmaster({ bin, user: owner, data, port, settings: ['fsync=on', ...settings] })
  const line = await openLine(port)
  const standby = await startStandby({ bin, owner, home, port, line })
  const primaryUrl = `postgres://${user}@127.0.0.1:${port}/postgres`
  const atPrimary = <Row extends object>(query: string) =>
    admin(primaryUrl, async (client) => (await client.query<Row>(query)).rows)
  await untilStreaming(atPrimary, standby)
  if (synchronous) {
    await atPrimary(`alter system set synchronous_standby_names = '${name}'`)
    await atPrimary('select pg_reload_conf()')
  }
  const way = await openLine(port)
  const stop = async () => {
    await Promise.all([primary.kill(), standby.kill()])
    for (const it of [line, way]) await it.close()
  }
  const url = `postgres://${user}@127.0.0.1:${way.port}/postgres`
  const server = await openPostgres(async () => ({ url, stop, thrownAway: true }))
  return {
    server,
    hosts: `127.0.0.1:${port},127.0.0.1:${standby.port}`,
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
      await run(owner, join(bin, 'pg_ctl'), ['promote', '-w', '-D', standby.data])
    },
    stop,
  }
}

type Given = { bin: string; owner: User; home: string; port: number; line: Line }

/** The packaged PostgreSQL has none. There the files are copied before anything has run. */
const hasBaseBackup = (bin: string) => existsSync(join(bin, 'pg_basebackup'))

async function startStandby({ bin, owner, home, port, line }: Given): Promise<Postmaster> {
  const copy = join(home, name)
  if (hasBaseBackup(bin)) {
    const from = ['-h', '127.0.0.1', '-p', String(port), '-U', user]
    await run(owner, join(bin, 'pg_basebackup'), ['-D', copy, ...from, '--checkpoint=fast', '--wal-method=stream'])
  }
  await run(owner, 'touch', [join(copy, 'standby.signal')])
  return startPostmaster({
    bin,
    user: owner,
    data: copy,
    port: await freePort(),
    settings: [
      ...settings,
      `primary_conninfo=host=127.0.0.1 port=${line.port} user=${user} application_name=${name}`,
      'wal_receiver_status_interval=1s',
    ],
  })
}

async function untilStreaming(ask: StandbyPair['atPrimary'], standby: Postmaster): Promise<void> {
  for (const began = performance.now(); ; await sleep(50)) {
    const rows = await ask<{ state: string }>('select state from pg_stat_replication')
    if (rows[0]?.state === 'streaming') return
    if (performance.now() - began > patient(60_000)) throw new Error(`the standby did not come up:\n${standby.log()}`)
  }
}
