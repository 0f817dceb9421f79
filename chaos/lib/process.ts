import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Edit } from '../mutate.ts'
import { isOver, whenOver } from './clean-up.ts'
import { patient } from './patience.ts'

export type Settings = Record<string, string>
export type Role = 'start' | 'api' | 'worker' | 'gateway'
export type ApiNode = {
  url: string
  pid: number
  /** All that it wrote, on both streams. */
  output(): string
  /** Null while it runs. */
  ended(): string | null
  /** SIGTERM: it drains, then ends. */
  stop(): Promise<string>
  /** SIGKILL */
  kill(): Promise<void>
  /** From /proc; 0 where there is none. */
  memoryMb(which: 'VmRSS' | 'VmHWM'): number
}
/** Another copy of the program, for rows in which versions run side by side. */
export type Program = {
  root: string
  /** Of a node that runs for hours only the end of what it wrote is kept. */
  keptOutput?: number
}
export type Finished = { code: number | null; output: string }
/** A command under way. */
export type Running = {
  pid: number
  output(): string
  ended(): string | null
  /** How it ended: `exit 0`, or the signal. */
  over: Promise<string>
  kill(): Promise<void>
}

const root = join(import.meta.dirname, '../..')
const thisProgram: Program = { root }
const startWithinMs = 60_000
// As docs/production.md says.
const stopWithinMs = 90_000

type Child = { process: ChildProcess; output(): string; over: Promise<string>; ended(): string | null }

export async function startNode(
  role: Role,
  settings: Settings,
  edits: readonly Edit[],
  program: Program = thisProgram,
): Promise<ApiNode> {
  const child = launch([role], { PORT: '0', HOST: '127.0.0.1', ...settings }, edits, program)
  const kill = whenOver(async () => {
    child.process.kill('SIGKILL')
    await child.over
  })
  const url = await Promise.race([readyUrl(child), sleep(patient(startWithinMs), null, { ref: false })])
  if (url === null) {
    // Else it would start later, and take the work of the rows that follow.
    await kill()
    throw new Error(`the node did not start:\n${child.output()}`)
  }
  return {
    url,
    pid: child.process.pid ?? 0,
    output: child.output,
    ended: child.ended,
    kill,
    async stop() {
      child.process.kill('SIGTERM')
      const how = await Promise.race([child.over, sleep(patient(stopWithinMs), 'still running', { ref: false })])
      await kill()
      return how
    },
    memoryMb: (which) => readMemoryMb(child.process.pid ?? 0, which),
  }
}

/** `node src/main.ts <args>`, which somebody watches. */
export function beginCommand(args: string[], settings: Settings, edits: readonly Edit[] = []): Running {
  const child = launch(args, settings, edits)
  const kill = whenOver(async () => {
    child.process.kill('SIGKILL')
    await child.over
  })
  return { pid: child.process.pid ?? 0, output: child.output, ended: child.ended, over: child.over, kill }
}

/** `node src/main.ts <args>` to its end. */
export async function runCommand(
  args: string[],
  settings: Settings,
  edits: readonly Edit[] = [],
  withinMs = 60_000,
): Promise<Finished> {
  const child = launch(args, settings, edits)
  const kill = whenOver(() => child.process.kill('SIGKILL'))
  const limit = setTimeout(kill, patient(withinMs))
  await child.over
  clearTimeout(limit)
  await kill()
  return { code: child.process.exitCode, output: child.output() }
}

// The last word, whatever way we end: no child outlives us.
const alive = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL')
})

function launch(args: string[], settings: Settings, edits: readonly Edit[], program = thisProgram): Child {
  if (isOver()) throw new Error('the run is over')
  const hook = edits.length > 0 ? ['--import', pathToFileURL(join(root, 'chaos/mutate.ts')).href] : []
  const child = spawn(process.execPath, [...hook, 'src/main.ts', ...args], {
    cwd: program.root,
    // Only what is said here: nothing of the caller's own settings leaks in. A dashboard would be built if there is none.
    env: { PATH: process.env.PATH ?? '', DASHBOARD: 'false', CHAOS_MUTATION: JSON.stringify(edits), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  alive.add(child)
  const chunks: Buffer[] = []
  let bytes = 0
  const keep = (chunk: Buffer) => {
    chunks.push(chunk)
    bytes += chunk.length
    while (bytes > (program.keptOutput ?? Number.POSITIVE_INFINITY)) bytes -= chunks.shift()?.length ?? bytes
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  let end: string | null = null
  const over = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('close', (code, signal) => resolve(signal ?? `exit ${code}`))
  }).then((how) => {
    alive.delete(child)
    end = how
    return how
  })
  return { process: child, output: () => Buffer.concat(chunks).toString(), over, ended: () => end }
}

/** Null: it ended before it was ready. */
async function readyUrl(child: Child): Promise<string | null> {
  while (child.ended() === null) {
    const port = /is ready at http:\/\/localhost:(\d+)/.exec(child.output())?.[1]
    if (port) return `http://127.0.0.1:${port}`
    await Promise.race([child.over, sleep(20)])
  }
  return null
}

function readMemoryMb(pid: number, which: string): number {
  const status = readFileSync(`/proc/${pid}/status`, { encoding: 'utf8', flag: 'r' })
  return Math.round(Number(new RegExp(`${which}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1024)
}
