import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import { promisify } from 'node:util'

/** The user that runs a program and owns its files; empty: the current user. */
export type User = { uid?: number; gid?: number }

/** The caller's PGDATA, PGPORT, LANG … are left out, and messages are English. */
export const cleanEnv = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' }

/** Runs in `/`, because this user may not be allowed to enter the current folder. */
export async function run(user: User, program: string, args: string[]): Promise<string> {
  return (await promisify(execFile)(program, args, { ...user, cwd: '/', env: cleanEnv })).stdout
}

export async function changeOwner({ uid, gid }: User, path: string): Promise<void> {
  if (uid !== undefined) await run({}, 'chown', ['-R', `${uid}:${gid}`, path])
}

/** Fills a new folder and moves it to `path`; if another process was faster, its folder stays. */
export async function makeFolder(path: string, user: User, fill: (folder: string) => Promise<unknown>): Promise<void> {
  const folder = await fs.mkdtemp(`${path}.new-`)
  try {
    await changeOwner(user, folder)
    await fill(folder)
    await fs.rename(folder, path).catch(ignore('ENOTEMPTY', 'EEXIST'))
  } finally {
    await fs.rm(folder, { recursive: true, force: true })
  }
}

/** Writes a file that only `user` may read, unless it exists; returns its content. */
export async function writeOnce(file: string, content: string, user: User): Promise<string> {
  const draft = `${file}.${randomBytes(4).toString('hex')}`
  await fs.writeFile(draft, content, { mode: 0o600, flush: true })
  await changeOwner(user, draft)
  await fs.link(draft, file).catch(ignore('EEXIST'))
  await fs.rm(draft)
  return fs.readFile(file, 'utf8')
}

export async function readIfThere(file: string): Promise<string | undefined> {
  const text = await fs.readFile(file, 'utf8').catch(ignore('ENOENT', 'ESRCH')) // ESRCH: in /proc, when the process ends
  return text?.trim()
}

/** For `catch`: ignores errors with these codes. */
export function ignore(...codes: string[]): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof Error && 'code' in error && codes.includes(String(error.code)))) throw error
  }
}
