import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { run, type User } from '../../src/lib/files-of-user.ts'
import { startPrivatePostgres } from '../../src/private-postgres.ts'

/** The folder of PostgreSQL's programs: those of this machine, else the packaged ones, for which `home` is needed. */
export async function findPrograms(home: string): Promise<string> {
  return findLocalBinaries() ?? (await findEmbeddedBinaries(home))
}

/** The newest PostgreSQL that is installed on this machine, by the packages' usual places. */
export function findLocalBinaries(): string | null {
  if (process.env.BENCH_POSTGRES === 'embedded') return null
  const homes = ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt', '/usr'].flatMap((parent) =>
    existsSync(parent) ? readdirSync(parent).flatMap((name) => versionOf(parent, name)) : [],
  )
  return homes.toSorted((a, b) => b.version - a.version)[0]?.bin ?? null
}

function versionOf(parent: string, name: string): { version: number; bin: string }[] {
  const version = Number(/^(?:pgsql-|postgresql@)?(\d{2})$/.exec(name)?.[1] ?? 0)
  const bin = join(parent, name, 'bin')
  return version >= 15 && existsSync(join(bin, 'initdb')) && existsSync(join(bin, 'postgres')) ? [{ version, bin }] : []
}

/** Whatever has to be done to make the packaged PostgreSQL run here, a first start has done. */
async function findEmbeddedBinaries(home: string): Promise<string> {
  const dataDir = join(home, 'embedded')
  const { stop } = await startPrivatePostgres({ dataDir, print: () => {} })
  const pid = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]
  const program =
    process.platform === 'linux'
      ? (readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0] ?? '')
      : ((await run({}, 'ps', ['-ww', '-o', 'command=', '-p', String(pid)])).split(' -D ')[0] ?? '')
  await stop()
  return dirname(program)
}

/** PostgreSQL refuses to run as root. */
export async function chooseUser(): Promise<User> {
  if (process.getuid?.() !== 0) return {}
  const [uid, gid] = [await run({}, 'id', ['-u', 'postgres']), await run({}, 'id', ['-g', 'postgres'])]
  return { uid: Number(uid), gid: Number(gid) }
}
