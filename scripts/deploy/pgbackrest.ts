import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { changeOwner, cleanEnv } from '../../src/lib/files-of-user.ts'
import { start, until } from '../../test/postgres/children.ts'
import { ask, type PatroniCluster } from '../../test/postgres/patroni.ts'
import type { PatroniMember } from '../../test/postgres/patroni-member.ts'
import { fillIn } from './templates.ts'

export type Backups = {
  /** A full backup. Answers the nodes whose tables were copied. */
  take(): Promise<string[]>
  /** Once PostgreSQL's log up to now is in the repository. */
  untilArchived(adminUrl: string): Promise<void>
  /** The data of that node as it was at that moment. Its folder must be empty. */
  restore(node: PatroniMember, moment: Date): Promise<void>
}

/** deploy/pgbackrest beside the nodes, and a repository with an address of its own. */
export async function startPgbackrest({ home, user, members: nodes, values }: PatroniCluster): Promise<Backups> {
  const { CERTIFICATES: certificates = '', REPOSITORY: repository = '' } = values
  const { REPOSITORY_PATH: path = '', REPOSITORY_CONFIG: config = '' } = values
  const script = join(import.meta.dirname, '../../deploy/pgbackrest/certificates.sh')
  const machines = [...nodes.map(({ name, address }) => `${name}=${address}`), `repository=${repository}`]
  await promisify(execFile)(script, [certificates, ...machines])
  const folders = nodes.flatMap(({ folder }) => ['spool', 'lock', 'log'].map((it) => join(folder, it)))
  for (const folder of [path, join(path, 'lock'), join(path, 'log'), ...folders]) mkdirSync(folder)
  for (const node of nodes) {
    writeFileSync(join(node.folder, 'pgbackrest.conf'), fillIn('pgbackrest/node.conf', node.values), { mode: 0o600 })
  }
  writeFileSync(config, fillIn('pgbackrest/repository.conf', values), { mode: 0o600 })
  for (const it of [certificates, path, config]) await changeOwner(user, it)
  for (const { folder } of nodes) {
    for (const it of ['spool', 'lock', 'log', 'pgbackrest.conf']) await changeOwner(user, join(folder, it))
    const file = join(folder, 'pgbackrest.conf')
    start(user, 'pgbackrest', [`--config=${file}`, 'server'], join(folder, 'pgbackrest.log'))
  }
  start(user, 'pgbackrest', [`--config=${config}`, 'server'], join(home, 'repository.log'))

  const command = async (file: string, ...args: string[]): Promise<string> => {
    const options = { ...user, cwd: '/', env: cleanEnv, maxBuffer: 10_000_000 }
    const all = [`--config=${file}`, '--stanza=tidings', ...args]
    try {
      return (await promisify(execFile)('pgbackrest', all, options)).stdout
    } catch (error) {
      const said = error instanceof Error && 'stdout' in error ? String(error.stdout).slice(-2_000) : ''
      throw new Error(`pgbackrest ${args.join(' ')}: ${said || String(error)}`)
    }
  }
  await until('pgbackrest on every machine', 30_000, () => command(config, 'stanza-create'))
  await command(config, 'check')

  return {
    async take() {
      const log = await command(config, '--log-level-console=detail', '--type=full', 'backup')
      // A few small files, which are not replicated, come from the primary all the same.
      const copied = new Set([...log.matchAll(/backup file ([\d.]+):\S+\/base\//g)].map(([, host]) => host))
      return nodes.filter(({ address }) => copied.has(address)).map(({ name }) => name)
    },
    async untilArchived(adminUrl) {
      const [row] = await ask<{ file: string }>(adminUrl, 'select pg_walfile_name(pg_switch_wal()) as file')
      await until(`${row?.file} in the repository`, 60_000, async () => {
        const [state] = await ask<{ file: string }>(
          adminUrl,
          'select last_archived_wal as file from pg_stat_archiver where last_archived_wal >= $1',
          [row?.file],
        )
        return state !== undefined
      })
    },
    async restore(node, moment) {
      const target = moment.toISOString().replace('T', ' ').replace('Z', '+00')
      const options = ['--type=time', `--target=${target}`, '--target-action=promote']
      await command(join(node.folder, 'pgbackrest.conf'), ...options, 'restore')
    },
  }
}
