import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { appendFileSync, chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { changeOwner, cleanEnv, run } from '../../src/lib/files-of-user.ts'
import { admin } from '../find-postgres.ts'
import { chooseUser, findPrograms } from './programs.ts'

export type Replica = {
  url: string
  port: number
  start(): Promise<void>
  /** Without a word, as when its machine loses power. */
  kill(): Promise<void>
  /** The standby becomes a primary. */
  promote(): Promise<void>
}

/** A primary and its synchronous standby, both reached by TCP. */
export type Replicas = { primary: Replica; standby: Replica; stop(): Promise<void> }

const name = 'standby'

export async function startReplicas(): Promise<Replicas> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'tidings-replicas-')))
  chmodSync(home, 0o755)
  const user = await chooseUser()
  await changeOwner(user, home)
  const bin = await findPrograms(home)
  const first = randomInt(20_000, 32_000)

  function nodeOf(data: string, port: number, settings: readonly string[]): Replica {
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`
    let child: ChildProcess | undefined
    return {
      url,
      port,
      async start() {
        const common = [
          'listen_addresses=127.0.0.1',
          `unix_socket_directories=${data}`,
          `port=${port}`,
          // Not for the machine's sake: the standby is what is proved here.
          'fsync=off',
          'shared_buffers=32MB',
          'wal_receiver_status_interval=1s',
          'logging_collector=off',
        ]
        const given = [...common, ...settings].flatMap((it) => ['-c', it])
        child = spawn(join(bin, 'postgres'), ['-D', data, ...given], {
          ...user,
          cwd: '/',
          env: cleanEnv,
          stdio: ['ignore', 'ignore', 'pipe'],
        })
        let log = ''
        child.stderr?.on('data', (chunk) => {
          log = (log + chunk).slice(-2_000)
        })
        await until(
          () => admin(url, async () => true).catch(() => false),
          () => `the server at ${port} does not start:\n${log}`,
        )
      },
      async kill() {
        if (!child || child.exitCode !== null || child.signalCode !== null) return
        const over = new Promise((resolve) => child?.on('exit', resolve))
        // Its children notice that it is gone.
        child.kill('SIGKILL')
        await over
        await until(
          async () => !(await admin(url, async () => true).catch(() => false)),
          () => 'a killed server answers',
        )
      },
      async promote() {
        await admin(url, (client) => client.query('select pg_promote()'))
      },
    }
  }

  const [data, copy] = [join(home, 'primary'), join(home, name)]
  await run(user, join(bin, 'initdb'), ['-D', data, '--username=postgres', '--auth=trust', '--no-sync'])
  // Nothing has run yet: a plain copy is a base backup, and needs no program that a package may lack.
  await run(user, 'cp', ['-a', data, copy])
  writeFileSync(join(copy, 'standby.signal'), '')
  const conninfo = `host=127.0.0.1 port=${first} user=postgres application_name=${name}`
  appendFileSync(join(copy, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`)
  await changeOwner(user, copy)
  const primary = nodeOf(data, first, [])
  const standby = nodeOf(copy, first + 1, [])
  const stop = async () => {
    await standby.kill()
    await primary.kill()
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
  try {
    await primary.start()
    await standby.start()
    await admin(primary.url, async (client) => {
      await client.query(`alter system set synchronous_standby_names = '${name}'`)
      await client.query('select pg_reload_conf()')
    })
    const isSynchronous = () =>
      admin(primary.url, async (client) => {
        const { rows } = await client.query("select 1 from pg_stat_replication where sync_state = 'sync'")
        return rows.length === 1
      })
    await until(isSynchronous, () => 'the standby is not synchronous')
  } catch (error) {
    await stop()
    throw error
  }
  return { primary, standby, stop }
}

async function until(isSo: () => Promise<boolean>, complaint: () => string): Promise<void> {
  for (const deadline = performance.now() + 20_000; !(await isSo()); await sleep(50)) {
    if (performance.now() > deadline) throw new Error(complaint())
  }
}
