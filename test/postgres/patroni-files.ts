import { randomBytes, randomInt } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { fillIn, readClusterEnv, type Values } from '../../scripts/deploy/templates.ts'
import { changeOwner, cleanEnv } from '../../src/lib/files-of-user.ts'
import type { Place } from './place.ts'
import { findLocalBinaries } from './programs.ts'

export type Options = {
  /** False: commits are acknowledged by one server alone, which is what must never be. */
  synchronous?: boolean
  /** True: PostgreSQL's log goes to deploy/pgbackrest. */
  archives?: boolean
  /** True: the ways between the nodes, and from each to etcd, are lines that can fall silent. */
  cuttable?: boolean
  /** Sizes that suit this machine. What decides about a failover is as in deploy/patroni, or nothing would be proved. */
  sizes?: Readonly<Record<string, string>>
}

export type NodeFiles = { name: string; address: string; folder: string; values: Values; patroni: string; etcd: string }

export const names = ['node1', 'node2', 'node3'] as const

const packages = { patroni: 'patroni', etcd: 'etcd-server', haproxy: 'haproxy' }

/** Names the packages that this machine does not have; null where it has all. */
export function missingPackages(): string | null {
  const folders = cleanEnv.PATH.split(':')
  const has = (program: string) => folders.some((folder) => existsSync(join(folder, program)))
  const missing = Object.entries(packages).flatMap(([program, name]) => (has(program) ? [] : name))
  if (!existsSync(join(findLocalBinaries() ?? '', 'pg_rewind'))) missing.push('postgresql')
  return missing.length === 0 ? null : `it needs ${missing.join(', ')}: apt-get install ${missing.join(' ')}`
}

/**
 * The files of deploy/patroni, filled in for this machine: each node has an address of its own out of 127.0.0.0/8, so that
 * the very files with the very ports can be used.
 */
export async function writeFiles({ home, user }: Place, options: Options) {
  const values = chooseValues(home, options)
  mkdirSync(join(home, 'etcd'))
  const nodes = names.map((name): NodeFiles => {
    const folder = join(home, name)
    mkdirSync(folder)
    const address = values[name.toUpperCase()] ?? ''
    const own = { ...values, NODE_NAME: name, NODE_ADDRESS: address }
    const [patroni, etcd] = [join(folder, 'patroni.yml'), join(folder, 'etcd.yml')]
    writeFileSync(patroni, fillInPatroni(own, options), { mode: 0o600 })
    writeFileSync(etcd, fillIn('patroni/etcd.yml', own))
    return { name, address, folder, values: own, patroni, etcd }
  })
  const haproxy = join(home, 'haproxy.cfg')
  writeFileSync(haproxy, fillIn('patroni/haproxy.cfg', values))
  await changeOwner(user, home)
  return { values, nodes, haproxy }
}

function chooseValues(home: string, { archives = false }: Options): Values {
  const network = `127.${randomInt(16, 250)}.${randomInt(1, 250)}`
  const secret = () => randomBytes(12).toString('hex')
  const given = readClusterEnv()
  return {
    ...given,
    POSTGRES_BIN: findLocalBinaries() ?? given.POSTGRES_BIN ?? '',
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
}

/** As it is, unless something else is asked for. Patroni reads YAML, and JSON is YAML. */
export function fillInPatroni(values: Values, { synchronous = true, sizes }: Options): string {
  const whole = fillIn('patroni/patroni.yml', values)
  // Run by root, PostgreSQL and Patroni are the user postgres; else they are we, whom PostgreSQL does not know by name.
  const text = process.getuid?.() === 0 ? whole : whole.replace('local all postgres peer', 'local all postgres trust')
  if (synchronous && !sizes) return text
  const file = parse(text)
  const { dcs } = file.bootstrap
  Object.assign(dcs, { synchronous_mode: synchronous, synchronous_mode_strict: synchronous })
  Object.assign(dcs.postgresql.parameters, sizes)
  return JSON.stringify(file, null, 2)
}
