import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a failover is made of: the same figures stand in the guide for operators. */
export const timing = { ttl: 20, loop_wait: 5, retry_timeout: 5 }

export type MemberPorts = {
  postgres: number
  rest: number
  /** By which the other members and it reach each other, and it reaches etcd: these can be cut. */
  lines: { postgres: number; rest: number; etcd: number }
}

type Member = { home: string; bin: string; name: string; ports: MemberPorts; synchronous: boolean }

/** Patroni reads YAML, and JSON is YAML. Answers the file. */
export function writePatroniConfig({ home, bin, name, ports, synchronous }: Member): string {
  const at = (port: number) => `127.0.0.1:${port}`
  const config = {
    scope: 'tidings',
    namespace: '/chaos/',
    name,
    restapi: { listen: at(ports.rest), connect_address: at(ports.lines.rest) },
    // As proxies: else it would ask etcd for its own addresses, and go past the line.
    etcd3: { hosts: [at(ports.lines.etcd)], use_proxies: true },
    bootstrap: {
      dcs: {
        ...timing,
        synchronous_mode: synchronous,
        synchronous_mode_strict: synchronous,
        // Without synchronous standbys it would refuse one that is a little behind.
        maximum_lag_on_failover: 100 * 1024 ** 2,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: { max_connections: 200, wal_log_hints: 'on', shared_buffers: '64MB', timezone: 'UTC' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }],
    },
    postgresql: {
      listen: at(ports.postgres),
      connect_address: at(ports.lines.postgres),
      data_dir: join(home, name),
      bin_dir: bin,
      pgpass: join(home, `${name}.pgpass`),
      authentication: { superuser: { username: 'postgres' }, replication: { username: 'replicator' } },
      parameters: { unix_socket_directories: home },
      pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
    },
  }
  const file = join(home, `${name}.yml`)
  writeFileSync(file, JSON.stringify(config, null, 2))
  return file
}

type Door = { home: string; port: number; members: readonly { name: string; ports: MemberPorts }[] }

/** Leads to the member whose Patroni says that it is the primary, and breaks what leads to another one. */
export function writeHaproxyConfig({ home, port, members }: Door): string {
  const lines = [
    'global',
    '  maxconn 1000',
    'defaults',
    '  mode tcp',
    '  retries 1',
    '  timeout connect 2s',
    '  timeout client 30m',
    '  timeout server 30m',
    '  timeout check 2s',
    'listen primary',
    `  bind 127.0.0.1:${port}`,
    '  option httpchk OPTIONS /primary',
    '  http-check expect status 200',
    '  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions',
    ...members.map(({ name, ports }) => `  server ${name} 127.0.0.1:${ports.postgres} check port ${ports.rest}`),
  ]
  const file = join(home, 'haproxy.cfg')
  writeFileSync(file, `${lines.join('\n')}\n`)
  return file
}
