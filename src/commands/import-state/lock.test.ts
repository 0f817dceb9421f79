import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withLock } from './lock.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidings-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const never = 'process.stdin.resume(); await new Promise(() => {})'

/** Another process that holds the lock until it is killed. */
async function startHolder(file: string) {
  const code = `import { withLock } from ${JSON.stringify(join(import.meta.dirname, 'lock.ts'))}
    await withLock(${JSON.stringify(file)}, async () => { console.log('held'); ${never} })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['pipe', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return {
    async kill() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

test('while another process works with the files nobody else does; when it was killed, anybody may', async () => {
  const file = join(folder, 'a')
  const holder = await startHolder(file)
  await expect(withLock(file, async () => 'worked')).rejects.toThrow(/Another import .*process \d+/)
  expect(await withLock(join(folder, 'b'), async () => 'worked')).toBe('worked')
  await holder.kill()
  expect(await withLock(file, async () => 'worked')).toBe('worked')
  expect(existsSync(`${file}.lock`)).toBe(false)
})

test('a lock of another machine counts until it has been silent for half a minute', async () => {
  const file = join(folder, 'a')
  const lock = `${file}.lock`
  writeFileSync(lock, JSON.stringify({ host: `not-${hostname()}`, pid: 1, token: 't' }))
  await expect(withLock(file, async () => 'worked')).rejects.toThrow('Another import')
  const before = new Date(Date.now() - 31_000)
  utimesSync(lock, before, before)
  expect(await withLock(file, async () => 'worked')).toBe('worked')
})

const isRoot = process.getuid?.() === 0
// In a user namespace root has no right to write where the mode forbids it.
const withoutRights = isRoot ? ['unshare', '--user'] : ['env']
const canDropRights = !isRoot || spawnSync('unshare', ['--user', 'true']).status === 0

test.skipIf(!canDropRights).each(['', '/new'])('a folder that cannot be written is named: %j in it', async (path) => {
  chmodSync(folder, 0o555)
  const code = `import { withLock } from ${JSON.stringify(join(import.meta.dirname, 'lock.ts'))}
    await withLock(${JSON.stringify(`${folder}${path}/a`)}, async () => {}).catch((error) => console.log(error.message))`
  const [program = '', ...args] = [...withoutRights, process.execPath, '--input-type=module', '-e', code]
  expect(spawnSync(program, args, { encoding: 'utf8' }).stdout).toBe(
    `The progress cannot be kept in ${folder}${path} (EACCES): use --state to name a folder that can be written.\n`,
  )
})

test('what is in a lock that somebody else took meanwhile is not removed', async () => {
  const file = join(folder, 'a')
  await withLock(file, async () => writeFileSync(`${file}.lock`, 'of somebody else'))
  expect(readFileSync(`${file}.lock`, 'utf8')).toBe('of somebody else')
})

test('work that fails gives it back', async () => {
  const file = join(folder, 'a')
  await expect(withLock(file, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await withLock(file, async () => 'worked')).toBe('worked')
})
