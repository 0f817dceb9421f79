import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, resolve } from 'node:path'

// Whoever holds it says so every few seconds; who was silent for half a minute is gone, wherever it ran.
const saysEveryMs = 5_000
const goneAfterMs = 30_000

/** Two imports with the same files would each write what the other does not know of. */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const lock = takeLock(file)
  try {
    return await work()
  } finally {
    lock.free()
  }
}

function takeLock(file: string): { free(): void } {
  const lock = `${file}.lock`
  const text = JSON.stringify({ host: hostname(), pid: process.pid, token: randomUUID() })
  try {
    claim(lock, text)
  } catch (error) {
    const { code } = Object(error)
    if (code !== 'EACCES' && code !== 'EROFS') throw error
    const folder = resolve(dirname(lock))
    throw new Error(
      `The progress cannot be kept in ${folder} (${code}): use --state to name a folder that can be written.`,
    )
  }
  const timer = setInterval(() => touch(lock), saysEveryMs)
  timer.unref()
  return {
    free() {
      clearInterval(timer)
      if (read(lock) === text) rmSync(lock, { force: true })
    },
  }
}

/** Creates the lock and its folder. Throws if another process holds the lock. */
function claim(lock: string, text: string): void {
  mkdirSync(dirname(lock), { recursive: true })
  if (create(lock, text)) return
  const holder = read(lock)
  if (holder !== null && !isGone(lock, holder)) throw isHeld(lock, holder)
  rmSync(lock, { force: true })
  if (!create(lock, text)) throw isHeld(lock, read(lock) ?? '')
}

function isHeld(lock: string, holder: string): Error {
  const { pid } = Object(parsed(holder))
  return new Error(
    `Another import works with the same files (process ${Number(pid)}). If it is gone, try again in half a minute. ${lock}`,
  )
}

/** False: somebody has it. */
function create(lock: string, text: string): boolean {
  try {
    writeFileSync(lock, text, { flag: 'wx' })
    return true
  } catch (error) {
    if (Object(error).code === 'EEXIST') return false
    throw error
  }
}

function isGone(lock: string, holder: string): boolean {
  const { host, pid } = Object(parsed(holder))
  // In a container that was started again, everybody has the number they had before.
  if (host === hostname() && (pid === process.pid || !isAlive(Number(pid)))) return true
  const stat = statSync(lock, { throwIfNoEntry: false })
  return stat === undefined || Date.now() - stat.mtimeMs > goneAfterMs
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return Object(error).code === 'EPERM'
  }
}

function touch(lock: string): void {
  try {
    utimesSync(lock, new Date(), new Date())
  } catch {
    // Somebody has removed it: the work is done to its end.
  }
}

function read(lock: string): string | null {
  try {
    return readFileSync(lock, 'utf8')
  } catch {
    return null
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
