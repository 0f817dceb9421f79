import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, closeSync, existsSync, mkdtempSync, openSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { changeOwner, cleanEnv, type User } from '../../src/lib/files-of-user.ts'
import { admin } from '../../test/find-postgres.ts'
import { chooseUser, findLocalBinaries } from '../../test/postgres/programs.ts'
import { type MemberPorts, writeHaproxyConfig, writePatroniConfig } from '../simulators/patroni-files.ts'
import { signalAll } from '../simulators/postmaster.ts'
import { freePort, type Line, openLine } from '../simulators/tcp-line.ts'
import { isOver, whenOver } from './clean-up.ts'
import { send } from './http.ts'
import { at, listAt, textAt } from './json.ts'
import { times } from './parallel.ts'
import { patient } from './patience.ts'
import { openPostgres, type PostgresServer } from './postgres.ts'
import { expectThat } from './red.ts'

export type PatroniMember = {
  name: string
  ports: MemberPorts
  /** Patroni and its PostgreSQL, by kill -9, as a machine that loses its power. */
  kill(): void
  start(): void
  /** Cut off from etcd and from the other members, but not from clients. */
  isolate(): void
  heal(): void
  /** Patroni and its PostgreSQL stand still, and nobody is told. */
  freeze(): void
  thaw(): void
  log(): string
}

export type ClusterState = { leader: string | null; synchronous: string[]; standbys: string[] }

export type PatroniCluster = {
  /** Through haproxy. */
  server: PostgresServer
  /** All members, in the words of DATABASE_URL: who is given this finds the primary by himself. */
  hosts: string
  member(name: string): PatroniMember
  /** As most of those see it that are not cut off. */
  state(): Promise<ClusterState>
  /** Answers the name of the leader once it is another one than `old`. */
  untilOtherLeader(old: string): Promise<string>
  /** A leader and two standbys that follow it, one of them synchronous. */
  untilWhole(): Promise<ClusterState>
  switchover(from: string, to: string): Promise<void>
  stop(): Promise<void>
}

const places = ['/usr/bin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin']
const packages = { patroni: 'patroni', etcd: 'etcd-server', haproxy: 'haproxy' }

/** Names the packages that this machine does not have; null where it has all. */
export function missingPackages(): string | null {
  const missing = Object.entries(packages).flatMap(([program, name]) => (find(program) === null ? name : []))
  if (!existsSync(join(findLocalBinaries() ?? '', 'pg_rewind'))) missing.push('postgresql')
  return missing.length === 0 ? null : `it needs ${missing.join(', ')}: apt-get install ${missing.join(' ')}`
}

function find(program: string): string | null {
  const folders = [...new Set([...(process.env.PATH ?? '').split(':'), ...places])]
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path)) ?? null
}

const wholeWithinMs = 180_000
// One that stands still does not answer.
const askWithinMs = 2_000

/** Three members under Patroni, etcd and haproxy, on this machine and in a folder of their own. */
export async function startPatroni({ synchronous }: { synchronous: boolean }): Promise<PatroniCluster> {
  const missing = missingPackages()
  if (missing) throw new Error(missing)
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'tidings-chaos-patroni-')))
  whenOver(() => rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))
  chmodSync(home, 0o755)
  const user = await chooseUser()
  const [etcdPort, peerPort, door] = [await freePort(), await freePort(), await freePort()]
  const etcdUrls = [`http://127.0.0.1:${etcdPort}`, `http://127.0.0.1:${peerPort}`] as const
  const bin = findLocalBinaries() ?? ''
  const members = await Promise.all(times(3, (n) => makeMember({ home, bin, user, etcdPort, synchronous }, n)))
  const haproxy = writeHaproxyConfig({ home, port: door, members })
  await changeOwner(user, home)
  const others = [
    launch(home, user, 'etcd', [
      ...['--data-dir', join(home, 'etcd'), '--name', 'etcd', '--initial-cluster', `etcd=${etcdUrls[1]}`],
      ...['--listen-client-urls', etcdUrls[0], '--advertise-client-urls', etcdUrls[0]],
      ...['--listen-peer-urls', etcdUrls[1], '--initial-advertise-peer-urls', etcdUrls[1]],
    ]),
    launch(home, user, 'haproxy', ['-db', '-f', haproxy]),
  ]
  const cutOff = new Set<string>()
  for (const member of members) member.start()

  const state = () => readState(members.filter((it) => !cutOff.has(it.name)))
  const until = async <T>(what: string, ask: () => Promise<T | null>): Promise<T> => {
    for (const began = performance.now(); ; await sleep(100)) {
      const found = await ask()
      if (found !== null) return found
      const logs = () => members.map((it) => it.log().split('\n').slice(-6).join('\n')).join('\n')
      expectThat(performance.now() - began < patient(wholeWithinMs), `not seen: ${what}\n${logs()}`)
    }
  }
  const untilWhole = () =>
    until('a leader and two standbys', async () => {
      const now = await state()
      const isWhole = now.leader && now.standbys.length === 2 && (!synchronous || now.synchronous.length > 0)
      return isWhole ? now : null
    })
  const stop = async () => {
    for (const member of members) member.kill()
    for (const other of others) await other.end()
    for (const line of members.flatMap((it) => it.lines)) await line.close()
  }
  await untilWhole()
  const url = `postgres://postgres@127.0.0.1:${door}/postgres`
  await until('haproxy leads to the leader', () => isDoorOpen(url))
  return {
    server: await openPostgres(async () => ({ url, stop, thrownAway: true })),
    hosts: members.map(({ ports }) => `127.0.0.1:${ports.postgres}`).join(','),
    member(name) {
      const found = members.find((it) => it.name === name)
      if (!found) throw new Error(`there is no member ${name}`)
      return {
        ...found,
        isolate() {
          cutOff.add(name)
          for (const line of found.lines) line.hold()
        },
        heal() {
          cutOff.delete(name)
          for (const line of found.lines) line.cut()
        },
      }
    },
    state,
    untilWhole,
    untilOtherLeader: (old) =>
      until(`a leader instead of ${old}`, async () => {
        const { leader } = await state()
        return leader === old ? null : leader
      }),
    async switchover(from, to) {
      const port = members.find((it) => it.name === from)?.ports.rest
      const body = { leader: from, candidate: to }
      const reply = await send(`http://127.0.0.1:${port}`, 'POST', '/switchover', { body })
      expectThat(reply.status === 200, `the switchover: ${reply.status} ${reply.text}`)
    },
    stop,
  }
}

function isDoorOpen(url: string): Promise<true | null> {
  return admin(url, async () => true as const).catch(() => null)
}

type Given = { home: string; bin: string; user: User; etcdPort: number; synchronous: boolean }

async function makeMember({ home, bin, user, etcdPort, synchronous }: Given, index: number) {
  const name = `m${index + 1}`
  const [postgres, rest] = [await freePort(), await freePort()]
  const lines: Line[] = await Promise.all([postgres, rest, etcdPort].map(openLine))
  const [toPostgres, toRest, toEtcd] = lines.map(({ port }) => port) as [number, number, number]
  const ports: MemberPorts = { postgres, rest, lines: { postgres: toPostgres, rest: toRest, etcd: toEtcd } }
  const config = writePatroniConfig({ home, bin, name, ports, synchronous })
  let own: Launched | null = null
  const strike = (signal: NodeJS.Signals) => {
    own?.process.kill(signal)
    signalAll(Number(readOr(join(home, name, 'postmaster.pid')).split('\n')[0] ?? 0), signal)
  }
  const kill = () => {
    strike('SIGKILL')
    void own?.end()
    own = null
    // A dead machine's connections say nothing more; those of this one would be closed by its kernel anyway.
    for (const line of lines) line.cut()
  }
  // Patroni lets its PostgreSQL live on when it ends.
  whenOver(kill)
  process.on('exit', kill)
  return {
    name,
    ports,
    lines,
    kill,
    freeze: () => strike('SIGSTOP'),
    thaw: () => strike('SIGCONT'),
    start() {
      own = launch(home, user, 'patroni', [config], name)
    },
    log: () => readOr(join(home, `${name}.log`)),
  }
}

const alive = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL')
})

type Launched = { process: ChildProcess; end(): Promise<void> }

function launch(
  home: string,
  user: User,
  program: keyof typeof packages,
  args: readonly string[],
  name?: string,
): Launched {
  if (isOver()) throw new Error('the run is over')
  const output = openSync(join(home, `${name ?? program}.log`), 'a')
  const options = { ...user, cwd: '/', env: cleanEnv, stdio: ['ignore', output, output] as ['ignore', number, number] }
  const child = spawn(find(program) ?? program, args, options)
  closeSync(output)
  alive.add(child)
  const over = new Promise((resolve) => child.on('close', resolve).on('error', resolve))
  const end = whenOver(async () => {
    child.kill('SIGKILL')
    await over
    alive.delete(child)
  })
  return { process: child, end }
}

/** What one of them last read in etcd. That may be old, so each is asked itself whether it runs as what it is there. */
async function readState(members: readonly { name: string; ports: MemberPorts }[]): Promise<ClusterState> {
  const ask = async (name: string, path: string) => {
    const port = members.find((it) => it.name === name)?.ports.rest ?? 0
    const reply = send(`http://127.0.0.1:${port}`, 'GET', path).catch(() => null)
    return Promise.race([reply, sleep(askWithinMs, null)])
  }
  const replies = await Promise.all(members.map(({ name }) => ask(name, '/cluster')))
  const all = replies.map((reply) => listAt(reply?.body, 'members')).find((list) => list.length > 0) ?? []
  const runs = await Promise.all(
    all.map(async (it) => {
      const isLeader = at(it, 'role') === 'leader'
      const reply = await ask(textAt(it, 'name'), isLeader ? '/primary' : '/replica')
      return { it, isLeader, name: textAt(it, 'name'), isUp: reply?.status === 200 }
    }),
  )
  const timeline = at(runs.find(({ isLeader }) => isLeader)?.it, 'timeline')
  const up = runs.filter(({ isUp }) => isUp)
  const follows = ({ it }: { it: unknown }) => at(it, 'timeline') === timeline && at(it, 'lag') !== 'unknown'
  return {
    leader: up.find(({ isLeader }) => isLeader)?.name ?? null,
    synchronous: up.filter(({ it }) => at(it, 'role') === 'sync_standby').map(({ name }) => name),
    standbys: up.filter((run) => !run.isLeader && follows(run)).map(({ name }) => name),
  }
}

function readOr(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
