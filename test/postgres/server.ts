import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { whenOver } from '../../chaos/lib/clean-up.ts'
import { patient } from '../../chaos/lib/patience.ts'
import { run } from '../../src/lib/files-of-user.ts'
import { admin } from '../find-postgres.ts'
import { type Program, start as startProgram, until } from './children.ts'
import type { Place } from './place.ts'
import { signalAll } from './processes.ts'

export type Server = {
  given: Given
  /** As its superuser, to the database `postgres`. */
  url: string
  port: number
  data: string
  /** Of the postmaster; its children are the server's processes. */
  pid(): number
  log(): string
  /** Again, after `kill`. */
  start(): Promise<void>
  /** kill -9 of the server and of every process of it: none of them can send or say anything any more. */
  kill(): Promise<void>
  /** Every process of it stands still, or goes on. */
  freeze(): void
  thaw(): void
  stop(): Promise<void>
}

export type Given = {
  place: Place
  /** The folder of PostgreSQL's programs. */
  bin: string
  /** The folder of its data; made unless it is there. */
  name?: string
  superuser?: string
  /** Reached by a socket in the place's folder, else by TCP. */
  bySocket?: boolean
  settings: readonly string[]
  /** False: it answers nobody, so it counts as started at once. */
  answers?: boolean
}

const startWithinMs = 60_000
const stopWithinMs = 10_000

/** A PostgreSQL of one's own. It is gone when we are. */
export async function startServer(given: Given): Promise<Server> {
  const { place, bin, name = 'data', superuser = 'postgres', bySocket = false, settings, answers = true } = given
  const { home, user } = place
  const data = await makeData(given)
  const port = await freePort()
  const socket = bySocket ? home : data
  const own = [`listen_addresses=${bySocket ? '' : '127.0.0.1'}`, `unix_socket_directories=${socket}`]
  const args = ['-D', data, '-p', String(port), ...[...own, ...settings].flatMap((it) => ['-c', it])]
  const url = bySocket
    ? `postgres://${superuser}@localhost/postgres?host=${encodeURIComponent(home)}&port=${port}`
    : `postgres://${superuser}@127.0.0.1:${port}/postgres`
  let program: Program | undefined
  const pid = () => program?.pid ?? 0
  const log = () => program?.log() ?? ''

  const kill = async () => {
    signalAll(pid(), 'SIGKILL')
    await program?.kill('SIGKILL')
  }
  const stop = async () => {
    if (!program?.isRunning()) return
    signalAll(pid(), 'SIGCONT')
    // An immediate shutdown: all is thrown away, so nothing need be written any more, but shared memory is given back.
    await Promise.race([program.kill('SIGQUIT'), sleep(stopWithinMs)])
    if (program.isRunning()) await kill()
  }
  const start = async () => {
    const started = startProgram(user, join(bin, 'postgres'), args, join(home, `${name}.log`), { last: 'SIGQUIT' })
    program = started
    whenOver(stop)
    if (!answers) return
    const isUp = () => admin(url, async () => true).catch(() => !started.isRunning())
    await until(`PostgreSQL in ${data}`, patient(startWithinMs), isUp).catch((error: unknown) => {
      throw new Error(`${error}\n${log()}`)
    })
    if (!started.isRunning()) throw new Error(`PostgreSQL did not start:\n${log()}`)
  }
  await start()
  return {
    given,
    url,
    port,
    data,
    pid,
    log,
    start,
    kill,
    freeze: () => signalAll(pid(), 'SIGSTOP'),
    thaw: () => signalAll(pid(), 'SIGCONT'),
    stop,
  }
}

/** Unless it is there. Answers its folder. */
export async function makeData({ place, bin, name = 'data', superuser = 'postgres' }: Given): Promise<string> {
  const data = join(place.home, name)
  // Thrown away if the machine dies: nothing need be on disk.
  const options = [`--username=${superuser}`, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
  if (!existsSync(data)) await run(place.user, join(bin, 'initdb'), ['-D', data, ...options])
  return data
}

/** One that is free now, below those of outgoing connections: after a kill it is still free for the same server. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_768)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => resolve(true))
    })
    await new Promise((resolve) => server.close(resolve))
    if (isFree) return port
  }
}
