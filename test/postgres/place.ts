import { chmodSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { whenOver } from '../../chaos/lib/clean-up.ts'
import { changeOwner, type User } from '../../src/lib/files-of-user.ts'
import { isAlive } from '../find-postgres.ts'
import { listPids, readOr, signal } from './processes.ts'
import { chooseUser } from './programs.ts'

/** Where servers run: everything they write is in one folder. */
export type Place = { home: string; user: User; remove(): Promise<void> }

/** `what`: stands in the name of the folder, which is gone when we are. */
export async function makePlace(what: string): Promise<Place> {
  await removeLeftovers(what)
  const home = realpathSync(mkdtempSync(join(tmpdir(), `tidings-${what}-${process.pid}-`)))
  const remove = whenOver(() => removeFolder(home))
  // Run by root, PostgreSQL is another user, who must be able to enter.
  chmodSync(home, 0o755)
  const user = await chooseUser()
  await changeOwner(user, home)
  return { home, user, remove }
}

function removeFolder(home: string): void {
  rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
}

/** A run that was killed could not clean up after itself, and its data may be large. */
async function removeLeftovers(what: string): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(new RegExp(`^tidings-${what}-(\\d+)-`).exec(name)?.[1] ?? 0)
    if (pid === 0 || isAlive(pid)) continue
    const home = join(tmpdir(), name)
    for (const it of programsOf(home)) signal(it.pid, it.isPostgres ? 'SIGQUIT' : 'SIGKILL')
    // While they end they still write.
    for (const deadline = Date.now() + 10_000; programsOf(home).length > 0 && Date.now() < deadline; ) await sleep(100)
    removeFolder(home)
  }
}

const known = ['postgres', 'patroni', 'etcd', 'haproxy', 'pgbackrest']

/** What was started on this folder and on no other: servers by their command, our own nodes by DATA_DIR. */
function programsOf(home: string): { pid: number; isPostgres: boolean }[] {
  return listPids().flatMap((pid) => {
    const command = readOr(`/proc/${pid}/cmdline`).split('\0')
    // Patroni is a script: the first word is Python.
    const program = command.slice(0, 2).map((it) => basename(it))
    const isServer = known.some((it) => program.includes(it)) && command.some((it) => it.includes(home))
    const isNode = readOr(`/proc/${pid}/environ`).split('\0').includes(`DATA_DIR=${home}`)
    return isServer || isNode ? [{ pid, isPostgres: program[0] === 'postgres' }] : []
  })
}
