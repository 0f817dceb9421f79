import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { admin, findPostgres } from '../test/find-postgres.ts'

const root = join(import.meta.dirname, '..')

/** Every command that starts processes or makes databases, and what its output shows when it is in the middle of it. */
const commands: [command: string, inTheMiddle: RegExp][] = [
  ['scripts/measure-latency.ts', /^/],
  ['scripts/measure-memory.ts', /^/],
  ['scripts/measure-timers.ts', /a page of/],
  ['scripts/measure-idle.ts', /^/],
  ['scripts/first-start.ts', /^/],
  ['scripts/try-cells.ts', /^/],
  ['scripts/try-cells.ts', /another terminal/],
  ['bench/run.ts --quick', /\na\. /],
  ['chaos/run.ts --quick crash/drain', /\ncrash/],
]

test.each(commands)(
  '%s, ended by Ctrl-C, leaves no process, folder or database behind',
  async (command, inTheMiddle) => {
    const postgres = await findPostgres()
    const databases = () => listDatabases(postgres.url)
    const before = await databases()
    const folder = mkdtempSync(join(tmpdir(), 'tidings-leaves-'))
    chmodSync(folder, 0o777)
    const mark = randomUUID()
    const child = spawn(process.execPath, command.split(' '), {
      cwd: root,
      env: { ...process.env, PORT: '0', TMPDIR: folder, MARK_OF_THIS_RUN: mark },
      // A session of its own.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ended = once(child, 'exit')
    const ofThisRun = () => processesOf(mark, child.pid ?? 0)
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text))
    try {
      // Its own process is one; what it starts makes it more.
      while (ofThisRun().length < 2 || !inTheMiddle.test(said)) {
        if (child.exitCode !== null) throw new Error(`it ended by itself:\n${said}`)
        await sleep(50)
      }
      await sleep(500)
      child.kill('SIGINT')
      // The terminal signals everybody, and npm passes it on once more.
      await sleep(50)
      child.kill('SIGINT')
      await ended
      await expect.poll(ofThisRun, { timeout: 5_000 }).toEqual([])
      expect(readdirSync(folder)).toEqual([])
      expect(existsSync(join(root, '.data', 'try-cells'))).toBe(false)
      expect((await databases()).filter((name) => !before.includes(name))).toEqual([])
    } finally {
      for (const { pid } of ofThisRun()) process.kill(pid, 'SIGKILL')
      rmSync(folder, { recursive: true, force: true })
      await postgres.stop()
    }
  },
  180_000,
)

/** Those of commands; the other test files that run beside this one make theirs too. */
async function listDatabases(url: string): Promise<string[]> {
  const { rows } = await admin(url, (client) =>
    client.query<{ datname: string }>(
      `select datname from pg_database where datname ~ '^tidings_(te_[a-z]|chaos|bench)'`,
    ),
  )
  return rows.map((row) => row.datname)
}

/** Known by the environment or the session that a process hands down to what it starts. */
function processesOf(mark: string, session: number): { pid: number; command: string }[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'latin1')
        .replace(/^.*\) /s, '')
        .split(' ')
      const isOurs = Number(fields[3]) === session || readFileSync(`/proc/${name}/environ`, 'latin1').includes(mark)
      // One that has ended and is not yet buried has no command.
      const command = readFileSync(`/proc/${name}/cmdline`, 'latin1').replaceAll('\0', ' ').trim()
      return isOurs && command !== '' ? [{ pid: Number(name), command }] : []
    } catch {
      return []
    }
  })
}
