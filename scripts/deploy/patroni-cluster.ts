import { randomBytes, randomInt } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { whenOver } from '../../chaos/lib/clean-up.ts'
import { patient } from '../../chaos/lib/patience.ts'
import { changeOwner, run, type User } from '../../src/lib/files-of-user.ts'
import { admin, isAlive } from '../../test/find-postgres.ts'
import { type Program, start, until } from './children.ts'
import { fillIn, readClusterEnv, type Values } from './templates.ts'

export type Member = { name: string; role: string; state: string; timeline: number; lag?: number | string }
export type PatroniNode = {
  name: string
  address: string
  data: string
  values: Values
  /** Of everything that belongs to it. */
  folder: string
  /** SIGKILL for its PostgreSQL and its Patroni: the machine is gone. */
  crash(): Promise<void>
  /** Starts Patroni again. */
  start(): void
}
export type PatroniCluster = {
  home: string
  user: User
  nodes: readonly PatroniNode[]
  /** What the files of deploy/ were filled in with, without what differs between the nodes. */
  values: Values
  /** Through HAProxy, as the superuser. */
  adminUrl: string
  /** By all three addresses. */
  hosts: string
  members(): Promise<Member[]>
  /** `patronictl remove`: what etcd knows of the cluster is forgotten, so that a restored node can begin anew. */
  forget(): Promise<void>
  /** Once a leader runs and this many standbys stream from it. */
  healthy(standbys: number): Promise<{ leader: PatroniNode; sync: string }>
}

const names = ['node1', 'node2', 'node3'] as const
const startWithinMs = 60_000

/**
 * deploy/patroni on this machine: three nodes, each with an address of its own out of 127.0.0.0/8, so that the very files
 * with the very ports can be used. It needs Linux, root (PostgreSQL then runs as postgres), patroni, etcd and haproxy.
 */
export async function startPatroni({ archives }: { archives: boolean }): Promise<PatroniCluster> {
  if (process.getuid?.() !== 0)
    throw new Error('Run this as root: PostgreSQL and Patroni then run as the user postgres.')
  const user = {
    uid: Number(await run({}, 'id', ['-u', 'postgres'])),
    gid: Number(await run({}, 'id', ['-g', 'postgres'])),
  }
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'tidings-patroni-')))
  whenOver(() => rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }))
  chmodSync(home, 0o755)
  const network = `127.${randomInt(16, 250)}.${randomInt(1, 250)}`
  const secret = () => randomBytes(12).toString('hex')
  const values: Values = {
    ...readClusterEnv(),
    NODE1: `${network}.11`,
    NODE2: `${network}.12`,
    NODE3: `${network}.13`,
    REPOSITORY: `${network}.20`,
    HAPROXY_ADDRESS: `${network}.10`,
    CLIENTS: '127.0.0.0/8',
    POSTGRES_HOME: home,
    ETCD_HOME: join(home, 'etcd'),
    SHARED_BUFFERS: '128MB',
    SUPERUSER_PASSWORD: secret(),
    REPLICATION_PASSWORD: secret(),
    REWIND_PASSWORD: secret(),
    REST_PASSWORD: secret(),
    REPOSITORY_PASSWORD: secret(),
    REPOSITORY_PATH: join(home, 'repository'),
    REPOSITORY_CONFIG: join(home, 'repository.conf'),
    CERTIFICATES: join(home, 'certificates'),
    ...(!archives && { ARCHIVE_COMMAND: '/bin/true' }),
  }
  mkdirSync(join(home, 'etcd'))
  const prepared = names.map((name) => prepareNode(home, name, values))
  const haproxyFile = join(home, 'haproxy.cfg')
  writeFileSync(haproxyFile, fillIn('patroni/haproxy.cfg', values))
  await changeOwner(user, home)
  for (const name of names) {
    start(user, 'etcd', ['--config-file', join(home, name, 'etcd.yml')], join(home, name, 'etcd.log'))
  }
  for (const name of names) {
    await run(user, 'patroni', ['--validate-config', join(home, name, 'patroni.yml')])
  }
  await run({}, 'haproxy', ['-c', '-f', haproxyFile])
  const nodes = prepared.map((it) => runNode(user, it))
  start({}, 'haproxy', ['-db', '-f', haproxyFile], join(home, 'haproxy.log'))
  for (const node of nodes) node.start()

  const members = async (): Promise<Member[]> => {
    const asked = nodes.map(async ({ address }) => {
      const reply = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(2_000) })
      return ((await reply.json()) as { members: Member[] }).members
    })
    return Promise.any(asked)
  }
  const cluster: PatroniCluster = {
    home,
    user,
    nodes,
    values,
    adminUrl: `postgres://postgres:${values.SUPERUSER_PASSWORD}@${values.HAPROXY_ADDRESS}:5000/postgres`,
    hosts: nodes.map(({ address }) => `${address}:5432`).join(','),
    members,
    async forget() {
      const file = join(home, 'node1', 'patroni.yml')
      const answers = 'tidings\nYes I am aware\n'
      const remove = ['-c', `printf '%s' "$1" | patronictl -c "$0" remove tidings`, file, answers]
      // It is refused while the lock of a leader has not run out.
      await until('patronictl remove', 60_000, () => run({}, 'sh', remove))
    },
    healthy: (standbys) =>
      until(`a leader with ${standbys} standbys`, patient(startWithinMs), async () => {
        const all = await members()
        const leader = nodes.find(({ name }) =>
          all.some((it) => it.name === name && it.role === 'leader' && it.state === 'running'),
        )
        const sync = all.find((it) => it.role === 'sync_standby' && isStreaming(it))
        const streaming = all.filter((it) => it.role !== 'leader' && isStreaming(it))
        if (!leader || !sync || streaming.length < standbys) return null
        // HAProxy must have noticed as well.
        const [row] = await ask<{ address: string }>(cluster.adminUrl, 'select host(inet_server_addr()) as address')
        return row?.address === leader.address && { leader, sync: sync.name }
      }),
  }
  return cluster
}

// Patroni before 3.1 says "running" of a standby that streams.
const isStreaming = ({ state }: Member) => state === 'streaming' || state === 'running'

type Prepared = { name: string; folder: string; values: Values }

function prepareNode(home: string, name: (typeof names)[number], shared: Values): Prepared {
  const folder = join(home, name)
  mkdirSync(folder)
  const address = shared[name.toUpperCase()] ?? ''
  const values = { ...shared, NODE_NAME: name, NODE_ADDRESS: address }
  writeFileSync(join(folder, 'patroni.yml'), fillIn('patroni/patroni.yml', values), { mode: 0o600 })
  writeFileSync(join(folder, 'etcd.yml'), fillIn('patroni/etcd.yml', values))
  return { name, folder, values }
}

function runNode(user: User, { name, folder, values }: Prepared): PatroniNode {
  const data = join(folder, 'data')
  let patroni: Program | undefined
  const crash = async () => {
    await patroni?.kill('SIGKILL')
    const pid = postmasterOf(data)
    if (pid) process.kill(pid, 'SIGKILL')
    await until(`the end of PostgreSQL of ${name}`, 20_000, async () => !pid || !isAlive(pid))
  }
  // Patroni leaves its PostgreSQL behind when it is killed.
  whenOver(crash)
  return {
    name,
    address: values.NODE_ADDRESS ?? '',
    folder,
    data,
    values,
    crash,
    start() {
      // PostgreSQL inherits it. On a machine of its own the file would be /etc/pgbackrest.conf.
      const env = { PGBACKREST_CONFIG: join(folder, 'pgbackrest.conf') }
      patroni = start(user, 'patroni', [join(folder, 'patroni.yml')], join(folder, 'patroni.log'), env)
    },
  }
}

/** Null where none runs. The number in the file may be another program's by now: ours has our folder in its command. */
function postmasterOf(data: string): number | null {
  try {
    const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(data) ? pid : null
  } catch {
    return null
  }
}

export async function ask<Row>(url: string, text: string, given: unknown[] = []): Promise<Row[]> {
  return admin(url, async (client) => (await client.query(text, given)).rows as Row[])
}
