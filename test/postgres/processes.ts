import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** A process and its children, which are all the processes of a PostgreSQL. */
export function signalAll(pid: number, name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
  if (pid <= 1) return
  // First, so that it starts no other ones meanwhile.
  signal(pid, 'SIGSTOP')
  for (const it of [...childrenOf(pid), pid]) signal(it, name)
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended.
  }
}

function childrenOf(pid: number): number[] {
  return listPids().filter((it) => {
    // The name of a program stands in brackets and may hold anything; the parent is the second word after it.
    const words = readOr(`/proc/${it}/stat`).replace(/^.*\) /, '')
    return Number(words.split(' ')[1]) === pid
  })
}

export function listPids(): number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []))
}

/** One that ended and was not yet collected by its parent counts as ended. */
export function isRunning(pid: number): boolean {
  return /^State:\s+[^Z\s]/m.test(readOr(`/proc/${pid}/status`))
}

/** Whether the connection that comes from this port of this machine is that process's. */
export function ownsPort(pid: number, port: number): boolean {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  const sockets = readOr('/proc/net/tcp')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local]) => local?.endsWith(`:${hex}`))
    .map((words) => `socket:[${words[9]}]`)
  return readFiles(pid).some((it) => sockets.includes(it))
}

/** The files and connections that it has open, as /proc names them. */
function readFiles(pid: number): string[] {
  const folder = `/proc/${pid}/fd`
  return orNone(() => readdirSync(folder)).flatMap((name) => orNone(() => [readlinkSync(`${folder}/${name}`)]))
}

/** The process may end, and close any of them, while we look. */
function orNone(look: () => string[]): string[] {
  try {
    return look()
  } catch {
    return []
  }
}

export function readOr(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
