import { join } from 'node:path'
import { whenOver } from '../../chaos/lib/clean-up.ts'
import { type Line, openLine } from '../../chaos/simulators/tcp-line.ts'
import type { Values } from '../../scripts/deploy/templates.ts'
import type { User } from '../../src/lib/files-of-user.ts'
import { type Program, start as startProgram, until } from './children.ts'
import type { NodeFiles } from './patroni-files.ts'
import { isRunning, ownsPort, readOr, signal, signalAll } from './processes.ts'

export type PatroniMember = {
  name: string
  address: string
  /** Of everything that belongs to it. */
  folder: string
  data: string
  /** What its files were filled in with. */
  values: Values
  /** Patroni and its PostgreSQL, by kill -9, as a machine that loses its power. */
  kill(): Promise<void>
  /** Starts Patroni again. */
  start(): void
  /** Cut off from etcd and from the other members, but not from clients. */
  isolate(): void
  heal(): void
  isIsolated(): boolean
  /** Patroni and its PostgreSQL stand still, and nobody is told. */
  freeze(): void
  thaw(): void
  log(): string
  stop(): Promise<void>
}

const endWithinMs = 20_000

/** `etcds`: where etcd is. `isCutOff`: whether a connection that comes from this port is of a member that is cut off. */
type Surroundings = { user: User; etcds: readonly string[]; isCutOff(port: number): boolean; cuttable: boolean }

export type Made = PatroniMember & { owns(port: number): boolean }

export async function makeMember(
  { name, address, folder, values, patroni }: NodeFiles,
  { user, etcds, isCutOff, cuttable }: Surroundings,
): Promise<Made> {
  const data = join(folder, 'data')
  const lines = cuttable ? await openLines({ address, etcds, admits: (port) => !isCutOff(port) }) : null
  let program: Program | undefined
  let isIsolated = false
  const strike = (how: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT') => {
    if (program?.isRunning()) signalAll(program.pid, how)
    signalAll(postmasterOf(data), how)
  }
  const kill = async () => {
    const pid = postmasterOf(data)
    strike('SIGKILL')
    // A dead machine's connections say nothing more; those of this one would be closed by its kernel anyway.
    for (const line of lines?.all ?? []) line.cut()
    await program?.kill('SIGKILL')
    await until(`the end of PostgreSQL of ${name}`, endWithinMs, async () => !isRunning(pid))
  }
  // Patroni leaves its PostgreSQL behind when it ends.
  const strikeLast = () => strike('SIGKILL')
  process.on('exit', strikeLast)
  const stop = whenOver(async () => {
    const pid = postmasterOf(data)
    strike('SIGCONT')
    await program?.kill('SIGKILL')
    // So that it leaves no shared memory behind.
    if (pid > 0) signal(pid, 'SIGQUIT')
    await until(`the end of PostgreSQL of ${name}`, endWithinMs, async () => !isRunning(pid)).catch(kill)
    for (const line of lines?.all ?? []) await line.close()
    process.off('exit', strikeLast)
  })
  const env = {
    // PostgreSQL inherits it. On a machine of its own the file would be /etc/pgbackrest.conf.
    PGBACKREST_CONFIG: join(folder, 'pgbackrest.conf'),
    // Else all members of this machine would share the one in the home of their user.
    PATRONI_POSTGRESQL_PGPASS: join(folder, 'pgpass'),
    ...lines?.env,
  }
  return {
    name,
    address,
    folder,
    data,
    values,
    kill,
    start() {
      program = startProgram(user, 'patroni', [patroni], join(folder, 'patroni.log'), { env })
    },
    isolate() {
      if (!lines) throw new Error('nothing between these members can be cut')
      isIsolated = true
      for (const line of lines.all) line.hold()
    },
    heal() {
      isIsolated = false
      for (const line of lines?.all ?? []) line.cut()
    },
    isIsolated: () => isIsolated,
    owns: (port) => program !== undefined && ownsPort(program.pid, port),
    freeze: () => strike('SIGSTOP'),
    thaw: () => strike('SIGCONT'),
    log: () => program?.log() ?? '',
    stop,
  }
}

type Ends = { address: string; etcds: readonly string[]; admits: (port: number) => boolean }

/** By which the others reach a member, and it reaches etcd. Its files do not know of them. */
async function openLines({ address, etcds, admits }: Ends) {
  const postgres = await openLine(5432, { host: address, admits })
  const rest = await openLine(8008, { host: address, admits })
  const ways = await Promise.all(etcds.map((host) => openLine(2379, { host })))
  const at = ({ port }: Line) => `127.0.0.1:${port}`
  const env = {
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: at(postgres),
    PATRONI_RESTAPI_CONNECT_ADDRESS: at(rest),
    PATRONI_ETCD3_HOSTS: ways.map((way) => `'${at(way)}'`).join(','),
    // Else it would ask etcd for its own addresses, and go past the lines.
    PATRONI_ETCD3_USE_PROXIES: 'true',
  }
  return { all: [postgres, rest, ...ways], env }
}

/** 0 where none runs. The number in the file may be another program's by now: ours has our folder in its command. */
function postmasterOf(data: string): number {
  const pid = Number(readOr(join(data, 'postmaster.pid')).split('\n')[0])
  return pid > 0 && readOr(`/proc/${pid}/cmdline`).includes(data) ? pid : 0
}
